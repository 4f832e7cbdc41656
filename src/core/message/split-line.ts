import { type SafeText, trusted } from '../text/safe.ts';

/** A character that words of printable ASCII do not hold; no half of a pair. */
const gap = /[^\x21-\x7e]/u;

const isHalf = (character: string | undefined): boolean => /[\ud800-\udbff]/.test(character ?? '');

/** Where a line is parted: after the last gap within so many UTF-16 units, or else in the middle of a word. */
function placeIn(line: string, longest: number): number {
  let at = longest;
  while (at > 0 && !gap.test(line[at - 1] ?? '')) at -= 1;
  const place = at === 0 ? longest : at;
  return isHalf(line[place - 1]) ? place - 1 : place;
}

/** Parts a line into lines of at most so many UTF-16 units, of which there must be at least two. */
export function splitLine(line: SafeText, longest: number): SafeText[] {
  const parts: SafeText[] = [];
  let rest: string = line;
  while (rest.length > longest) {
    const place = placeIn(rest, longest);
    parts.push(trusted(rest.slice(0, place).trimEnd()));
    rest = rest.slice(place);
  }
  return [...parts, trusted(rest)];
}
