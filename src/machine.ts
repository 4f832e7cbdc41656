// Not `node:fs/promises`, which would be loaded at startup: most steps read no file.
import { promises } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';

const largestFile = 1024 * 1024;

/** A file's text, or why it can't be read. */
export type FolderFile = { text: string } | { problem: string; isMissing?: true };

/** Whether a path is a folder or inside it. Both must be real paths: links are not followed here. */
export function isWithin(folder: string, path: string): boolean {
  const route = relative(folder, path);
  return route !== '..' && !route.startsWith(`..${sep}`) && !isAbsolute(route);
}

/** Error codes of a missing file. Windows has no separate code for a path below a file. */
const absent: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR']);

/**
 * Reads a UTF-8 text file from an input's path. After following links it must be inside the folder, so that a pull
 * request can't read other files of the machine.
 *
 * @param folder empty: the current folder
 */
export async function readFileBelow(folder: string, path: string): Promise<FolderFile> {
  try {
    const root = await promises.realpath(resolve(folder));
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

/** The signals with which a run is canceled; Node calls CTRL_BREAK of Windows SIGBREAK. */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGBREAK'] as const;

/**
 * Calls back once on the first signal with which a run is canceled. Later ones are ignored, so that the report can be
 * finished.
 *
 * @returns a function that stops listening
 */
export function onCancel(callback: (signal: NodeJS.Signals) => void): () => void {
  let called = false;
  const listen = (signal: NodeJS.Signals) => {
    if (!called) callback(signal);
    called = true;
  };
  for (const signal of cancelSignals) process.on(signal, listen);
  return () => {
    for (const signal of cancelSignals) process.off(signal, listen);
  };
}
