/** When a branch may lose commits: not at all, whatever it holds, or only while its head is this commit. */
export type Force = 'never' | 'always' | { readonly onlyFrom: string };

/**
 * When a push may take commits from the branch.
 *
 * @param given `git-force`, as it was checked
 * @param isOurs true if nobody else's work is in the project: a pull request has leased it
 */
export function forceOf(given: string, isOurs: boolean): Force {
  if (given === 'true') return 'always';
  if (given === 'false') return 'never';
  if (given !== 'auto') return { onlyFrom: given };
  return isOurs ? 'always' : 'never';
}

/** How far apart a branch and a commit are. */
export interface Distance {
  /** How many commits the branch has that the commit lacks: a push would take them from the branch. */
  readonly lost: number;
  /** How many commits the commit has that the branch lacks, itself included. */
  readonly gained: number;
}

/** A branch as it was seen. */
export interface Sight extends Distance {
  readonly head: string;
  /** The head at the first look of this run, or null if there was no branch. */
  readonly first: string | null;
}

/**
 * What is to be done about a branch:
 * - `keep`: the commit is in it already
 * - `push`: it only grows
 * - `force`: it loses commits, and may; only while its head is the one that was seen
 * - `refuse`: it would lose commits, and may not
 * - `rival`: it might lose the commits that were seen first, but somebody has pushed others since
 */
export type Decision = 'keep' | 'push' | 'force' | 'refuse' | 'rival';

/** Decides what is to be done about a branch that has a head. */
export function decide({ head, first, lost, gained }: Sight, force: Force): Decision {
  if (gained === 0) return 'keep';
  if (lost === 0) return 'push';
  if (force === 'always') return head === first ? 'force' : 'rival';
  return typeof force === 'object' && force.onlyFrom === head ? 'force' : 'refuse';
}

/** What git allows in no branch's name: control characters, spaces, and what its own syntax uses. */
const refused =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses exactly these.
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)|^HEAD$/;

/** Whether git takes this as the name of a branch (the rules of `git check-ref-format --branch`). */
export function isBranchName(name: string): boolean {
  return name !== '' && !refused.test(name) && name.isWellFormed();
}

/** What is wrong with the name of a branch that somebody gave, or undefined. */
export function branchProblem(name: string): string | undefined {
  if (name.startsWith('refs/'))
    return "is a reference's whole name: give the branch's alone, such as main";
  return isBranchName(name) ? undefined : "is no branch's name that git takes, such as main";
}

/** The whole name of a branch, which names nothing else. */
export const branchReference = (name: string): string => `refs/heads/${name}`;
