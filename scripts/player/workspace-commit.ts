import { borrowRepository } from '../../emulator/git/borrow.ts';
import { git } from '../../emulator/git/git.ts';
import { UsageError } from './usage-error.ts';

/** Borrows a folder's repository; undefined if it is in none. @throws UsageError if it can't be read */
export const borrow = (folder: string): ReturnType<typeof borrowRepository> =>
  borrowRepository(folder).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  });

/** The commit of a folder; undefined if it is in no git repository, or that has none. The folder is only read. */
export async function commitOf(folder: string): Promise<string | undefined> {
  await using borrowed = await borrow(folder);
  if (borrowed === undefined) return undefined;
  const asked = [`--git-dir=${borrowed.path}`, 'rev-parse', '--verify', 'HEAD^{commit}'];
  return await git(asked).catch(() => undefined);
}

/** Copies a folder's commit into a bare repository, as a branch. The folder itself is only read. */
export async function copyCommit(from: string, to: string, branch: string): Promise<void> {
  await using borrowed = await borrow(from);
  if (borrowed === undefined) throw new Error(`${from} is in no git repository`);
  const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--update-shallow'];
  const refspec = `+HEAD:refs/heads/${branch}`;
  await git([`--git-dir=${to}`, 'fetch', ...flags, borrowed.path, refspec]);
}

/** What a person should know of the commit that is deployed. */
export const describeCommit = (folder: string, sha: string): string =>
  `Using commit ${sha.slice(0, 7)} of ${folder}, without changes that are not committed`;
