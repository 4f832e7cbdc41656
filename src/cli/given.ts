import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ActionName } from '../inputs.ts';
import type { StepEnvironment } from '../platform.ts';
import { type Flags, UsageError } from './arguments.ts';
import { fileFlagOf, inputsOf, variableOf } from './commands.ts';

/** The text of a file that a flag names; `-` is standard input. */
function readGiven(flag: string, file: string, folder: string): string {
  try {
    // By its number, so that a terminal and a pipe are read to their ends.
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
export function givenInputs(
  command: ActionName,
  { inputs, files }: Pick<Flags, 'inputs' | 'files'>,
  environment: StepEnvironment,
  folder: string,
): Record<string, string> {
  checkStandardInput(files);
  const given: Record<string, string> = {};
  for (const name of Object.keys(inputsOf(command))) {
    const file = files[name];
    const text =
      file === undefined
        ? (inputs[name] ?? environment[variableOf(name)])
        : readGiven(fileFlagOf(name), file, folder).replace(/\r?\n$/, '');
    if (text !== undefined) given[name] = text;
  }
  return given;
}
