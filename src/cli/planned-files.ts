import { promises } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { diff } from 'node:util';
import { diagnose } from '../kernel/diagnostic.ts';
import { defuse, safe } from '../kernel/text/safe.ts';
import { codeOf, isWithin, readFileBelow } from '../machine.ts';
import { findDestination, replaceFile } from '../replace-file.ts';
import { RunAborted } from '../step/step.ts';
import { type Flags, UsageError } from './arguments.ts';
import { personAt, prompt } from './prompt.ts';
import type { SetupSurroundings } from './surroundings.ts';
import { openView } from './view.ts';

/** A file that a command is about to write. */
export interface PlannedFile {
  /** Its path from the folder of the repository, with `/`. */
  path: string;
  /** Its present text; undefined if there is no such file. */
  before: string | undefined;
  after: string;
}

/** How Node marks what only the first text has. */
const removed = 1;

/** The lines that would change in a file, below the path and the number of the first of them. */
export function diffOf({ path, before = '', after }: PlannedFile): string[] {
  const lines = diff(before.split(/\r?\n/), after.split(/\r?\n/));
  let number = 1;
  return lines.flatMap(([sign, text], index) => {
    const isFirst = sign !== 0 && (lines[index - 1]?.[0] ?? 0) === 0;
    const header = isFirst ? [`${path}:${number}`] : [];
    if (sign !== removed) number += 1;
    return sign === 0 ? [] : [...header, `${sign === removed ? '-' : '+'} ${text}`];
  });
}

/** Control characters and invisible ones, but no tab and not the joiner of emoji, as their escapes. */
const visible = (line: string): string =>
  line.replace(
    /[[\p{Cc}\p{Cf}]--[\t\u200d]]/gv,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/**
 * The text of a file that may be replaced; undefined if there is none.
 *
 * @param root the folder of the repository, an absolute path
 * @throws UsageError if it can't be read, or is or contains a link, which anyone could have committed
 */
export async function readExisting(root: string, path: string): Promise<string | undefined> {
  const file = await readFileBelow(root, path);
  if ('problem' in file && !file.isMissing) {
    throw new UsageError(`${visible(path)} ${file.problem}`);
  }
  const { kind } = await findDestination(resolve(root, path), root);
  if (kind !== 'file' || !isWithin(root, resolve(root, path))) {
    throw new UsageError(
      `${visible(path)} is or contains a link, which is not followed, or is outside the repository: nothing was written`,
    );
  }
  return 'text' in file ? file.text : undefined;
}

/** The end of a command that a person doesn't want to go on. */
export const canceled = (): RunAborted =>
  new RunAborted('cancelled', diagnose('SD9002', safe`Canceled. Nothing was written.`));

/**
 * Shows what would change in files, and writes them: on a terminal after a question, elsewhere only with `--yes`.
 *
 * @param root the folder of the repository, an absolute path
 * @returns false with `--dry-run`, which only shows
 * @throws UsageError if a file can't be written or has changed meanwhile, or no one can be asked; RunAborted if no one agreed
 */
export async function writePlanned(
  files: readonly PlannedFile[],
  root: string,
  settings: Flags['settings'],
  around: SetupSurroundings,
): Promise<boolean> {
  using view = openView(around.stdout, around.environment, true);
  const show = (text: string) => view.show({ kind: 'line', text: defuse(visible(text)) });
  const isOnlyShown = settings['dry-run'] === true;
  for (const file of files) {
    const isShort = file.before === undefined && !isOnlyShown;
    for (const line of isShort ? [`${file.path} (new)`] : diffOf(file)) show(line);
  }
  if (isOnlyShown) show('Nothing was written, because of --dry-run.');
  if (isOnlyShown || files.length === 0) return !isOnlyShown;
  if (!settings.yes) {
    const person = personAt(around);
    if (person === undefined) {
      throw new UsageError(
        'nothing was written: without a terminal, --yes writes the files, and --dry-run only shows them',
      );
    }
    const question = files.length === 1 ? 'Write this file?' : `Write these ${files.length} files?`;
    if (!(await prompt(person, question, around.signal))) throw canceled();
  }
  for (const { path, before } of files) {
    if ((await readExisting(root, path)) !== before) {
      throw new UsageError(`${visible(path)} changed while it was shown: run this again`);
    }
  }
  for (const { path, before, after } of files) {
    const file = resolve(root, path);
    try {
      const { mode } = before === undefined ? { mode: 0o666 } : await promises.stat(file);
      await promises.mkdir(dirname(file), { recursive: true });
      const folder = await promises.realpath(dirname(file));
      await replaceFile({ folder, name: basename(file) }, after, { mode });
    } catch (error) {
      throw new UsageError(`${visible(path)} can't be written (${codeOf(error)})`);
    }
    show(`Wrote ${path}.`);
  }
  return true;
}
