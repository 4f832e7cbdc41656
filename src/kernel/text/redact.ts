import {
  countBefore,
  createNeedles,
  findNeedles,
  type Needles,
  type Span,
  shortestNeedle,
} from './needles.ts';
import { clean, cut, type OwnMarks, printable, type SafeText, type Sanitize } from './safe.ts';

/** A text, decoded from a notation. */
interface TextReading {
  text: string;
  /** Maps a position in this text to the source text. Both count UTF-16 units. */
  sourceOffset: (offset: number) => number;
}

/** A notation that encodes characters. */
interface Notation {
  /** A text without a match has nothing in this notation. */
  sign: RegExp;
  /** Matches one encoded character. */
  written: RegExp;
  /** Decodes it; the result is never longer. */
  meaning: (written: string) => string;
}

const latestCodePoint = 0x10ffff;

/** The character of a code point, or `otherwise` if there is none. */
function characterOf(digits: string, radix: 10 | 16, otherwise: string): string {
  const code = Number.parseInt(digits, radix);
  return code > latestCodePoint ? otherwise : String.fromCodePoint(code);
}

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** JSON, the strings of most languages, YAML in double quotes, and a shell's backslash. */
const backslashes: Notation = {
  sign: /\\/,
  written: /\\(?:u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|[bfnrt]|[^0-9A-Za-z])/g,
  meaning: (written) => {
    const [, escaped = ''] = written;
    if (written.length === 2) return controls[escaped] ?? escaped;
    return characterOf(written.replace(/^..\{?|\}$/g, ''), 16, written);
  },
};

/** One character of a URI, in UTF-8. */
const percentEncoded =
  '%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}';

function percentMeaning(written: string): string {
  if (written.length === 3) return String.fromCharCode(Number.parseInt(written.slice(1), 16));
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}

/** URIs, with any of their characters encoded. */
const percents: Notation = {
  sign: /%/,
  written: new RegExp(percentEncoded, 'gi'),
  meaning: percentMeaning,
};

/** Forms: as URIs, with `+` for a space. */
const forms: Notation = {
  sign: /\+/,
  written: new RegExp(`${percentEncoded}|\\+`, 'gi'),
  meaning: (written) => (written === '+' ? ' ' : percentMeaning(written)),
};

const entityNames: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** HTML and XML. */
const entities: Notation = {
  sign: /&/,
  written: /&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-f]{1,6});/gi,
  meaning: (written) => {
    const name = written.slice(1, -1).toLowerCase();
    if (!name.startsWith('#')) return entityNames[name] ?? written;
    return name.startsWith('#x')
      ? characterOf(name.slice(2), 16, written)
      : characterOf(name.slice(1), 10, written);
  },
};

/** A quote within single quotes: in YAML and SQL, and a shell's two ways. */
const quotes: Notation = {
  sign: /'['"\\]/,
  written: /'\\''|'"'"'|''/g,
  meaning: () => "'",
};

const notations = [backslashes, percents, forms, entities, quotes];

/** A text without a match uses none of these notations. */
const anySign = new RegExp(notations.map(({ sign }) => sign.source).join('|'));

/** How deep notations may be nested, such as JSON within a URI. */
const layers = 2;

function read(
  { written, meaning }: Notation,
  { text: source, sourceOffset }: TextReading,
): TextReading {
  // From each of these positions on, the text is so many units shorter than its source.
  const from: number[] = [];
  const lags: number[] = [];
  let lag = 0;
  const text = source.replace(written, (found, index: number) => {
    const meant = meaning(found);
    if (meant.length < found.length) {
      lag += found.length - meant.length;
      from.push(index + found.length - lag);
      lags.push(lag);
    }
    return meant;
  });
  return {
    text,
    sourceOffset: (offset) => {
      const passed = countBefore(from, (position) => position <= offset);
      return sourceOffset(offset + (lags[passed - 1] ?? 0));
    },
  };
}

/**
 * Reads a text in every notation: as it is, and with the encodings of JSON, URIs, forms, HTML and quotes decoded, up to
 * two of them nested. No text comes twice.
 */
