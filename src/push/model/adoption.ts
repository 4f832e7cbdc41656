import { type SafeText, safe } from '../../kernel/text/safe.ts';

/** The branch that keeps the former head of an adopted project. */
export const keptBranch = (head: string): string => `before-${head.slice(0, 7)}`;

/**
 * True if a commit object has no parent. The number of commits can't show that: a server may send a shallow history.
 *
 * @param text the commit as `git cat-file commit` prints it
 */
export function isFirstCommit(text: string): boolean {
  const [header = ''] = text.split('\n\n', 1);
  return /^tree /.test(header) && !/^parent /m.test(header);
}

/** Which other references a project's repository has: none, the branch of an earlier adoption, or others. */
export type OtherReferences = 'none' | 'kept' | 'others';

/**
 * Whether a branch is a repository's only reference, apart from the branch that an interrupted adoption has created for
 * the same head.
 *
 * @param references by full name
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

export const notNew = (why: SafeText): SafeText => safe`Not adopted as a new project: ${why}`;
