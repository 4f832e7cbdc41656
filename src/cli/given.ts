import { closeSync, createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { resolve } from 'node:path';
import { addAbortSignal, type Readable } from 'node:stream';
import { ReadStream } from 'node:tty';
import { reword } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { codeOf, openToRead } from '../machine.ts';
import type { StepEnvironment } from '../platform.ts';
import { RunAborted } from '../step/step.ts';
import { type Flags, UsageError } from './arguments.ts';
import { type CommandName, fileFlagOf, inputsOf, variableOf } from './commands.ts';
import { isOnlyOnGitHub } from './refused.ts';

/** The most bytes of a secret input. */
const largest = 1024 * 1024;

/** Where the inputs are read from, beside the command line. */
interface Sources {
  environment: StepEnvironment;
  /** The current folder. */
  folder: string;
  stdin: Readable & { isTTY?: boolean };
  /** Aborts when the run is canceled or times out. */
  signal: AbortSignal;
}

/** Opens a file, or a pipe such as the shell's `<(…)`. A device may have no end. */
function openGiven(path: string): Readable {
  const file = openSync(path, openToRead);
  const details = fstatSync(file);
  if (details.isFile()) return createReadStream(path, { fd: file });
  if (details.isFIFO()) return new Socket({ fd: file, readable: true, writable: false });
  closeSync(file);
  throw new UsageError('is not a file or a pipe: name one');
}

/** The text of a stream. @throws UsageError if it is too long */
async function readText(stream: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of addAbortSignal(signal, stream)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > largest) throw new UsageError('is larger than 1 MiB: name the file of the secret');
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of a file that a flag names; `-` is standard input. */
async function readGiven(
  flag: string,
  file: string,
  { folder, stdin, signal }: Sources,
): Promise<string> {
  try {
    if (file !== '-') return await readText(openGiven(resolve(folder, file)), signal);
    // Of a terminal a stream of its own, so that a question can be answered there afterwards.
    return await readText(stdin.isTTY === true ? new ReadStream(0) : stdin, signal);
  } catch (error) {
    if (signal.reason instanceof RunAborted) {
      const { outcome, diagnostic } = signal.reason;
      const why = safe`--${unsafeText(flag)}: the file has no end: close what writes to it.`;
      throw new RunAborted(
        outcome,
        reword(diagnostic, (text) => safe`${why} ${text}`),
      );
    }
    const problem =
      error instanceof UsageError ? error.message : `can't be read (${codeOf(error)})`;
    throw new UsageError(`--${flag}: the file ${problem}`);
  }
}

function checkStandardInput(files: Flags['files']): void {
  const readers = Object.keys(files).filter((name) => files[name] === '-');
  if (readers.length < 2) return;
  const flags = readers.map((name) => `--${fileFlagOf(name)}`).join(' and ');
  throw new UsageError(`${flags} can't both be read from standard input`);
}

/**
 * The texts of a command's inputs: of its flags, or else of files that flags name, or else of environment variables.
 *
 * @throws UsageError if a file can't be read
 */
export async function givenInputs(
  command: CommandName,
  { inputs, files }: Pick<Flags, 'inputs' | 'files'>,
  sources: Sources,
): Promise<Record<string, string>> {
  checkStandardInput(files);
  const given: Record<string, string> = {};
  for (const [name, { secret }] of Object.entries(inputsOf(command))) {
    const file = files[name];
    // A token for another command, which this one has no use for.
    const isForeign = secret === true && isOnlyOnGitHub(command, name);
    const variable = isForeign ? undefined : sources.environment[variableOf(name)];
    const value =
      file === undefined
        ? (inputs[name] ?? variable)
        : (await readGiven(fileFlagOf(name), file, sources)).replace(/\r?\n$/, '');
    if (value !== undefined) given[name] = value;
  }
  return given;
}
