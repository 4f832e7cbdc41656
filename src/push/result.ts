import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { type LogEntry, line } from '../report/log-entry.ts';

/** The commit is the branch's new head. */
export interface Pushed {
  readonly kind: 'pushed';
  /** The former head, or null if there was no branch. */
  readonly from: string | null;
  readonly forced: boolean;
  /** The branch that keeps `from`, if the project contained only its template. */
  readonly kept?: string | undefined;
  /** The number of commits of the default branch that this new branch lacks, if any. */
  readonly missing?: number | undefined;
}

/** Nothing was pushed: the branch has `count` commits that this one doesn't contain. */
interface Refused {
  readonly kind: 'refused';
  readonly head: string;
  readonly count: number;
  /** A commit that the push would remove from the branch; `sha` has 40 hex digits. */
  readonly newest: { readonly sha: string; readonly subject: SafeText };
}

/** The result of pushing a commit to a branch; `there`: the branch already contained it. */
export type PushResult = { readonly kind: 'there'; readonly head: string } | Pushed | Refused;

/** A step that starts. */
export type GitStep =
  | { readonly step: 'read-branch' }
  /** The commit or its files are fetched from GitHub. */
  | {
      readonly step: 'fetch-commit';
      readonly part: 'whole' | 'history' | 'files';
      /** True if it is not GitHub, but the server that the CI cloned from. */
      readonly isClone?: true | undefined;
    }
  | { readonly step: 'fetch-branch' }
  /** The commit is pushed. `commits` is the number that the branch gains, or null if it is unknown. */
  | { readonly step: 'push'; readonly commits: number | null; readonly forced: boolean }
  /** The connection failed, and a retry follows after a pause in milliseconds. */
  | { readonly step: 'again'; readonly pause: number; readonly detail: SafeText }
  /** The folder of temporary files could not be removed. */
  | { readonly step: 'left-behind'; readonly folder: SafeText };

/** The error of a push that would remove commits from the branch. */
export function describeRefusal({ head, count, newest }: Refused, branch: SafeText): Diagnostic {
  const [commits, newestOf, them] =
    count === 1
      ? [safe`1 commit`, safe``, safe`it`]
      : [safe`${count} commits`, safe` the newest is`, safe`them`];
  const subject = newest.subject === '' ? safe`` : safe` "${newest.subject}"`;
  const lost = safe`The project's ${branch} branch has ${commits} that this commit doesn't contain:${newestOf} ${unsafeText(newest.sha)}${subject}.`;
  const advice = safe`Merge that branch into yours, or set \`git-force: ${unsafeText(head)}\` to discard ${them}.`;
  return diagnose('SD7004', safe`${lost} ${advice}`);
}

/** The warning about a new branch, if the default branch has commits that it lacks. */
export function describeNewBranch(missing: number, branch: SafeText): Diagnostic {
  const commits = missing === 1 ? safe`1 commit` : safe`${missing} commits`;
  return diagnose(
    'SD7011',
    safe`git-branch ${branch} is a new branch of the project's repository, whose default branch has ${commits} that this commit doesn't contain. The service may deploy only its default branch.`,
  );
}

/**
 * The result of a push for one branch:
 * - `pushed`: the branch now has the commit
 * - `unchanged`: the branch already had it
 * - `outdated`: the branch's head was not the expected one, and nothing was sent
 * - `rejected`: the server refused it, and gave a reason
 * - `not-stored`: the server could not store the objects
 * - `unknown`: the server did not report it
 */
export type PushVerdict =
  | { readonly kind: 'pushed' | 'unchanged' | 'outdated' | 'not-stored' | 'unknown' }
  | { readonly kind: 'rejected'; readonly reason: string };

/**
 * Reads the output of `git push --porcelain`: for each reference, a line of a flag, the refspec and a summary, separated
 * by tabs.
 *
 * @param reference the branch's full name: `refs/heads/main`
 */
export function readPushReport(output: string, reference: string): PushVerdict {
  for (const line of output.split('\n')) {
    const [flag = '', route = '', ...rest] = line.split('\t');
    if (!route.endsWith(`:${reference}`)) continue;
    if (flag === '=') return { kind: 'unchanged' };
    if ([' ', '+', '*'].includes(flag)) return { kind: 'pushed' };
    // Such as `[remote rejected] (protected branch hook declined)`.
    const [, who, reason = ''] = /^\[(.*?)\](?: \((.*)\))?$/s.exec(rest.join('\t')) ?? [];
    if (who === 'rejected') return { kind: 'outdated' };
    if (who !== 'remote rejected') return { kind: 'unknown' };
    return reason === 'unpacker error' ? { kind: 'not-stored' } : { kind: 'rejected', reason };
  }
  return { kind: 'unknown' };
}

/**
 * Reads one reference from the output of `git ls-remote`, which also lists names that only end in the requested one.
 *
 * @param reference the full name: `refs/heads/main`
 * @returns the commit's SHA-1 or SHA-256, or null if there is no such reference
 */
export function readReference(output: string, reference: string): string | null {
  return readReferences(output).get(reference) ?? null;
}

/** All references in the output of `git ls-remote`, by full name. */
export function readReferences(output: string): Map<string, string> {
  const lines = output.split('\n').flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.*)$/.exec(line) ?? [];
    return id === undefined || name === undefined ? [] : [[name, id] as const];
  });
  return new Map(lines);
}

/** The log lines of a step: what takes long, and what goes wrong. */
export function gitLines(step: GitStep): LogEntry[] {
  switch (step.step) {
    case 'read-branch':
    case 'push':
      return [];
    case 'fetch-commit': {
      const what = {
        whole: safe`the commit with its history`,
        history: safe`the history of the commit`,
        files: safe`the files of the commits to push`,
      }[step.part];
      const server = step.isClone ? safe`the repository's server` : safe`GitHub`;
      return line(safe`Fetching ${what} from ${server}`);
    }
    case 'fetch-branch':
      return line(safe`Fetching the history of the project's branch`);
    case 'again':
      return line(safe`Git failed; retrying in ${formatDuration(step.pause)}. ${step.detail}`);
    case 'left-behind':
      return [
        {
          kind: 'warning',
          diagnostic: diagnose('SD7009', `Could not remove the temporary folder ${step.folder}`),
        },
      ];
  }
}
