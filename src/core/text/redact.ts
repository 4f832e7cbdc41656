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

/** The percent signs of a URI may be followed by capitals or not. */
const lowerPercent = (uri: string): string =>
  uri.replace(/%[0-9A-F]{2}/g, (encoded) => encoded.toLowerCase());

function encodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const htmlSafe = json.replace(
    /[<>&'\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const ascii = json.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const uri = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret.toWellFormed()]]).toString().slice(1);
  return [
    secret,
    json,
    htmlSafe,
    ascii,
    json.replaceAll('/', '\\/'),
    JSON.stringify(json).slice(1, -1),
    uri,
    lowerPercent(uri),
    form,
    lowerPercent(form),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
  ];
}

interface Place {
  start: number;
  end: number;
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
 * Makes the redactor for a run. It covers the parts of each secret (see {@link secretParts}) as they are,
 * and in JSON, URI, form and base64 encoding, also where they overlap.
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const needles = new Set(secretParts(secrets).flatMap(encodings));
  // The longest first: at each place the longest match counts.
  const ordered = [...needles].sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  const pattern = new RegExp(`(?=(${ordered.map((one) => RegExp.escape(one)).join('|')}))`, 'g');
  return (text) => {
    const matches = Array.from(text.matchAll(pattern));
    const places = matches.map(({ index: start, 1: match = '' }) => ({
      start,
      end: start + match.length,
    }));
    return blotOut(text, places);
  };
}
