import { safe } from '../../kernel/text/safe.ts';

/** The oldest git that can do what is asked of it: 2.32 is the first that takes all of its settings from us. */
export const oldestGit = safe`2.32`;

/** The version that `git version` printed, such as `2.39.5`, or null if it printed something else. */
export function readGitVersion(output: string): string | null {
  return /^git version (\d+\.\d+(?:\.\d+)*)/.exec(output)?.[1] ?? null;
}

/** Whether a version is {@link oldestGit} or newer. */
export function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestGit.split('.').map(Number);
  return major === oldestMajor ? minor >= oldestMinor : major > oldestMajor;
}
