// Not `node:fs/promises`, which would delay the start: most steps write no file of their own.
import { promises, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { absent, codeOf } from './machine.ts';

/** A name in a folder, whose path contains no link. */
interface Place {
  folder: string;
  name: string;
}

/** Where a path leads: to a file, which may not exist yet; to a pipe or a device; or nowhere, because of a link. */
type Destination =
  | ({ kind: 'file' } & Place)
  | { kind: 'stream'; path: string }
  | { kind: 'link'; path: string };

/**
 * Finds where a path leads. Links are followed, but none below a folder with `.git`, or below the current one, whose `.git`
 * may be gone: anyone could have committed it.
 *
 * @param path an absolute path
 * @param folder the current folder
 * @throws a system error
 */
export const findDestination = async (path: string, folder: string): Promise<Destination> =>
  await follow(path, await identity(folder));

/** How many links Linux follows in a path. */
const mostLinks = 40;

/** Follows the links of a path, up to one in a checkout, or in the folder with this identity. */
async function follow(path: string, current: string, left = mostLinks): Promise<Destination> {
  const { root } = parse(path);
  const names = relative(root, path).split(sep);
  let folder = root;
  let isCheckedOut = false;
  for (const [index, name] of names.entries()) {
    isCheckedOut ||=
      (await identity(folder)) === current || (await statusOf(join(folder, '.git'))) !== undefined;
    const here = join(folder, name);
    const details = await statusOf(here);
    if (details === undefined) break;
    if (details.isFIFO() || details.isCharacterDevice()) return { kind: 'stream', path: here };
    if (!details.isSymbolicLink()) {
      folder = here;
      continue;
    }
    if (isCheckedOut) return { kind: 'link', path: here };
    // Linux's own links, to what is open, only look like paths.
    if (here.startsWith('/proc/')) return { kind: 'stream', path };
    if (left === 0) throw Object.assign(new Error(`too many links: ${path}`), { code: 'ELOOP' });
    const target = resolve(folder, await promises.readlink(here), ...names.slice(index + 1));
    return follow(target, current, left - 1);
  }
  return { kind: 'file', folder: dirname(path), name: basename(path) };
}

/** What a folder is known by, however its path is spelled. */
async function identity(folder: string): Promise<string> {
  const { dev, ino } = await promises.stat(folder, { bigint: true });
  return `${dev}:${ino}`;
}

/** What is at a path; undefined if there is nothing. */
async function statusOf(path: string): Promise<Stats | undefined> {
  return await promises.lstat(path).catch((error: unknown) => {
    if (absent.has(codeOf(error))) return undefined;
    throw error;
  });
}

const isLinux = process.platform === 'linux';

/**
 * Writes a draft, and renames it to the file after it is flushed. On Linux the folder stays open meanwhile, so that no link
 * can take its place.
 *
 * @throws a system error, or the signal's reason; and an error if a link has taken the folder's place
 */
export async function replaceFile(
  { folder, name }: Place,
  text: string,
  { mode = 0o666, signal }: { mode?: number; signal?: AbortSignal } = {},
): Promise<void> {
  await using handle = isLinux ? await promises.open(folder, 'r') : undefined;
  const opened = handle === undefined ? folder : `/proc/self/fd/${handle.fd}`;
  const real = handle === undefined ? realpathSync(folder) : await promises.readlink(opened);
  if (real !== folder) {
    throw Object.assign(new Error(`leads to another folder now: ${folder}`), { code: 'ELOOP' });
  }
  const draft = join(opened, `.draft-${crypto.randomUUID()}.tmp`);
  try {
    await promises.writeFile(draft, text, { flag: 'wx', mode, flush: true, signal });
    await rename(draft, join(opened, name), signal);
  } catch (error) {
    // The original error matters more than a remaining draft.
    await promises.rm(draft, { force: true, maxRetries: 3 }).catch(() => undefined);
    throw error;
  }
}

/** Renames a draft to a file that another program may have open. */
async function rename(draft: string, file: string, signal?: AbortSignal): Promise<void> {
  for (const pause of pauses) {
    signal?.throwIfAborted();
    try {
      return await promises.rename(draft, file);
    } catch (error) {
      if (!lockedCodes.has(codeOf(error))) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
  await promises.rename(draft, file);
}

/** Errors on Windows for a file that another program, such as a virus scanner, has open for a moment. */
const lockedCodes: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Pauses before each further attempt, in milliseconds. */
const pauses = [10, 50, 200, 500];
