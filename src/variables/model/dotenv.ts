/** A variable in a dotenv text. */
export interface DotenvEntry {
  name: string;
  value: string;
  /** True if the value is in quotes, so that it differs from the source text. */
  isQuoted: boolean;
  /** The line, from 1, on which it starts. */
  line: number;
}

/** An invalid line. The message never quotes it: it may be part of a secret. */
export interface DotenvProblem {
  line: number;
  message: string;
}

const start = /^[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_][\w.-]*)[^\S\n]*=/;
const blank = /^[^\S\n]*(?:#[^\r\n]*)?(?:\r?\n|$)/;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

type Read =
  | { value: string; isQuoted: boolean; length: number }
  | { error: string; length: number };

const lineLength = (text: string): number => {
  const end = text.indexOf('\n');
  return end === -1 ? text.length : end + 1;
};

/** Only `"` has escapes, and only unambiguous ones; a backslash before anything else stays. */
function unquote(quote: string, body: string): string {
  if (quote !== '"') return body;
  return body.replace(/\\([nrt"\\$])/g, (_, character: string) => escapes[character] ?? character);
}

function readQuoted(text: string, quote: string): Read {
  const pattern =
    quote === '"' ? /^"((?:[^"\\]|\\.)*)"/s : new RegExp(`^${quote}([^${quote}]*)${quote}`);
  const match = pattern.exec(text);
  if (match === null) {
    return { error: `has an opening ${quote} but no closing one`, length: lineLength(text) };
  }
  const [whole, body = ''] = match;
  const rest = blank.exec(text.slice(whole.length));
  if (rest === null) {
    return {
      error: `has text after the closing ${quote}: quote the value with another kind of quote`,
      length: whole.length + lineLength(text.slice(whole.length)),
    };
  }
  return { value: unquote(quote, body), isQuoted: true, length: whole.length + rest[0].length };
}

/** What an unquoted value must not contain. */
const ambiguities: readonly (readonly [RegExp, string])[] = [
  [/#/, 'has a # in an unquoted value, which some parsers read as a comment'],
  [/\r/, 'has a carriage return in the middle of an unquoted value'],
  [
    /^-----BEGIN /,
    'has an unquoted key or certificate, of which only the first line would be read',
  ],
];

/** A value without its comment. A `#` before a carriage return does not start a comment. */
function withoutComment(raw: string): string {
  const from = Math.max(0, raw.lastIndexOf('\r'));
  const at = raw.slice(from).search(/\s#/);
  return at < 0 ? raw : raw.slice(0, from + at);
}

function readUnquoted(text: string): Read {
  const length = lineLength(text);
  const raw = text.slice(0, length).replace(/\r?\n$/, '');
  const value = withoutComment(raw).trim();
  const doubt = ambiguities.find(([pattern]) => pattern.test(value));
  if (doubt === undefined) return { value, isQuoted: false, length };
  return { error: `${doubt[1]}: put the value in single quotes ('), or use env-from`, length };
}

function readValue(text: string): Read {
  const indent = /^[^\S\n]*/.exec(text)?.[0].length ?? 0;
  const [first = ''] = text.slice(indent);
  if (!['"', "'", '`'].includes(first)) return readUnquoted(text);
  const read = readQuoted(text.slice(indent), first);
  return { ...read, length: read.length + indent };
}

const isEmptyLine = (text: string): number => blank.exec(text)?.[0].length ?? 0;

/**
 * Parses dotenv text: `NAME=value`, `export NAME=value`, comments, single, double and back quotes that may
 * span lines. An ambiguous line is a problem, never skipped; nothing is expanded.
 *
 * Custom because existing parsers skip lines that they don't understand and cut values at a `#`.
 *
 * @param source the text; CRLF ends a line as LF does, and stays as it is inside quotes
 */
export function parseDotenv(source: string): { entries: DotenvEntry[]; problems: DotenvProblem[] } {
  const entries: DotenvEntry[] = [];
  const problems: DotenvProblem[] = [];
  let rest = source.replace(/^\ufeff/, '');
  let line = 1;
  const advance = (length: number) => {
    line += rest.slice(0, length).split('\n').length - 1;
    rest = rest.slice(length);
  };
  while (rest !== '') {
    const skipped = isEmptyLine(rest);
    const head = start.exec(rest);
    if (skipped > 0) {
      advance(skipped);
    } else if (head === null) {
      problems.push({ line, message: 'is not NAME=value, a comment or blank' });
      advance(lineLength(rest));
    } else {
      const [whole, name = ''] = head;
      const read = readValue(rest.slice(whole.length));
      if ('value' in read) entries.push({ name, value: read.value, isQuoted: read.isQuoted, line });
      else problems.push({ line, message: read.error });
      advance(whole.length + read.length);
    }
  }
  return { entries, problems };
}
