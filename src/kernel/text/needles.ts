import { encodedBeginnings, encodings } from './encodings.ts';

/** No needle is shorter. */
export const shortestNeedle = 4;

const headHashes = 2 ** 20;

/** A hash of the last four UTF-16 units that were fed to it: five bits a step push the fifth one out. */
export const roll = (hash: number, unit: number): number => ((hash << 5) ^ unit) & (headHashes - 1);

/** Base64 has two alphabets: needles and texts are compared as if `-` were `+`, and `_` were `/`. */
export const inOneAlphabet = (text: string): string =>
  text.replaceAll('-', '+').replaceAll('_', '/');

/** The same for one unit. */
export const unitInOneAlphabet = (unit: number): number =>
  unit === 0x2d ? 0x2b : unit === 0x5f ? 0x2f : unit;

/** Some texts to look for. A binary search finds the right one, however many begin alike. */
export interface Spelled {
  /** In the order of their UTF-16 units. */
  sorted: readonly string[];
  /** For each text, the place of the longest other one that it begins with, or -1. */
  prefixes: Int32Array;
  /** The length of the longest. */
  longest: number;
}

/**
 * The texts to look for. Of all, only a hash of their beginning is kept and where each comes from; those that begin
 * alike are spelled out when a text holds their beginning for the first time, which hardly one ever does.
 */
export interface Needles {
  /** A bit for each hash, set at that of the first four units of each needle. See {@link hasHead}. */
  heads: Uint32Array;
  /** The texts that have begun to appear, by that hash. */
  spelled: Map<number, Spelled>;
  /** Spells out the needles of a hash. */
  spell: (head: number) => string[];
}

/** What {@link createNeedles} looks for. */
export interface Sought {
  /** To be found as they are; each has {@link shortestNeedle} units or more. */
  texts: readonly string[];
  /** To be found in each of their encodings. */
  encoded: readonly string[];
}

/** The hash of the first four units of a needle, or of what has its beginning. */
function headOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < shortestNeedle; at += 1)
    hash = roll(hash, unitInOneAlphabet(text.charCodeAt(at)));
  return hash;
}

/** Above this, the key of an entry holds the hash; below, the place of what has it. */
const places = 2 ** 32;

/** True if a needle begins with this hash. The bits of all hashes fit into a processor's cache, as bytes would not. */
export const hasHead = (heads: Uint32Array, hash: number): boolean =>
  (((heads[hash >>> 5] ?? 0) >>> (hash & 31)) & 1) === 1;

/** Makes the index of some needles. */
export function createNeedles({ texts, encoded }: Sought): Needles {
  const heads = new Uint32Array(headHashes / 32);
  const keys: number[] = [];
  const add = (head: number, place: number) => {
    heads[head >>> 5] = (heads[head >>> 5] ?? 0) | (1 << (head & 31));
    keys.push(head * places + place);
  };
  for (const [place, text] of texts.entries()) add(headOf(text), place);
  for (const [place, text] of encoded.entries()) {
    for (const head of new Set(encodedBeginnings(text).map(headOf)))
      add(head, texts.length + place);
  }
  const sorted = Float64Array.from(keys).sort();
  const spell = (head: number): string[] => {
    const found: string[] = [];
    for (let at = firstFrom(sorted, head * places); at < sorted.length; at += 1) {
      const place = (sorted[at] ?? 0) - head * places;
      if (place >= places) break;
      const text = texts[place];
      if (text !== undefined) found.push(text);
      else
        found.push(
          ...encodings(encoded[place - texts.length] ?? '').filter((one) => headOf(one) === head),
        );
    }
    return found;
  };
  return { heads, spelled: new Map(), spell };
}

/** The place of the first of some sorted numbers that is not less than one. */
function firstFrom(numbers: Float64Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The needles whose first four units have a hash. */
export function needlesOf({ spelled, spell }: Needles, head: number): Spelled {
  const known = spelled.get(head);
  if (known !== undefined) return known;
  const sorted = Array.from(new Set(spell(head)), inOneAlphabet).sort();
  const prefixes = new Int32Array(sorted.length);
  let longest = 0;
  for (const [place, needle] of sorted.entries()) {
    let prefix = place - 1;
    while (prefix >= 0 && !needle.startsWith(sorted[prefix] ?? '')) prefix = prefixes[prefix] ?? -1;
    prefixes[place] = prefix;
    longest = Math.max(longest, needle.length);
  }
  const made = { sorted, prefixes, longest };
  spelled.set(head, made);
  return made;
}
