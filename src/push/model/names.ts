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
