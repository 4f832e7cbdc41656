import { promises } from 'node:fs';
import { join, resolve } from 'node:path';
import { diff } from 'node:util';
import { defuse } from '../kernel/text/safe.ts';
import { codeOf, readFileBelow } from '../machine.ts';
import { findDestination, replaceFile } from '../replace-file.ts';
import { type Flags, UsageError } from './arguments.ts';
import { agrees, type Questions } from './prompt.ts';
import type { Surroundings } from './surroundings.ts';
import { openView } from './view.ts';

/** A file that a command is about to write. */
export interface PlannedFile {
  /** Its path from the folder of the repository, with `/`. */
  path: string;
  /** Its present text; undefined if there is no such file. */
  before: string | undefined;
  after: string;
}

/** How many unchanged lines are shown around a change. */
const context = 3;

/**
 * What would change in files, with the lines around it. Each part begins with its path and line. What a terminal or the
 * agent of a CI would take for a command is shown, but has no effect.
 *
 * @param isWhole true if new files are shown with all of their lines
 */
export const showDiff = (files: readonly PlannedFile[], isWhole: boolean): string =>
  defuse(
    files
      .flatMap((file) => diffOf(file, isWhole))
      .map(visible)
      .join('\n'),
  );

function diffOf({ path, before, after }: PlannedFile, isWhole: boolean): string[] {
  if (before === undefined) {
    const added = linesOf(after);
    const count = `${added.length} line${added.length === 1 ? '' : 's'}`;
    return [`${path} (new, ${count})`, ...(isWhole ? added.map((line) => `+ ${line}`) : [])];
  }
  const lines = diff(linesOf(before), linesOf(after));
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - context), index + context + 1).some(([sign]) => sign !== 0),
  );
  let number = 0;
  return lines.flatMap(([sign, line], index) => {
    if (sign !== removed) number += 1;
    if (!isNear[index]) return [];
    const header = isNear[index - 1] ? [] : [`${path}:${Math.max(1, number)}`];
    const mark = sign === removed ? '-' : sign === 0 ? ' ' : '+';
    return [...header, `${mark} ${line}`];
  });
}

/** How Node marks what only the first text has. */
const removed = 1;

const linesOf = (text: string): string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);

/** Control characters and invisible ones, but no tab and not the joiner of emoji, as their escapes. */
const visible = (line: string): string =>
  line.replace(
    /[[\p{Cc}\p{Cf}]--[\t\u200d]]/gv,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );

/**
 * Shows what would change in files, and writes them: on a terminal after a question, elsewhere only with `--yes`. With
 * `--dry-run` it only shows. Nothing is written if a file leads out of the folder by a link, or changed since it was read.
 *
 * @param root the folder of the repository, an absolute path
 * @param questions undefined if nobody can be asked
 * @throws UsageError if a file can't be written, or no one agreed
 */
export async function writePlanned(
  files: readonly PlannedFile[],
  root: string,
  settings: Flags['settings'],
  around: Surroundings,
  questions: Questions | undefined,
): Promise<'written' | 'shown' | 'declined'> {
  using view = openView(around.stdout, around.environment, true);
  const isOnlyShown = settings['dry-run'] === true;
  const shown = showDiff(files, isOnlyShown).split('\n');
  if (isOnlyShown) shown.push('Nothing was written, because of --dry-run.');
  for (const text of shown) view.show({ kind: 'line', text });
  if (isOnlyShown) return 'shown';
  if (!settings.yes) {
    if (questions === undefined) {
      throw new UsageError(
        'nothing was written: without a terminal, --yes writes the files, and --dry-run only shows them',
      );
    }
    const question = files.length === 1 ? 'Write this file?' : `Write these ${files.length} files?`;
    if (!(await agrees(questions, question))) return 'declined';
  }
  const places = [];
  for (const { path, before, after } of files) {
    const { text, ...place } = await readPlace(root, path);
    if (text !== before) {
      throw new UsageError(
        `${visible(path)} changed while it was shown, and nothing was written: run it again`,
      );
    }
    places.push({ path, after, place });
  }
  for (const { path, after, place } of places) {
    try {
      await promises.mkdir(place.folder, { recursive: true });
      await replaceFile(place, after, { mode: place.mode });
    } catch (error) {
      throw new UsageError(`${visible(path)} can't be written (${codeOf(error)})`);
    }
  }
  view.show({ kind: 'line', text: `Wrote ${files.map(({ path }) => visible(path)).join(', ')}.` });
  return 'written';
}

/**
 * Where a file of a repository is, its mode, and its text, undefined if there is none yet.
 *
 * @throws UsageError if it can't be read, or is or contains a link, which anyone could have committed
 */
export async function readPlace(root: string, path: string) {
  const shown = visible(path);
  const place = await findDestination(resolve(root, path), root).catch((error: unknown) => {
    throw new UsageError(`${shown} can't be read (${codeOf(error)})`);
  });
  if (place.kind !== 'file') {
    throw new UsageError(
      `${shown} is or contains a link, which is not followed: nothing was written`,
    );
  }
  const file = await readFileBelow(root, path);
  if ('problem' in file && !file.isMissing) throw new UsageError(`${shown} ${file.problem}`);
  const text = 'text' in file ? file.text : undefined;
  const mode =
    text === undefined ? 0o666 : (await promises.stat(join(place.folder, place.name))).mode;
  return { ...place, mode: mode & 0o777, text };
}
