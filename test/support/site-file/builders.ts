import { expect } from 'vitest';
import { readSiteFile } from '../../../src/declared/model/read.ts';
import { showMistake } from '../../../src/site-file/position.ts';

/** Reads a file that must be right. */
export function read(text: string) {
  const reading = readSiteFile(text);
  if (!reading.ok) expect.fail(reading.mistakes.map(showMistake).join('\n'));
  return reading;
}

/** The mistakes of a file, as people read them. */
export function mistakesIn(text: string): string[] {
  const reading = readSiteFile(text);
  return reading.ok ? [] : reading.mistakes.map(showMistake);
}
