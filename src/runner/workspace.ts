// Not `node:fs/promises`, which would be loaded at startup: most steps read no file.
import { promises } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

const largestFile = 1024 * 1024;

/** A file's text, or why it can't be read. */
export type WorkspaceFile = { text: string } | { problem: string; isMissing?: true };

/** Whether a path is a folder or inside it. Both must be real paths: links are not followed here. */
export function isWithin(folder: string, path: string): boolean {
  const route = relative(folder, path);
  return route !== '..' && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}

/** Error codes of a missing file. Windows has no separate code for a path below a file. */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Reads a UTF-8 text file from an input's path. After following links it must be inside the workspace, so that a pull
 * request can't read other files of the machine.
 *
 * @param workspace the workspace's folder; empty: the current folder
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
      return {
        problem: 'does not exist: check the path, and that the repository is checked out',
        isMissing: true,
      };
    }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'is not UTF-8 text' };
    return { problem: `can't be read (${String(code ?? error)})` };
  }
}
