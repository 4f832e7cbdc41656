import { cutMark, type OwnMarks } from './cut.ts';
import {
  hasHead,
  inOneAlphabet,
  type Needles,
  needlesOf,
  roll,
  type Spelled,
  shortestNeedle,
  unitInOneAlphabet,
} from './needles.ts';

/** A span of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** How many needles do not sort after a text. */
function countUpTo({ sorted }: Spelled, text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') <= text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The length of the longest needle that a text begins with, or 0. */
function matchLength(needles: Spelled, text: string): number {
  const { sorted, prefixes } = needles;
  // The last needle that does not sort after the text begins with every needle that the text begins with.
  let place = countUpTo(needles, text) - 1;
  for (; place >= 0; place = prefixes[place] ?? -1) {
    const needle = sorted[place] ?? '';
    if (text.startsWith(needle)) return needle.length;
  }
  return 0;
}

/** True if a text is the beginning of a needle, and as long as the shortest. */
function beginsNeedle(needles: Spelled, text: string): boolean {
  const next = needles.sorted[countUpTo(needles, text)];
  return text.length >= shortestNeedle && next?.startsWith(text) === true;
}

/** What a cut may have left of an escape or of a character begins with one of these, and is no longer than that. */
const torn = /[%&'\\\p{Cc}\p{Cs}\ufffd]/u;
const longestTorn = 12;

/** Where a text was cut. */
interface Cut {
  /** The place of the mark. */
  at: number;
  /** Where the text may end that stands before it: there, or before what may be left of an escape. */
  ends: readonly number[];
}

/** The next mark of ours in a text, from a place on; -1 if there is none. */
function nextMark(text: string, from: number, own: OwnMarks): number {
  if (own === 'all') return text.indexOf(cutMark, from);
  return own === 'last' && text.endsWith(cutMark) ? text.length - cutMark.length : -1;
}

/** The next cut in a text; the text's end if there is none. */
function nextCut(text: string, from: number, own: OwnMarks): Cut {
  const at = nextMark(text, from, own);
  if (at < 0) return { at: text.length, ends: [] };
  const ends = [at];
  for (let place = at - 1; place >= 0 && place > at - longestTorn; place -= 1)
    if (torn.test(text[place] ?? '')) ends.push(place);
  return { at, ends };
}

/** True if the beginning of a needle stands between a place of a text and a cut. */
function isCutNeedle(needles: Spelled, text: string, start: number, { at, ends }: Cut): boolean {
  if (at - start >= needles.longest + longestTorn) return false;
  return ends.some((end) => beginsNeedle(needles, text.slice(start, end)));
}

/**
 * Finds the longest needle at each place of a text, in the order in which they start. Where the text was cut by us,
 * the beginning of a needle counts too.
 */
export function* findNeedles(needles: Needles, given: string, own: OwnMarks): Generator<Span> {
  const { heads } = needles;
  let text: string | undefined;
  let cut = nextCut(given, 0, own);
  let hash = 0;
  for (let at = 0; at < given.length; at += 1) {
    hash = roll(hash, unitInOneAlphabet(given.charCodeAt(at)));
    const start = at + 1 - shortestNeedle;
    if (!hasHead(heads, hash) || start < 0) continue;
    text ??= inOneAlphabet(given);
    const spelled = needlesOf(needles, hash);
    const length = matchLength(spelled, text.slice(start, start + spelled.longest));
    if (length > 0) yield { start, end: start + length };
    if (cut.at < start) cut = nextCut(given, start, own);
    if (isCutNeedle(spelled, text, start, cut)) yield { start, end: cut.at };
  }
}
