import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ActionName } from '../inputs.ts';
import type { StepEnvironment } from '../platform.ts';
import { type Flags, UsageError } from './arguments.ts';
import { fileFlagOf, inputsOf, variableOf } from './commands.ts';

/** Where the inputs are read from, beside the command line. */
interface Sources {
  environment: StepEnvironment;
  /** The current folder. */
  folder: string;
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
}

/** The text of a file that a flag names; `-` is standard input. */
async function readGiven(
  flag: string,
  file: string,
  { folder, stdin }: Pick<Sources, 'folder' | 'stdin'>,
): Promise<string> {
  try {
    // Not by its number: where another process writes later, a pipe would have nothing yet, and be an error.
    if (file === '-' && stdin.isTTY !== true) return await text(stdin);
    // A terminal by its number, so that a question can be answered there afterwards.
    return readFileSync(file === '-' ? 0 : resolve(folder, file), 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new UsageError(`--${flag}: the file can't be read (${code})`);
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
  command: ActionName,
  { inputs, files }: Pick<Flags, 'inputs' | 'files'>,
  sources: Sources,
): Promise<Record<string, string>> {
  checkStandardInput(files);
  const given: Record<string, string> = {};
  for (const name of Object.keys(inputsOf(command))) {
    const file = files[name];
    const value =
      file === undefined
        ? (inputs[name] ?? sources.environment[variableOf(name)])
        : (await readGiven(fileFlagOf(name), file, sources)).replace(/\r?\n$/, '');
    if (value !== undefined) given[name] = value;
  }
  return given;
}
