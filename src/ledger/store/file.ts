// Not `node:fs/promises`, which would delay the start even if the ledger is in the cache, as most are.
import { promises } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { absent, codeOf, type FolderFile, isWithin, readFileBelow } from '../../machine.ts';
import { replaceFile } from '../../replace-file.ts';
import { isTooLarge, type LedgerStore, nothingSaved } from './store.ts';

/**
 * Stores the ledger in a file in the workspace, of at most 1 MiB. It is replaced atomically, and readable only for its
 * owner (on Windows: as its folder allows).
 *
 * @param workspace the workspace's folder; empty: the current one
 * @param path the file, relative to the workspace; missing folders are created
 */
export function fileStore(workspace: string, path: string): LedgerStore {
  const sentence = (problem: string) => `The ledger file "${path}" ${problem}.`;
  return {
    async load(signal) {
      signal.throwIfAborted();
      const file = await readLedgerFile(workspace, path).catch((error: unknown) => ({
        problem: `can't be read (${codeOf(error)})`,
      }));
      signal.throwIfAborted();
      if (file === undefined) return { absent: nothingSaved };
      return 'text' in file ? file : { absent: sentence(file.problem) };
    },
    async save(text, signal) {
      const problem = await writeLedgerFile(workspace, path, text, signal).catch(
        (error: unknown) =>
          signal.aborted ? 'was not written in time' : `can't be written (${codeOf(error)})`,
      );
      return problem && sentence(problem);
    },
  };
}

/** Saves the text, or returns why the path is invalid. @throws a system error, or the signal's reason */
async function writeLedgerFile(workspace: string, path: string, text: string, signal: AbortSignal) {
  if (isTooLarge(text)) return 'would be larger than 1 MiB';
  signal.throwIfAborted();
  const ledgerFile = await findLedgerFile(workspace, path);
  if ('problem' in ledgerFile) return ledgerFile.problem;
  await promises.mkdir(dirname(ledgerFile.file), { recursive: true });
  // A link that was broken before may now lead outside the workspace. The path may also only be spelled differently:
  // some systems drop a trailing dot or decompose letters.
  const folder = await promises.realpath(dirname(ledgerFile.file));
  if (!isWithin(await promises.realpath(resolve(workspace)), folder))
    return 'is outside the workspace';
  await replaceFile({ folder, name: basename(ledgerFile.file) }, text, { mode: 0o600, signal });
  return undefined;
}

/**
 * Reads a file like `readFileBelow`.
 *
 * @returns undefined if it does not exist
 * @throws a system error
 */
async function readLedgerFile(workspace: string, path: string): Promise<FolderFile | undefined> {
  const ledgerFile = await findLedgerFile(workspace, path);
  if ('problem' in ledgerFile) return ledgerFile;
  return ledgerFile.exists ? await readFileBelow(workspace, path) : undefined;
}

/**
 * Resolves the path of a file that may not exist yet. It must be in the workspace, links followed.
 *
 * @param workspace the workspace's folder; empty: the current one
 * @returns the real path, or why it is invalid
 * @throws a system error
 */
async function findLedgerFile(
  workspace: string,
  path: string,
): Promise<{ file: string; exists: boolean } | { problem: string }> {
  const root = await promises.realpath(resolve(workspace));
  const { real, rest } = await resolveLinks(resolve(root, path));
  if (!isWithin(root, real)) return { problem: 'is outside the workspace' };
  const details = await promises.stat(real);
  if (rest !== '') {
    if (!details.isDirectory()) return { problem: 'is below something that is not a folder' };
    return { file: join(real, rest), exists: false };
  }
  return details.isFile() ? { file: real, exists: true } : { problem: 'is not a file' };
}

/** The real path of the nearest existing ancestor, and the rest of the path. */
async function resolveLinks(path: string): Promise<{ real: string; rest: string }> {
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      return { real: await promises.realpath(existing), rest: relative(existing, path) };
    } catch (error) {
      // Below a file, the error is ENOTDIR on Linux and macOS, and ENOENT on Windows.
      const isMissing = absent.has(codeOf(error));
      if (!isMissing || existing === dirname(existing)) throw error;
    }
  }
}
