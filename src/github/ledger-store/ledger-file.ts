import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readWorkspaceFile, type WorkspaceFile } from '../workspace.ts';
import { codeOf } from './store.ts';

/** Where a file is or would be, links followed; or what is wrong with that place. */
export type LedgerFile = { file: string; exists: boolean } | { problem: string };

/** The nearest thing on the way to a path that exists, links followed, and the rest of the way. */
async function follow(path: string): Promise<{ real: string; rest: string }> {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return { real: await realpath(existing), rest: relative(existing, path) };
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || existing === dirname(existing)) throw error;
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
  const root = await realpath(resolve(workspace));
  const { real, rest } = await follow(resolve(root, path));
  const inside = relative(root, real);
  const isOutside = inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside);
  if (isOutside) return { problem: 'is outside the workspace' };
  if (rest !== '') return { file: join(real, rest), exists: false };
  const details = await stat(real);
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
