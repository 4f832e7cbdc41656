import { cutMark, type OwnMarks } from './safe.ts';

/** No needle is shorter. */
export const shortestNeedle = 4;

const headHashes = 2 ** 20;

/** A hash of the last four UTF-16 units that were fed to it: five bits a step push the fifth one out. */
const roll = (hash: number, unit: number): number => ((hash << 5) ^ unit) & (headHashes - 1);

/** Base64 has two alphabets: needles and texts are compared as if `-` were `+`, and `_` were `/`. */
export const inOneAlphabet = (text: string): string =>
  text.replaceAll('-', '+').replaceAll('_', '/');

/** The same for one unit. */
const unitInOneAlphabet = (unit: number): number =>
  unit === 0x2d ? 0x2b : unit === 0x5f ? 0x2f : unit;

/** Texts to search for. A binary search finds the right one, however many share a beginning. */
interface Spelled {
  /** In the order of their UTF-16 units. */
  sorted: readonly string[];
  /** For each text, the index of the longest other one that it begins with, or -1. */
  prefixes: Int32Array;
  /** The length of the longest. */
  longest: number;
}

/**
 * The texts to search for. Only a hash of each beginning is kept, and its source; the texts of one hash are generated
 * when it first occurs, which is rare.
 */
export interface Needles {
  /** A bit for each hash, set at that of the first four units of each needle. See {@link hasHead}. */
  heads: Uint32Array;
  /** The texts generated so far, by that hash. */
  spelled: Map<number, Spelled>;
  /** Generates the needles of a hash. */
  spell: (head: number) => string[];
}

/** The secrets to find in a text. */
export interface Sought {
  /** To be found as they are; each has {@link shortestNeedle} units or more. */
  texts: readonly string[];
  /** To be found in each of their encodings. */
  encoded: readonly string[];
}

/** The hash of the first four units of a text. */
function headOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < shortestNeedle; at += 1)
    hash = roll(hash, unitInOneAlphabet(text.charCodeAt(at)));
  return hash;
}

/** An entry's key is the hash times this, plus the index of its text. */
const keyFactor = 2 ** 32;

