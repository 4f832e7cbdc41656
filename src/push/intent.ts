import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { ProjectRepositories } from './model/git-url.ts';

/** When a push may remove commits from the branch: never, always, or only while its head is this commit. */
export type Force = 'never' | 'always' | { readonly onlyFrom: string };

/**
 * @param given a valid `git-force`
 * @param isOwn true if a pull request has leased the project, so that it contains no one else's work
 */
export function forceOf(given: string, isOwn: boolean): Force {
  if (given === 'true') return 'always';
  if (given === 'false') return 'never';
  if (given !== 'auto' && given !== 'adopt') return { onlyFrom: given };
  return isOwn ? 'always' : 'never';
}

/** How far a branch and the commit to push are apart. */
export interface Distance {
  /** The number of commits that a push would remove from the branch. */
  readonly lost: number;
  /** The number of commits that a push would add to the branch. */
  readonly gained: number;
}

/**
 * What to do about a branch:
 * - `keep`: it already contains the commit
 * - `push`: it only gains commits
 * - `force`: it loses commits, and may; only while its head is the one that was read
 * - `refuse`: it would lose commits, and may not
 * - `rival`: it may lose the commits that were read first, but another push has added others since
 */
export type Decision = 'keep' | 'push' | 'force' | 'refuse' | 'rival';

/**
 * Decides what to do with a branch; `rival` if another push changed it meanwhile.
 *
 * @param branch as it was read; `first`: the head when this run first read it, null if there was no branch
 */
export function decide(
  { head, first, lost, gained }: Distance & { head: string; first: string | null },
  force: Force,
): Decision {
  if (gained === 0) return 'keep';
  if (lost === 0) return 'push';
  if (force === 'always') return head === first ? 'force' : 'rival';
  return typeof force === 'object' && force.onlyFrom === head ? 'force' : 'refuse';
}

/** What a branch name must not contain: control characters, spaces, and git's own syntax. */
const refused =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses exactly these.
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)|^HEAD$/;

/** Whether a branch name is valid by the rules of `git check-ref-format --branch`. */
export function isBranchName(name: string): boolean {
  return name !== '' && !refused.test(name) && name.isWellFormed();
}

/** What is wrong with a branch name from an input, or undefined. */
export function branchProblem(name: string): string | undefined {
  if (name.startsWith('refs/'))
    return 'is a full reference name: use the branch name alone, such as main';
  return isBranchName(name) ? undefined : 'is not a valid branch name, such as main';
}

/** The full, unambiguous name of a branch. */
export const branchReference = (name: string): string => `refs/heads/${name}`;

/** The branch to push to if `git-branch` is not set. */
export const defaultBranch = 'main';

/**
 * When a project that contains only its template is adopted: if GitHub's records show, too, that it is new, or without
 * them, because `git-force` says so.
 */
export type Adoption = 'never' | 'by-records' | 'by-input';

/** Whether a run pushes the commit to its project's repository, and if not, why. */
export type PushIntent =
  | {
      kind: 'push';
      /** The input `git-branch`; undefined if it is not set. */
      branch: string | undefined;
      /** When the branch may lose commits. */
      force: Force;
      adopts: Adoption;
      /** By project. */
      repositories: ProjectRepositories;
    }
  /** Nothing is deployed. */
  | { kind: 'none' }
  /** `git-url` is empty. */
  | { kind: 'no-url' }
  /** HEAD is always in the project's repository. */
  | { kind: 'head' };

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
): 'none' | 'kept' | 'others' {
  const kept = `refs/heads/${keptBranch(head)}`;
  const others = [...references].filter(([name]) => name !== branch);
  const isKnown = ([name, id]: [string, string]) =>
    id === head && (name === 'HEAD' || name === kept);
  if (references.get(branch) !== head || !others.every(isKnown)) return 'others';
  return references.has(kept) ? 'kept' : 'none';
}

/**
 * The names of a repository's branches, except those that keep the head of an adopted project.
 *
 * @param references by full name
 */
export function branchesIn(references: ReadonlyMap<string, string>): string[] {
  const names = [...references.keys()].flatMap((name) => name.match(/(?<=^refs\/heads\/).*/) ?? []);
  return names.filter((name) => !/^before-[0-9a-f]{7}$/.test(name));
}

/** Why a project is not adopted as a new one, as a sentence. */
export const notNew = (why: SafeText): SafeText => safe`Not adopted as a new project: ${why}`;
