import { isSha, type Sha } from '../contract/commit.ts';
import { type GitHubAccess, openOctokit } from '../github/client.ts';
import { readComparison } from '../github/deployment-history.ts';
import { asObject } from '../kernel/json.ts';
import { type Sanitize, shorten } from '../kernel/text/safe.ts';
import type { Changes } from './model/changes.ts';

/** How long GitHub may take, in milliseconds: the end of the step waits for it. */
const longestWait = 5000;

/** The most commits that a summary lists, and characters of a subject. */
const most = { commits: 10, subject: 100 };

/** Reads what a release has changed, by one request to GitHub. It never throws: the release is live without it, too. */
export async function readChanges(
  access: GitHubAccess,
  { base, head }: { base: Sha; head: Sha },
  { clean, signal }: { clean: Sanitize; signal: AbortSignal },
): Promise<Changes> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(longestWait)]);
  try {
    const found = await readComparison(await openOctokit(access, limit), base, head);
    if (found === undefined) return 'incomparable';
    const { status, ahead_by: ahead, behind_by: behind, commits } = found;
    if (typeof ahead !== 'number' || typeof behind !== 'number' || !Array.isArray(commits)) {
      return 'unread';
    }
    const newest = commits
      .slice(-most.commits)
      .reverse()
      .flatMap((one) => {
        const { sha, commit } = asObject(one) ?? {};
        const [subject = ''] = String(asObject(commit)?.['message'] ?? '').split(/[\r\n]/, 1);
        return isSha(sha) ? { sha, subject: shorten(clean(subject), most.subject) } : [];
      });
    return { status, ahead, behind, commits: newest };
  } catch {
    return 'unread';
  }
}
