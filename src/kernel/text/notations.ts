/** A text, decoded from a notation. */
export interface TextReading {
  text: string;
  /** Maps a position in this text to the source text. Both count UTF-16 units. */
  placeOf: (place: number) => number;
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

/** The index of the last of some sorted numbers that is not greater than `most`, or -1. */
function lastUpTo(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function read({ written, meaning }: Notation, { text: source, placeOf }: TextReading): TextReading {
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
  return { text, placeOf: (place) => placeOf(place + (lags[lastUpTo(from, place)] ?? 0)) };
}

/**
 * Reads a text in every notation: as it is, and with the encodings of JSON, URIs, forms, HTML and quotes decoded, up to
 * two of them nested. No text comes twice.
 */
export function* readingsOf(text: string): Generator<TextReading> {
  const asItIs: TextReading = { text, placeOf: (place) => place };
  if (!anySign.test(text)) {
    yield asItIs;
    return;
  }
  const seen = new Set([text]);
  let layer = [asItIs];
  for (let depth = 0; depth <= layers; depth += 1) {
    yield* layer;
    layer = layer.flatMap((outer) =>
      notations
        .filter(({ sign }) => depth < layers && sign.test(outer.text))
        .map((notation) => read(notation, outer))
        .filter((reading) => !seen.has(reading.text) && seen.add(reading.text)),
    );
  }
}
