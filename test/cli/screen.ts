import { stripVTControlCharacters } from 'node:util';

/** What is on the screen of a terminal: the view only erases lines, colors them, and turns their wrapping off and on. */
export const screen = (written: string): string[] =>
  written
    .split(/\r?\n/)
    .map((line) => stripVTControlCharacters(line.split('\r\u001b[K').at(-1) ?? ''));
