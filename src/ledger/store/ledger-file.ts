// Not `node:fs/promises`: it would be loaded before the cache is asked, where most ledgers are kept.
import { promises } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { isWithin, readWorkspaceFile, type WorkspaceFile } from '../../github/workspace.ts';
import { codeOf } from './store.ts';

/** Where a file is or would be, links followed; or what is wrong with that place. */
export type LedgerFile = { file: string; exists: boolean } | { problem: string };

/** The nearest thing on the way to a path that exists, links followed, and the rest of the way. */
async function follow(path: string): Promise<{ real: string; rest: string }> {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return { real: await promises.realpath(existing), rest: relative(existing, path) };
    } catch (error) {
      // Below a file Linux and macOS say ENOTDIR, and Windows ENOENT.
      const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
      if (!isMissing || existing === dirname(existing)) throw error;
    }
  }
}

/**
 * Finds the place of a file that an input names and that need not exist yet. Like a file that is read, it must
 * lie in the workspace, links followed.
 *
 * @param workspace the workspace's folder; empty: the current one
 * @throws an error of the system
 */
export async function findLedgerFile(workspace: string, path: string): Promise<LedgerFile> {
  const root = await promises.realpath(resolve(workspace));
  const { real, rest } = await follow(resolve(root, path));
  if (!isWithin(root, real)) return { problem: 'is outside the workspace' };
  const details = await promises.stat(real);
  if (rest !== '') {
    if (!details.isDirectory()) return { problem: 'is below something that is not a folder' };
    return { file: join(real, rest), exists: false };
  }
  return details.isFile() ? { file: real, exists: true } : { problem: 'is not a file' };
}

/**
 * Reads the file that an input names, like `readWorkspaceFile`.
 *
 * @returns undefined if there is none
 * @throws an error of the system
 */
export async function readLedgerFile(
  workspace: string,
  path: string,
): Promise<WorkspaceFile | undefined> {
  const place = await findLedgerFile(workspace, path);
  if ('problem' in place) return place;
  return place.exists ? await readWorkspaceFile(workspace, path) : undefined;
}
