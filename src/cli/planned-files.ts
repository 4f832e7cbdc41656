import { promises } from 'node:fs';
import { join, resolve } from 'node:path';
import { diff } from 'node:util';
import { defuse } from '../kernel/text/safe.ts';
import { codeOf, onCancel, readFileBelow } from '../machine.ts';
import { findDestination, replaceFile } from '../replace-file.ts';
import { type Flags, UsageError } from './arguments.ts';
import { personAt, prompt } from './prompt.ts';
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
 */
export const showDiff = (files: readonly PlannedFile[]): string =>
  defuse(files.flatMap(diffOf).map(visible).join('\n'));

function diffOf({ path, before, after }: PlannedFile): string[] {
  if (before === undefined) return [`${path} (new)`, ...linesOf(after).map((line) => `+ ${line}`)];
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
 * @throws UsageError if a file can't be written, or no one agreed
 */
export async function writePlanned(
  files: readonly PlannedFile[],
  root: string,
  settings: Flags['settings'],
  around: Surroundings,
): Promise<'written' | 'shown' | 'declined'> {
  using view = openView(around.stdout, around.environment, true);
  for (const text of showDiff(files).split('\n')) view.show({ kind: 'line', text });
  if (settings['dry-run']) {
    view.show({ kind: 'line', text: 'Nothing was written, because of --dry-run.' });
    return 'shown';
  }
  if (!settings.yes) {
    const person = personAt(around);
    if (person === undefined) {
      throw new UsageError(
        'nothing was written: without a terminal, --yes writes the files, and --dry-run only shows them',
      );
    }
    const cancel = new AbortController();
    using stack = new DisposableStack();
    stack.defer(onCancel(() => cancel.abort()));
    const question = files.length === 1 ? 'Write this file?' : `Write these ${files.length} files?`;
    if (!(await prompt(person, question, cancel.signal))) return 'declined';
  }
  const places = [];
  for (const file of files) places.push({ ...file, place: await placeOf(file, root) });
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
 * Where a file is to be written, and its mode. A link in the repository, which anyone could have committed, is not followed.
 *
 * @throws UsageError if there is a link, or another text than the one that was read
 */
async function placeOf({ path, before }: PlannedFile, root: string) {
  const shown = visible(path);
  const found = await findDestination(resolve(root, path), root).catch((error: unknown) => {
    throw new UsageError(`${shown} can't be written (${codeOf(error)})`);
  });
  if (found.kind !== 'file') {
    throw new UsageError(
      `${shown} is or contains a link, which is not followed: nothing was written`,
    );
  }
  const now = await readFileBelow(root, path);
  const isSame =
    'text' in now ? now.text === before : before === undefined && now.isMissing === true;
  if (!isSame) {
    throw new UsageError(
      `${shown} changed while it was shown, and nothing was written: run it again`,
    );
  }
  const mode =
    before === undefined ? 0o666 : (await promises.stat(join(found.folder, found.name))).mode;
  return { ...found, mode: mode & 0o777 };
}