function* readingsOf(text: string): Generator<TextReading> {
  const asItIs: TextReading = { text, sourceOffset: (offset) => offset };
  if (!anySign.test(text)) {
    yield asItIs;
    return;
  }
  const known = new Set([text]);
  let layer = [asItIs];
  for (let depth = 0; depth <= layers; depth += 1) {
    yield* layer;
    layer = layer.flatMap((outer) =>
      notations
        .filter(({ sign }) => depth < layers && sign.test(outer.text))
        .map((notation) => read(notation, outer))
        .filter((reading) => !known.has(reading.text) && known.add(reading.text)),
    );
  }
}

/**
 * Replaces every secret in a text, however it is encoded there.
 *
 * @param own which of the text's cut marks are ours; by default none
 */
export type Redact = (text: string, own?: OwnMarks) => string;

const placeholder = '***';

const everyday = /^(true|false|null|none)$/i;

/** A text that is too short can't be hidden: the gaps left by its masks would reveal it. */
const isWorthHiding = (text: string): boolean =>
  text.length >= shortestNeedle && !everyday.test(text);

/**
 * The parts of secrets to hide: each as a whole, and each of its lines. Excluded are parts of fewer than four characters
 * and everyday words such as `true`: masking them would garble the log, and they would be easy to guess.
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

/**
 * True if a value is exactly the hostname or the origin of a domain that the run reports: it is public there, and
 * masking it would remove the addresses from the run's own report.
 *
 * @param isReported true for the hostnames that the run reports
 */
export function isPublicValue(value: string, isReported: (hostname: string) => boolean): boolean {
  const url = URL.parse(value.includes('://') ? value : `https://${value}`);
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return isWeb && (value === url.hostname || value === url.origin) && isReported(url.hostname);
}

/** The spans of a text that contain a needle in any notation, in the order of their starts. */
function spansIn(needles: Needles, text: string, own: OwnMarks): Span[] {
  const spans: Span[] = [];
  for (const reading of readingsOf(text)) {
    for (const { start, end } of findNeedles(needles, reading.text, own)) {
      spans.push({ start: reading.sourceOffset(start), end: reading.sourceOffset(end) });
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Replaces spans of a text, sorted by their starts; overlapping or adjacent ones count as one. */
function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  const merged: Span[] = [];
  for (const span of spans) {
    const last = merged.at(-1);
    if (last !== undefined && span.start <= last.end) last.end = Math.max(last.end, span.end);
    else merged.push(span);
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
 * Makes the redactor for a run. It hides the parts of each secret (see {@link secretParts}), also where they overlap: as
 * they are, as one line (see `printable`), in the notations that `readingsOf` reads, in base64 and in hexadecimal. Where
 * we cut a text (see `OwnMarks`), it also hides what may be the beginning of one. A text is read once per notation,
 * however many secrets there are.
 */
export function createRedact(secrets: Iterable<string>): Redact {
  const encoded = secretParts(secrets);
  const texts = new Set<string>();
  for (const part of encoded) {
    // What looks like an escape in a secret is decoded where the text around it is escaped.
    const read = Array.from(readingsOf(part), ({ text }) => text);
    for (const text of [...read, printable(part)]) if (isWorthHiding(text)) texts.add(text);
  }
  const needles = createNeedles({ texts: [...texts], encoded });
  return (text, own = 'none') => replaceSpans(text, spansIn(needles, text, own));
}

/** How much of a text is read, in UTF-16 units: far more than is ever shown. */
const longestRead = 65_536;

/**
 * Makes the function that turns outside text into a line that may be shown: redacted, cleaned and cut. It redacts before
 * and after removing control characters, because either may hide a secret, and cuts last. Only our own mark counts as
 * a cut (see `OwnMarks`).
 *
 * @param max the most characters kept
 */
export function createSanitize(redact: Redact, max?: number): Sanitize {
  return (text, isCut = false) => {
    const own = isCut || text.length > longestRead ? 'last' : 'none';
    const redacted = redact(cut(text, longestRead), own);
    const line = printable(redacted);
    return clean(line === redacted ? line : redact(line, own), max) as SafeText;
  };
}
