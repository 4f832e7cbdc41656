import type { Sha } from '../contract/commit.ts';
import { type GitHubAccess, openOctokit } from '../github/client.ts';
import { readRange } from '../github/deployment-history.ts';
import { type Sanitize, shorten } from '../kernel/text/safe.ts';
import type { Changes } from './model/changes.ts';

/** How long GitHub may take to compare two commits, in milliseconds: the end of the step waits for it. */
const longestWait = 5000;

/** The most commits that a summary lists, and characters of a subject. */
const most = { commits: 10, subject: 100 };

/** Reads what a release has changed, by one request to GitHub. It never throws: the release is live without it, too. */
export async function readChanges(
  access: GitHubAccess,
  range: { base: Sha; head: Sha },
  { clean, signal }: { clean: Sanitize; signal: AbortSignal },
): Promise<Changes> {
  try {
    const octokit = await openOctokit(
      access,
      AbortSignal.any([signal, AbortSignal.timeout(longestWait)]),
    );
    const found = await readRange(octokit, { ...range, most: most.commits });
    if (found === undefined) return 'incomparable';
    const commits = found.commits.map(({ sha, message }) => {
      const [subject = ''] = message.split(/[\r\n]/, 1);
      return { sha, subject: shorten(clean(subject), most.subject) };
    });
    return { ...found, commits };
  } catch {
    return 'unread';
  }
}
