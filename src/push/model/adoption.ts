import { type SafeText, safe } from '../../kernel/text/safe.ts';

/** The branch on which the head of an adopted project is kept. */
export const keptBranch = (head: string): string => `before-${head.slice(0, 7)}`;

/**
 * True if a commit's own text names no parent. How many commits git counts says nothing: a server may have cut the
 * history off.
 *
 * @param text the commit as `git cat-file commit` prints it
 */
export function isFirstCommit(text: string): boolean {
  const [header = ''] = text.split('\n\n', 1);
  return /^tree /.test(header) && !/^parent /m.test(header);
}

/** What the references of a project's repository say of an adoption. */
export type OtherReferences = 'none' | 'kept' | 'others';

/**
 * Whether a branch is a repository's only reference: beside it there may be the branch that keeps the same head, which
 * an adoption that was cut off has made.
 *
 * @param references by their whole names, as the other side lists them
 */
export function otherReferences(
  references: ReadonlyMap<string, string>,
  branch: string,
  head: string,
): OtherReferences {
  const kept = `refs/heads/${keptBranch(head)}`;
  const others = [...references].filter(([name]) => name !== branch);
  const isKnown = ([name, id]: [string, string]) =>
    id === head && (name === 'HEAD' || name === kept);
  if (references.get(branch) !== head || !others.every(isKnown)) return 'others';
  return references.has(kept) ? 'kept' : 'none';
}

/** Says why a project is not adopted. */
export const notNew = (why: SafeText): SafeText =>
  safe`The project is not taken for a new one: ${why}`;
