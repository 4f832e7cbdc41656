import { type Comparison, type Sha, shaOf } from '../../contract/commit.ts';
import { type SafeText, safe, shortSha } from '../../kernel/text/safe.ts';
import { countOf, type Subject } from '../../report/closing.ts';
import { code, link, plain } from '../../report/markdown.ts';
import type { DeployReport } from './report.ts';

/** What a release has changed: how many commits are new and no longer live, and the newest, newest first; or it can't compare them, or it was not read. */
export type Changes =
  | {
      status: Comparison;
      ahead: number;
      behind: number;
      commits: readonly { sha: Sha; subject: SafeText }[];
    }
  | 'incomparable'
  | 'unread';

/** What a release replaced, and with what; undefined if that is not known, or is the same. */
export function rangeOf(report: DeployReport): { base: Sha; head: Sha } | undefined {
  const { liveBefore: base, commit, outcome } = report;
  const head = shaOf(commit);
  if (outcome !== 'succeeded' || base === undefined || base === 'none') return undefined;
  return head && base !== head ? { base, head } : undefined;
}

/** What went live with a release of production, in Markdown; nothing if what was live before is not known. */
export function showChanges(report: DeployReport, changes: Changes | undefined): string[] {
  const { liveBefore, subject, commit, outcome } = report;
  if (outcome !== 'succeeded' || liveBefore === undefined) return [];
  if (liveBefore === 'none') return ['The first release that is recorded here.'];
  if (liveBefore === commit) return ['This commit was live before.'];
  const range = rangeOf(report);
  if (range === undefined || changes === undefined) return [];
  const { base, head } = range;
  const before = showSha(base, subject);
  const compare = compareLink(base, head, subject);
  if (changes === 'unread') {
    return [`Live before: ${before}${compare}. What changed could not be read from GitHub.`];
  }
  if (changes === 'incomparable') {
    return [
      `Live before: ${before}. GitHub can't compare it with this commit: it lacks one of them, they share no history, or the token lacks <code>contents: read</code>.`,
    ];
  }
  const { status, ahead, behind, commits } = changes;
  const gone = countOf(behind, safe`commit`);
  if (status === 'behind') {
    const back = compareLink(head, base, subject);
    return [`A rollback by ${gone}, from ${before}, which was live before${back}.`];
  }
  const since = `${countOf(ahead, safe`commit`)} since ${before}, which was live before${compare}.`;
  const apart = ` The histories have diverged, as after a force push; no longer live: ${gone}.`;
  const lines = commits.map((one) => `- ${showSha(one.sha, subject)} ${plain(one.subject)}`);
  if (ahead > commits.length) lines.push(`- … and ${ahead - commits.length} older`);
  return [`${since}${status === 'diverged' ? apart : ''}`, lines.join('\n')];
}

/** A commit in Markdown: short, and linked to its page where that is known. */
export function showSha(sha: Sha, subject: Subject | undefined): string {
  const short = code(shortSha(sha));
  if (subject?.commitsUrl === undefined) return short;
  return link(short, `${subject.commitsUrl}${encodeURIComponent(sha)}`);
}

/** A link to the page that compares two commits, in brackets; empty if its address is not known. */
function compareLink(base: Sha, head: Sha, subject: Subject | undefined): string {
  const { commitsUrl = '' } = subject ?? {};
  const page = commitsUrl.replace(/commit\/$/, `compare/${base}...${head}`);
  return page === commitsUrl ? '' : ` (${link('compare', page)})`;
}
