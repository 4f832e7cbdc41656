import { encodings } from './encodings.ts';

/** Replaces every secret in a text, however it is encoded there. */
export type Redact = (text: string) => string;

const placeholder = '***';

/** A shorter text cannot be hidden: the gaps that its masks tear would show what it is. */
const shortest = 4;
const everyday = /^(true|false|null|none)$/i;

const isWorthHiding = (text: string): boolean => text.length >= shortest && !everyday.test(text);

/**
 * The parts of secrets that are to be hidden: each as a whole, and each of its lines. Left out are parts of
 * fewer than four characters and everyday words such as `true`: masked, they would blot out the log around
 * them and be easy to guess.
 */
export function secretParts(secrets: Iterable<string>): string[] {
  const parts = new Set<string>();
  for (const secret of secrets) {
    const lines = secret.split(/\r\n|\r|\n/).map((line) => line.trim());
    for (const part of [secret, secret.trim(), ...lines])
      if (isWorthHiding(part.trim())) parts.add(part);
  }
  return [...parts];
}

const headHashes = 2 ** 20;

/** A hash of the last four UTF-16 units that were fed to it: five bits a step push the fifth one out. */
const roll = (hash: number, unit: number): number => ((hash << 5) ^ unit) & (headHashes - 1);

function headHash(needle: string): number {
  let hash = 0;
  for (let at = 0; at < shortest; at += 1) hash = roll(hash, needle.charCodeAt(at));
  return hash;
}

/** The texts to look for. A binary search finds the right one, however many begin alike. */
interface Index {
  /** In the order of their UTF-16 units. */
  needles: readonly string[];
  /** For each needle, the place of the longest other one that it begins with, or -1. */
  prefixes: Int32Array;
  /** 1 at the hash of the first four units of each needle. */
  heads: Uint8Array;
  /** The length of the longest needle. */
  longest: number;
}

function createIndex(needles: string[]): Index {
  needles.sort();
  const prefixes = new Int32Array(needles.length);
  const heads = new Uint8Array(headHashes);
  let longest = 0;
  for (const [place, needle] of needles.entries()) {
    let prefix = place - 1;
    while (prefix >= 0 && !needle.startsWith(needles[prefix] ?? ''))
      prefix = prefixes[prefix] ?? -1;
    prefixes[place] = prefix;
    heads[headHash(needle)] = 1;
    longest = Math.max(longest, needle.length);
  }
  return { needles, prefixes, heads, longest };
}

/** The length of the longest needle that a text begins with, or 0. */
function matchLength({ needles, prefixes }: Index, text: string): number {
  let low = 0;
  let high = needles.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((needles[middle] ?? '') <= text) low = middle + 1;
    else high = middle;
  }
  // The last needle that does not sort after the text begins with every needle that the text begins with.
  for (let place = low - 1; place >= 0; place = prefixes[place] ?? -1) {
    const needle = needles[place] ?? '';
    if (text.startsWith(needle)) return needle.length;
  }
  return 0;
}

interface Place {
  start: number;
  end: number;
}

/** The longest match at each place of a text, in the order in which they start. */
function* findPlaces(index: Index, text: string): Generator<Place> {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) {
    hash = roll(hash, text.charCodeAt(at));
    const start = at + 1 - shortest;
    if (index.heads[hash] === 0 || start < 0) continue;
    const length = matchLength(index, text.slice(start, start + index.longest));
    if (length > 0) yield { start, end: start + length };
  }
}

/** Replaces places of a text, in the order in which they start; those that overlap or touch count as one. */
function blotOut(text: string, places: Iterable<Place>): string {
  const merged: Place[] = [];
  for (const place of places) {
    const last = merged.at(-1);
    if (last !== undefined && place.start <= last.end) last.end = Math.max(last.end, place.end);
    else merged.push(place);
  }
  let from = 0;
  let result = '';
  for (const { start, end } of merged) {
    result += text.slice(from, start) + placeholder;
    from = end;
  }
  return result + text.slice(from);
}

/**
 * Makes the redactor for a run. It covers the parts of each secret (see {@link secretParts}) as they are, and
 * as JSON, URIs, forms, XML and base64 write them, also where they overlap. A text is read once, whatever the
 * number of secrets.
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const needles: string[] = [];
  for (const part of secretParts(secrets)) needles.push(...encodings(part));
  const index = createIndex(needles);
  return (text) => blotOut(text, findPlaces(index, text));
}
