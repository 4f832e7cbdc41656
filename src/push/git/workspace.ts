import { type Dirent, existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkspaceLack } from '../model/failure.ts';

/** The objects of the workspace's repository, or why they cannot be borrowed. */
export type WorkspaceObjects = { readonly folder: string } | { readonly lack: WorkspaceLack };

/** Files that say that the objects lie elsewhere, or that the repository is a part of another one. */
const elsewhere = ['objects/info/alternates', 'objects/info/http-alternates', 'commondir'];

/** Whether all that lies in a folder is as it should be; a folder that cannot be read is not. */
async function holdsOnly(
  folder: string,
  isGood: (entry: Dirent) => boolean,
  recursive = false,
): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true, recursive }).catch(() => null);
  return entries?.every(isGood) ?? false;
}

async function isFolder(path: string): Promise<boolean> {
  const details = await lstat(path).catch(() => null);
  return details?.isDirectory() ?? false;
}

/**
 * Finds the objects of the repository that is checked out in the workspace. Nothing of it is run, and nothing but
 * the names of its files is read: no settings, no hooks, no references. They are borrowed only if all of them
 * surely lie in the workspace itself: no links, no borrowing on, no worktree of another repository.
 *
 * @param workspace `GITHUB_WORKSPACE`; empty: there is none
 */
export async function findObjects(workspace: string): Promise<WorkspaceObjects> {
  const repository = join(workspace, '.git');
  if (workspace === '' || !existsSync(repository)) return { lack: 'nothing' };
  const objects = join(repository, 'objects');
  const packs = join(objects, 'pack');
  for (const folder of [repository, objects, packs]) {
    if (!(await isFolder(folder))) return { lack: 'foreign' };
  }
  if (elsewhere.some((file) => existsSync(join(repository, file)))) return { lack: 'foreign' };
  if (!(await holdsOnly(objects, (entry) => entry.isDirectory()))) return { lack: 'foreign' };
  if (!(await holdsOnly(packs, (entry) => entry.isFile()))) return { lack: 'foreign' };
  const isOwn = (entry: Dirent) => entry.isFile() || entry.isDirectory();
  if (!(await holdsOnly(objects, isOwn, true))) return { lack: 'foreign' };
  if (existsSync(join(repository, 'shallow'))) return { lack: 'shallow' };
  const isWhole = await holdsOnly(packs, ({ name }) => !name.endsWith('.promisor'));
  if (!isWhole) return { lack: 'partial' };
  const folder = await realpath(objects);
  // A line break cannot be written where git reads this path.
  return folder.includes('\n') ? { lack: 'foreign' } : { folder };
}
