import { randomUUID } from 'node:crypto';
import { mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findLedgerFile, readLedgerFile } from './ledger-file.ts';
import { codeOf, isTooLarge, type LedgerStore, nothingSaved } from './store.ts';

/** Writes a draft beside the file, and puts it in the file's place once it is whole and on the disk. */
async function replaceFile(file: string, text: string, signal: AbortSignal): Promise<void> {
  const draft = join(dirname(file), `.ledger-${randomUUID()}.tmp`);
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true, signal });
    signal.throwIfAborted();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Saves the text, or gives what is wrong with the file. @throws an error of the system, or of the signal */
async function write(workspace: string, path: string, text: string, signal: AbortSignal) {
  if (isTooLarge(text)) return 'would be larger than 1 MiB';
  signal.throwIfAborted();
  const place = await findLedgerFile(workspace, path);
  if ('problem' in place) return place.problem;
  const folder = dirname(place.file);
  await mkdir(folder, { recursive: true });
  // A link that led nowhere before may lead out of the workspace now.
  if ((await realpath(folder)) !== folder) return 'is outside the workspace';
  await replaceFile(place.file, text, signal);
  return undefined;
}

/**
 * Keeps the ledger in a file of the workspace, of at most 1 MiB. It is only ever replaced as a whole, so that
 * nobody sees half of it, and is readable for its owner only.
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
