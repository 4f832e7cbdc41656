import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import process from 'node:process';
import { UsageError } from './usage-error.ts';

/** Where the person is: npm itself goes to the package's folder. */
export const here: string = process.env['INIT_CWD'] ?? process.cwd();

/** A file that an option names. */
export interface GivenFile {
  source: string;
  /** Its path as it was written. */
  file: string;
}

/**
 * Reads a file that an option names.
 * @throws UsageError if it cannot be read
 */
export async function readGiven(option: string, path: string): Promise<GivenFile> {
  try {
    return { source: await readFile(resolve(here, path), 'utf8'), file: path };
  } catch {
    throw new UsageError(`--${option}: can't read the file ${path}`);
  }
}
