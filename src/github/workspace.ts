// Not `node:fs/promises`: that is loaded with the first name that is used here, and most steps read no file.
import { promises } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

const largestFile = 1024 * 1024;

/** A file's text, or why it cannot be had. */
export type WorkspaceFile = { text: string } | { problem: string; isMissing?: true };

/** Whether a path is a folder or lies in it. Both are real paths: no links are followed here. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Codes that say that there is no such file: below something that is no folder, Windows has no code of its own. */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Reads a UTF-8 text file that an input names. It must lie in the workspace, links followed, so that a pull
 * request cannot have a file of the machine read.
 *
 * @param workspace the workspace's folder; empty: the current one
 */
export async function readWorkspaceFile(workspace: string, path: string): Promise<WorkspaceFile> {
  try {
    const root = await promises.realpath(resolve(workspace));
    const file = await promises.realpath(resolve(root, path));
    if (!isWithin(root, file)) return { problem: 'is outside the workspace' };
    const details = await promises.stat(file);
    if (!details.isFile()) return { problem: 'is not a file' };
    const { size } = details;
    if (size > largestFile) return { problem: `is larger than ${largestFile / 1024 / 1024} MiB` };
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(await promises.readFile(file)) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (absent.has(code)) {
      return { problem: 'does not exist (was the repository checked out?)', isMissing: true };
    }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'is not UTF-8 text' };
    return { problem: `cannot be read (${String(code ?? error)})` };
  }
}
