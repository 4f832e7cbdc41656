import { commitPattern } from './limits.ts';

declare const brand: unique symbol;

/** A commit's SHA: exactly 40 lowercase hex characters (section "Deployments", `versionId`). */
export type Sha = string & { readonly [brand]: 'Sha' };

/** What is deployed: a commit, or the head of the project's own repository. */
export type Commit = Sha | 'HEAD';

/** True of a commit's SHA. */
export const isSha = (value: unknown): value is Sha =>
  typeof value === 'string' && commitPattern.test(value);

/**
 * A text as the SHA that it is known to be.
 *
 * @throws if it is none
 */
export function sha(text: string): Sha {
  if (isSha(text)) return text;
  throw new Error('not a commit');
}
