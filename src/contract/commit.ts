import { commitPattern } from './limits.ts';
import type { SafeText, Validated } from './safe-text.ts';

/** A commit's SHA: exactly 40 lowercase hex characters (section "Deployments", `versionId`). */
export type Sha = Validated<'Sha'>;

/** What is deployed: a commit, or the head of the project's own repository. */
export type Commit = Sha | 'HEAD';

/** The commit of a run; null: nothing is deployed. */
export type RunCommit = Commit | null;

/** The SHA of a commit, if it is known here. */
export const shaOf = (commit: RunCommit | undefined): Sha | undefined =>
  commit === 'HEAD' ? undefined : (commit ?? undefined);

/** A commit that has to be looked up: by its first digits (7 to 39, in lower case), or as the last good release before the live one. */
export type CommitInPart = { digits: SafeText } | 'PREVIOUS';

/** A commit as the input gives it. */
export type GivenCommit = Commit | CommitInPart;

/** True of a commit that needs no lookup. */
export const isWhole = (given: GivenCommit): given is Commit =>
  typeof given === 'string' && given !== 'PREVIOUS';

/** Git writes these zeros where there is no commit. */
export const noCommit = '0'.repeat(40);

/** True of a commit's SHA. */
export const isSha = (value: unknown): value is Sha =>
  typeof value === 'string' && commitPattern.test(value) && value !== noCommit;

/**
 * Asserts that a text is a SHA.
 *
 * @throws if it is not
 */
export function sha(text: string): Sha {
  if (isSha(text)) return text;
  throw new Error('not a commit');
}

/** How two commits stand to each other, as GitHub compares them: `ahead` if the first is an ancestor of the second. */
export type Comparison = 'ahead' | 'behind' | 'identical' | 'diverged';
