// Not `node:fs/promises`, which would be loaded at startup: most steps read no file.
import { constants, promises } from 'node:fs';
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
export const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR']);

/** The code of a system error, such as `ENOENT`; otherwise the error's name. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** Opens a file for reading. Of a pipe, Linux and macOS would wait for a writer, without an end. */
export const openToRead = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a file of at most a size, and nothing that may have no end, such as a pipe or a device.
 *
 * @param most in bytes
 * @returns its content, or what is wrong with it
 * @throws a system error
 */
export async function readWhole(path: string, most: number): Promise<Buffer | string> {
  await using file = await promises.open(path, openToRead);
  const details = await file.stat();
  if (!details.isFile()) return 'is not a file';
  if (details.size > most) return `is larger than ${most / 1024 / 1024} MiB`;
  // Some files of the system report no size, and have no end.
  return details.size === 0 ? Buffer.alloc(0) : await file.readFile();
}

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
    const content = await readWhole(file, largestFile);
    if (typeof content === 'string') return { problem: content };
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { text: decoder.decode(content) };
  } catch (error) {
    const code = codeOf(error);
    if (absent.has(code)) {
      return {
        problem: 'does not exist: check the path, and that the repository is checked out',
        isMissing: true,
      };
    }
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { problem: 'is not UTF-8 text' };
    return { problem: `can't be read (${code})` };
  }
}

/**
 * The signals with which a run is canceled: without a listener, each would end the process before git and its folder are
 * removed. SIGHUP is a closed terminal; Node calls CTRL_BREAK of Windows SIGBREAK.
 */
const cancelSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGBREAK'] as const;

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
