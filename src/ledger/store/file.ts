import { randomUUID } from 'node:crypto';

// Not `node:fs/promises`: it would be loaded before the cache is asked, where most ledgers are kept.
import { promises } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isWithin, readWorkspaceFile, type WorkspaceFile } from '../../github/workspace.ts';
import { codeOf, isTooLarge, type LedgerStore, nothingSaved } from './store.ts';

/** What Windows says of a file that another program, such as a virus scanner, has open for a moment. */
const held: ReadonlySet<string> = new Set(['EACCES', 'EBUSY', 'EPERM']);

/** Pauses before each further try, in milliseconds. */
const pauses = [10, 50, 200, 500];

/** Puts a file in the place of another, which somebody may have open. */
async function replace(file: string, draft: string, signal: AbortSignal): Promise<void> {
  for (const pause of pauses) {
    signal.throwIfAborted();
    try {
      return await promises.rename(draft, file);
    } catch (error) {
      if (!held.has(codeOf(error))) throw error;
      await sleep(pause, undefined, { signal });
    }
  }
  await promises.rename(draft, file);
}

/** Writes a draft beside the file, and puts it in the file's place once it is whole and on the disk. */
async function replaceFile(file: string, text: string, signal: AbortSignal): Promise<void> {
  const draft = join(dirname(file), `.ledger-${randomUUID()}.tmp`);
  try {
    await promises.writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true, signal });
    await replace(file, draft, signal);
  } catch (error) {
    // Why the file was not written counts more than a draft that stays.
    await promises.rm(draft, { force: true, maxRetries: 3 }).catch(() => undefined);
    throw error;
  }
}

/** Saves the text, or gives what is wrong with the file. @throws an error of the system, or of the signal */
async function write(workspace: string, path: string, text: string, signal: AbortSignal) {
  if (isTooLarge(text)) return 'would be larger than 1 MiB';
  signal.throwIfAborted();
  const place = await findLedgerFile(workspace, path);
  if ('problem' in place) return place.problem;
  await promises.mkdir(dirname(place.file), { recursive: true });
  // A link that led nowhere before may lead out of the workspace now. Its path may also only be written otherwise:
  // some systems drop a dot at a name's end, or take letters apart.
  const folder = await promises.realpath(dirname(place.file));
  if (!isWithin(await promises.realpath(resolve(workspace)), folder))
    return 'is outside the workspace';
  await replaceFile(join(folder, basename(place.file)), text, signal);
  return undefined;
}

/**
 * Keeps the ledger in a file of the workspace, of at most 1 MiB. It is only ever replaced as a whole, so that
 * nobody sees half of it, and is readable for its owner only; on Windows, for whom its folder lets.
 *
 * @param workspace the workspace's folder; empty: the current one
 * @param path the file, relative to the workspace; folders that are missing are made
 */
export function fileStore(workspace: string, path: string): LedgerStore {
  const sentence = (problem: string) => `The ledger file "${path}" ${problem}.`;
  return {
    async load(signal) {
      signal.throwIfAborted();
      const found = await readLedgerFile(workspace, path).catch((error: unknown) => ({
        problem: `cannot be read (${codeOf(error)})`,
      }));
      signal.throwIfAborted();
      if (found === undefined) return { absent: nothingSaved };
      return 'text' in found ? found : { absent: sentence(found.problem) };
    },
    async save(text, signal) {
      const problem = await write(workspace, path, text, signal).catch((error: unknown) =>
        signal.aborted ? 'was not written in time' : `cannot be written (${codeOf(error)})`,
      );
      return problem && sentence(problem);
    },
  };
}

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
