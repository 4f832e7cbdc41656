/** What git allows in no branch's name: control characters, spaces, and what its own syntax uses. */
const refused =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses exactly these.
  /[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|^[-/]|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)|^HEAD$/;

/** Whether git takes this as the name of a branch (the rules of `git check-ref-format --branch`). */
export function isBranchName(name: string): boolean {
  return name !== '' && !refused.test(name) && name.isWellFormed();
}

/** The whole name of a branch, which names nothing else. */
export const branchReference = (name: string): string => `refs/heads/${name}`;
