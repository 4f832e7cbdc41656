import type { Commit } from '../../contract/commit.ts';
import type { SafeText } from '../../contract/safe-text.ts';

export type { SafeText };

/** What a text may be made of: safe text, a number, a flag, or a word of this code: of no other text are all values known. */
type Part<Value> = Value extends SafeText | number | boolean
  ? Value
  : Value extends string
    ? Record<never, never> extends Record<Value, true>
      ? never
      : Value
    : never;

/**
 * Makes outside text printable and free of secrets: an id, a name, an address, a known status.
 *
 * @param isCut true if it may have been cut before, so that it ends in the mark of `cut`
 */
export type Sanitize = (text: string, isCut?: boolean) => SafeText;

/** Our own text with safe parts; a template without the tag gives a plain string. */
export function safe<const Parts extends readonly unknown[]>(
  words: TemplateStringsArray,
  ...parts: { readonly [Index in keyof Parts]: Part<Parts[Index]> }
): SafeText {
  return String.raw({ raw: words }, ...parts) as SafeText;
}

/** A commit's first seven digits; HEAD stays as it is. */
export const shortSha = (commit: Commit): SafeText => commit.slice(0, 7) as SafeText;

/** Joins texts; the separator is a constant of this action. */
export function joinSafe(parts: readonly SafeText[], separator: string): SafeText {
  return parts.join(separator) as SafeText;
}

/** Cuts a text to at most `max` characters. */
export function shorten(text: SafeText, max: number): SafeText {
  return clean(text, max) as SafeText;
}

/**
 * Marks text as safe that the compiler can't know to be: a constant, a validated input, a part of a safe text. Never
 * outside text.
 */
export function unsafeText(text: string): SafeText {
  return text as SafeText;
}

/**
 * Terminal escapes (ECMA-48): a control sequence, a control string with its end, any other. None may contain the
 * beginning of another, so that no text is scanned twice: Node's own `stripVTControlCharacters` takes quadratic time.
 */
const escapes = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]`,
    String.raw`(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\p{Cc}]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[\x20-\x2f]*[\x30-\x7e]`,
  ].join('|'),
  'gu',
);

/** Control characters, and the invisible characters that reorder or hide text; not the joiner of emoji. */
const unprintable = /[[\p{Cc}\p{Cf}]--[\u200d]]+/gv;

/** Printable ASCII with single spaces, none at the edges: most texts, which need no cleaning. */
const isClean = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/**
 * Makes outside text one printable line: without terminal escapes and control characters, with white space collapsed.
 * Takes linear time for any text.
 */
export function printable(text: string): string {
  return (
    text
      .replace(escapes, '')
      .replace(unprintable, ' ')
      // Not /\s+/g, which would also replace each single space: a third of the time, and garbage for each word.
      .replace(/[^\S ]\s*| \s+/g, ' ')
      .trim()
      .toWellFormed()
  );
}

/**
 * Makes outside text one printable line (see {@link printable}) of at most `max` code points, including the "…".
 */
export function clean(text: string, max = 500): string {
  if (text.length <= max && isClean.test(text)) return text;
  // Cut first, so that a huge text takes no longer than a small one; every kept character may be two units.
  const head = text.slice(0, max * 8);
  const line = printable(head);
  const characters = Array.from(line);
  const whole = characters.length <= max && head.length === text.length;
  return whole ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/** What begins a command for the agents of CIs, anywhere in a line: `##[` of GitHub, `##vso[` of Azure, `##teamcity[`. */
const command = /##(?=[\p{L}[])/gu;

/**
 * Breaks what the agent of a CI would read as a command: `##` before a letter or a bracket anywhere, and `::` at the start
 * of a line (a lone carriage return starts one too).
 */
export function defuse(text: string): string {
  return text.replace(command, '## ').replace(/(^|[\r\n])((?:[^\S\r\n]|\u0085)*)::/g, '$1$2: :');
}

/** The same for outputs, in case a later step prints one. */
export const defuseOutputs = (outputs: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, defuse(value)]));

/** What JSON leaves as it is, and an agent or a terminal may read: the commands, and control characters of eight bits. */
const commandInJson = new RegExp(`${command.source}|[\\x7f-\\x9f]`, 'gu');

/** The same for JSON of one line, without changing its value: these occur only in strings, where they can be escaped. */
export function defuseJson(json: string): string {
  return json.replace(commandInJson, ([first = '', ...rest]) => {
    const code = first.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}${rest.join('')}`;
  });
}

/** Marks where a text was cut. Before a mark of ours, the redactor also hides what may be the beginning of a secret. */
export const cutMark = '…';

/**
 * Which marks of a text are ours: none, the last one, or all. Before a mark that others may have written, or in a text
 * whose cut they could predict, only whole secrets are hidden: otherwise they could guess a secret piece by piece by
 * writing beginnings and checking which are hidden.
 */
export type OwnMarks = 'none' | 'last' | 'all';

/**
 * Cuts a text to at most so many UTF-16 units, including the mark. Every text that is shown must be cut with the mark.
 */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - cutMark.length)}${cutMark}`;
}
