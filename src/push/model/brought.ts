import { type Coded, coded } from '../../kernel/catalogue/coded.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';

/** A commit of a branch that a push would take from it. */
export interface LostCommit {
  /** 40 hex digits. */
  readonly sha: string;
  readonly subject: SafeText;
}

/** How the attempt to bring a commit to a branch ended. */
export type Brought =
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
export type Refused = Extract<Brought, { kind: 'refused' }>;

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
export function describeRefusal({ head, count, newest }: Refused, branch: SafeText): Coded {
  const [commits, them] =
    count === 1 ? [safe`a commit`, safe`it`] : [safe`${count} commits`, safe`them`];
  const subject = newest.subject === '' ? safe`` : safe` (${newest.subject})`;
  const lost = safe`${branch} of the project's repository has ${commits} that this one lacks; the newest is ${trusted(newest.sha)}${subject}.`;
  const merge = safe`To keep them, merge that branch into yours.`;
  const adopt = safe`To discard ${them}, as on the first deploy of a new project, set \`git-force: ${trusted(head)}\`, which forces only while that is the head.`;
  return coded('SD7004', safe`${lost} A push would discard ${them}. ${merge} ${adopt}`);
}
