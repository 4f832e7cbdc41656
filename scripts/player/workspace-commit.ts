import { git } from '../../emulator/git/git.ts';

/** The commit that a folder's git repository is at. */
export interface WorkspaceCommit {
  sha: string;
  /** True if files differ from it. */
  isChanged: boolean;
}

/** The commit of a folder; undefined if it is in no git repository, or that has none. Nothing is written. */
export async function commitOf(folder: string): Promise<WorkspaceCommit | undefined> {
  const run = (...args: string[]) => git(['--no-optional-locks', '-C', folder, ...args]);
  const sha = await run('rev-parse', '--verify', 'HEAD^{commit}').catch(() => undefined);
  if (sha === undefined) return undefined;
  return { sha, isChanged: (await run('status', '--porcelain')) !== '' };
}

/** Copies a folder's commit into a bare repository, as a branch. The folder itself is only read. */
export async function copyCommit(from: string, to: string, branch: string): Promise<void> {
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--update-shallow'];
  await git([`--git-dir=${to}`, 'fetch', ...flags, from, `+HEAD:refs/heads/${branch}`]);
}

/** What a person should know of the commit that is deployed. */
export const describeCommit = (folder: string, { sha, isChanged }: WorkspaceCommit): string =>
  `Using commit ${sha.slice(0, 7)} of ${folder}${isChanged ? ', without the changes that are not committed' : ''}`;
