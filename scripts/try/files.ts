import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { renderPage, type Shown } from '../page/page.ts';
import { UsageError } from '../player/usage-error.ts';

/** Where the person is: npm itself goes to the package's folder. */
export const here: string = process.env['INIT_CWD'] ?? process.cwd();

/**
 * Reads a file that an option names.
 * @throws UsageError if it cannot be read
 */
export async function readGiven(
  option: string,
  path: string,
): Promise<{ source: string; file: string }> {
  try {
    return { source: await readFile(resolve(here, path), 'utf8'), file: path };
  } catch {
    throw new UsageError(`--${option}: there is no file ${path} that can be read`);
  }
}

/** Files that a run left, each with what it is called. */
type Written = readonly (readonly [string, string])[];

/**
 * Writes what a run left behind: comment and summary as Markdown, the log, and all of it as a page. Files that an
 * earlier run left, and this one did not, are removed.
 */
export async function writeFiles(folder: string, shown: Shown): Promise<Written> {
  await mkdir(folder, { recursive: true });
  const write = async (name: string, content: string): Promise<string> => {
    const file = join(folder, name);
    if (content === '') await rm(file, { force: true });
    else await writeFile(file, content);
    return content === '' ? '(none)' : file;
  };
  return [
    ['comment', await write('comment.md', shown.comments.join('\n\n---\n\n'))],
    ['summary', await write('summary.md', shown.summary)],
    ['log', await write('log.txt', shown.log.map((line) => `${line}\n`).join(''))],
    ['page', pathToFileURL(await write('index.html', renderPage(shown))).href],
  ];
}
