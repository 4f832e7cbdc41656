import { closeSync, constants, fstatSync, openSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { clean } from '../kernel/text/safe.ts';
import { absent, codeOf } from '../machine.ts';
import { findDestination, replaceFile } from '../replace-file.ts';
import { UsageError } from './arguments.ts';
import { dotenv } from './outputs.ts';

/** A file that a flag asks for. */
export interface WrittenFile {
  flag: 'outputs' | 'report';
  path: string;
}

/** The files that a command line asks for, even if something is wrong with it. */
export function writtenFiles(args: readonly string[]): WrittenFile[] {
  const option = { type: 'string', multiple: true } as const;
  const { tokens } = parseArgs({
    args: [...args],
    options: { outputs: option, report: option },
    strict: false,
    tokens: true,
  });
  return tokens.flatMap((token): WrittenFile[] => {
    if (token.kind !== 'option' || token.value === undefined) return [];
    const { name, value, inlineValue } = token;
    const isPath = inlineValue || !/^-./.test(value);
    return isPath && (name === 'outputs' || name === 'report') ? [{ flag: name, path: value }] : [];
  });
}

/** Writes into a pipe or a device. The file is not cut first: it may be an output of another process. */
async function writeStream(path: string, text: string, signal: AbortSignal): Promise<void> {
  const file = openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  if (fstatSync(file).isFIFO()) {
    const pipe = new Socket({ fd: file, readable: false, writable: true });
    await pipeline([text], pipe, { signal });
    return;
  }
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** What to do about a pipe. */
const advice: Readonly<Record<string, string>> = {
  ENXIO: ': no process reads this pipe',
  ABORT_ERR: ': its reader took too long',
};

const problemOf = ({ flag }: WrittenFile, error: unknown): string => {
  if (error instanceof UsageError) return error.message;
  const code = codeOf(error);
  return `--${flag}: the file can't be written (${code})${advice[code] ?? ''}`;
};

/**
 * Finds where a file is to be written. A link in a checkout, which anyone could have committed, is not followed.
 *
 * @throws a system error, or a UsageError about a link
 */
async function placeOf({ flag, path }: WrittenFile, folder: string) {
  const found = await findDestination(resolve(folder, path), folder);
  if (found.kind !== 'link') return found;
  const link = clean(basename(found.path), 100);
  throw new UsageError(
    `--${flag}: ${link} is a link in a checkout, and is not followed: remove it, or name another file`,
  );
}

/** What a file contains until a run has ended. */
const unended: Readonly<Record<WrittenFile['flag'], string>> = {
  outputs: dotenv({ action: undefined, outputs: { outcome: 'failed' } }),
  report: '## Failed\n\nThe run did not end. The log has the reason.\n',
};

/**
 * Replaces what an earlier run left in files, so that it is not read as the result of a run that never ends.
 *
 * @param folder the current folder
 * @throws UsageError if one can't be written, except in a folder that may still be created
 */
export async function renewFiles(files: readonly WrittenFile[], folder: string): Promise<void> {
  for (const file of files) {
    try {
      const found = await placeOf(file, folder);
      if (found.kind === 'file') await replaceFile(found, unended[file.flag]);
    } catch (error) {
      if (!absent.has(codeOf(error))) throw new UsageError(problemOf(file, error));
    }
  }
}

/**
 * Writes a file at the end of a run.
 *
 * @param folder the current folder
 * @param signal how long the reader of a pipe may take
 * @returns why it can't be written
 */
export async function writeFile(
  file: WrittenFile,
  folder: string,
  text: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const found = await placeOf(file, folder);
    if (found.kind === 'stream') await writeStream(found.path, text, signal);
    else await replaceFile(found, text);
    return undefined;
  } catch (error) {
    return problemOf(file, error);
  }
}