/** True if a needle begins with this hash. Bits, unlike bytes, fit into the processor's cache. */
const hasHead = (heads: Uint32Array, hash: number): boolean =>
  (((heads[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 1;

/** Makes the index of some needles. */
export function createNeedles({ texts, encoded }: Sought): Needles {
  const heads = new Uint32Array(headHashes / 32);
  const keys: number[] = [];
  const add = (head: number, index: number) => {
    heads[head >>> 5] = (heads[head >>> 5] ?? 0) | (1 << (head & 31));
    keys.push(head * keyFactor + index);
  };
  for (const [index, text] of texts.entries()) add(headOf(text), index);
  for (const [index, text] of encoded.entries()) {
    for (const head of new Set(encodedPrefixes(text).map(headOf))) add(head, texts.length + index);
  }
  const sorted = Float64Array.from(keys).sort();
  const spell = (head: number): string[] => {
    const found: string[] = [];
    const first = countBefore(sorted, (key) => key < head * keyFactor);
    for (let at = first; at < sorted.length; at += 1) {
      const index = (sorted[at] ?? 0) - head * keyFactor;
      if (index >= keyFactor) break;
      const text = texts[index];
      if (text !== undefined) found.push(text);
      else
        found.push(
          ...encodings(encoded[index - texts.length] ?? '').filter((one) => headOf(one) === head),
        );
    }
    return found;
  };
  return { heads, spelled: new Map(), spell };
}

/** How many of some sorted items come before a place; `isBefore` is true of those, and of no other. */
export function countBefore<Item>(
  sorted: ArrayLike<Item>,
  isBefore: (item: Item) => boolean,
): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(sorted[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The needles whose first four units have a hash. */
function needlesOf({ spelled, spell }: Needles, head: number): Spelled {
  const known = spelled.get(head);
  if (known !== undefined) return known;
  const sorted = Array.from(new Set(spell(head)), inOneAlphabet).sort();
  const prefixes = new Int32Array(sorted.length);
  let longest = 0;
  for (const [index, needle] of sorted.entries()) {
    let prefix = index - 1;
    while (prefix >= 0 && !needle.startsWith(sorted[prefix] ?? '')) prefix = prefixes[prefix] ?? -1;
    prefixes[index] = prefix;
    longest = Math.max(longest, needle.length);
  }
  const made = { sorted, prefixes, longest };
  spelled.set(head, made);
  return made;
}

/** A shorter piece of base64 could be any word's. */
const shortestPiece = 8;

/** How many bytes of a text decide the beginning of each of its encodings. */
const tellingBytes = 8;

/**
 * Base64 of some bytes alone, and the part that stays the same inside the base64 of more bytes, where the first byte can
 * have three positions in a group. Characters at the edges that share bits with other bytes are excluded.
 */
function base64Forms(bytes: Buffer): string[] {
  const bits = 8 * bytes.length;
  const alone = bytes.toString('base64url').replaceAll('-', '+').replaceAll('_', '/');
  const pieces = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return encoded.slice(Math.ceil((8 * shift) / 6), Math.floor((8 * shift + bits) / 6));
  });
  return [alone, ...pieces.filter((piece) => piece.length >= shortestPiece)];
}

function encodingsOf(bytes: Buffer): string[] {
  const hexadecimal = bytes.toString('hex');
  return [...base64Forms(bytes), hexadecimal, hexadecimal.toUpperCase()];
}

/**
 * The encodings in which none of a text's characters is visible: base64 (standard alphabet, without padding) and
 * hexadecimal, both of its UTF-8.
 */
export function encodings(text: string): string[] {
  return encodingsOf(Buffer.from(text));
}

/** The beginning of each of a text's {@link encodings}, at least four characters. */
function encodedPrefixes(text: string): string[] {
  // One unit more: the last may be half of a character.
  return encodingsOf(Buffer.from(text.slice(0, tellingBytes + 1)).subarray(0, tellingBytes));
}

/** A span of a text, in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** How many needles sort before a text or equal it. */
const countUpTo = ({ sorted }: Spelled, text: string): number =>
  countBefore(sorted, (needle) => needle <= text);

/** The length of the longest needle that a text begins with, or 0. */
function matchLength(needles: Spelled, text: string): number {
  const { sorted, prefixes } = needles;
  // The last needle that does not sort after the text begins with every needle that the text begins with.
  let index = countUpTo(needles, text) - 1;
  for (; index >= 0; index = prefixes[index] ?? -1) {
    const needle = sorted[index] ?? '';
    if (text.startsWith(needle)) return needle.length;
  }
  return 0;
}

/** True if a text is the beginning of a needle, and as long as the shortest. */
function beginsNeedle(needles: Spelled, text: string): boolean {
  const next = needles.sorted[countUpTo(needles, text)];
  return text.length >= shortestNeedle && next?.startsWith(text) === true;
}

/** The first character of what a cut may have left of an escape or of a character, and its greatest length. */
const torn = /[%&'\\\p{Cc}\p{Cs}\ufffd]/u;
const longestTorn = 12;

/** Where a text was cut. */
interface Cut {
  /** The position of the mark. */
  at: number;
  /** The possible ends of the text before it: there, or before the rest of a cut escape. */
  ends: readonly number[];
}

/** The next mark of ours in a text, from a position on; -1 if there is none. */
function nextMark(text: string, from: number, own: OwnMarks): number {
  if (own === 'all') return text.indexOf(cutMark, from);
  return own === 'last' && text.endsWith(cutMark) ? text.length - cutMark.length : -1;
}

/** The next cut in a text; the text's end if there is none. */
function nextCut(text: string, from: number, own: OwnMarks): Cut {
  const at = nextMark(text, from, own);
  if (at < 0) return { at: text.length, ends: [] };
  const ends = [at];
  for (let index = at - 1; index >= 0 && index > at - longestTorn; index -= 1)
    if (torn.test(text[index] ?? '')) ends.push(index);
  return { at, ends };
}

/** True if the text between a position and a cut is the beginning of a needle. */
function isCutNeedle(needles: Spelled, text: string, start: number, { at, ends }: Cut): boolean {
  if (at - start >= needles.longest + longestTorn) return false;
  return ends.some((end) => beginsNeedle(needles, text.slice(start, end)));
}

/**
 * Finds the longest needle at each position of a text, in order. Where we cut the text, the beginning of a needle counts,
 * too.
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
