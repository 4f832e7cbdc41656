import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';

/** A commit of a branch that a push would take from it. */
export interface LostCommit {
  /** 40 hex digits. */
  readonly sha: string;
  readonly subject: SafeText;
}

/** How the attempt to bring a commit to a branch ended. */
export type PushResult =
  /** It was there already: it is the head, or the head is a commit that holds it. */
  | { readonly kind: 'there'; readonly head: string }
  /** It was made the head. `from` is the head that was seen before, or null if there was no branch. */
  | {
      readonly kind: 'pushed';
      readonly from: string | null;
      readonly forced: boolean;
      /** The branch that keeps `from`, where the project held nothing but its template. */
      readonly kept?: string;
    }
  /** Nothing was pushed: the branch has `count` commits that this one lacks. */
  | {
      readonly kind: 'refused';
      readonly head: string;
      readonly count: number;
      readonly newest: LostCommit;
    };

/** The answer that refuses. */
export type Refused = Extract<PushResult, { kind: 'refused' }>;

/** What is being done, as it begins. */
export type GitStep =
  /** The project's branch is looked at. */
  | { readonly step: 'look' }
  /** The commit, or its files, are fetched from GitHub. */
  | { readonly step: 'fetch-commit'; readonly part: 'whole' | 'history' | 'files' }
  /** The commits of the project's branch are fetched. */
  | { readonly step: 'fetch-branch' }
  /** The commit is pushed. `commits` is how many the branch gains, or null if that is not known. */
  | { readonly step: 'push'; readonly commits: number | null; readonly forced: boolean }
  /** The connection broke, and is tried again after a pause in milliseconds. */
  | { readonly step: 'again'; readonly pause: number; readonly words: SafeText }
  /** The folder of temporary files could not be removed. */
  | { readonly step: 'left-behind'; readonly folder: SafeText };

/** Why nothing was pushed, what would be lost, and what to do. */
export function describeRefusal({ head, count, newest }: Refused, branch: SafeText): Diagnostic {
  const [commits, them] =
    count === 1 ? [safe`a commit`, safe`it`] : [safe`${count} commits`, safe`them`];
  const subject = newest.subject === '' ? safe`` : safe` (${newest.subject})`;
  const lost = safe`${branch} of the project's repository has ${commits} that this one lacks; the newest is ${unsafeText(newest.sha)}${subject}.`;
  const merge = safe`To keep them, merge that branch into yours.`;
  const adopt = safe`To discard ${them}, as on the first deploy of a new project, set \`git-force: ${unsafeText(head)}\`, which forces only while that is the head.`;
  return diagnose('SD7004', safe`${lost} A push would discard ${them}. ${merge} ${adopt}`);
}

/**
 * What a push says of the one branch that it was for:
 * - `pushed`: the branch has the commit now
 * - `unchanged`: it had it already
 * - `outdated`: it is not what we took it for, so that nothing was sent
 * - `rejected`: the other side did not take it, for a reason in its own words
 * - `not-stored`: the other side could not store the objects
 * - `unknown`: the other side did not say
 */
export type PushVerdict =
  | { readonly kind: 'pushed' | 'unchanged' | 'outdated' | 'not-stored' | 'unknown' }
  | { readonly kind: 'rejected'; readonly reason: string };

const done: Readonly<Record<string, PushVerdict>> = {
  ' ': { kind: 'pushed' },
  '+': { kind: 'pushed' },
  '*': { kind: 'pushed' },
  '=': { kind: 'unchanged' },
};

function readRefusal(summary: string): PushVerdict {
  const [, who = '', reason = ''] = /^\[(.*?)\](?: \((.*)\))?$/s.exec(summary) ?? [];
  if (who === 'rejected') return { kind: 'outdated' };
  if (who !== 'remote rejected') return { kind: 'unknown' };
  return reason === 'unpacker error' ? { kind: 'not-stored' } : { kind: 'rejected', reason };
}

/**
 * Reads what `git push --porcelain` printed: a line for each reference, of a flag, what was pushed where, and a
 * summary, with tabs between them.
 *
 * @param reference the whole name of the branch: `refs/heads/main`
 * @returns `unknown` if no line is about the branch
 */
export function readPushReport(output: string, reference: string): PushVerdict {
  for (const line of output.split('\n')) {
    const [flag = '', route = '', ...rest] = line.split('\t');
    if (!route.endsWith(`:${reference}`)) continue;
    return done[flag] ?? readRefusal(rest.join('\t'));
  }
  return { kind: 'unknown' };
}

/**
 * Reads what `git ls-remote` printed for one reference. A pattern of git's also finds names that end alike, so
 * that only the line with exactly this name counts.
 *
 * @param reference the whole name: `refs/heads/main`
 * @returns the commit, by SHA-1 or SHA-256 as the repository has it, or null if there is no such reference
 */
export function readReference(output: string, reference: string): string | null {
  for (const line of output.split('\n')) {
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.*)$/.exec(line) ?? [];
    if (name === reference && id !== undefined) return id;
  }
  return null;
}

/** Every reference that `git ls-remote` printed, by its whole name. */
export function readReferences(output: string): Map<string, string> {
  const lines = output.split('\n').flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.*)$/.exec(line) ?? [];
    return id === undefined || name === undefined ? [] : [[name, id] as const];
  });
  return new Map(lines);
}
