import { stripVTControlCharacters } from 'node:util';

/** Control characters, and the invisible characters that reorder or hide text; not the joiner of emoji. */
const unprintable = /[[\p{Cc}\p{Cf}]--[\u200d]]+/gv;

/** Printable ASCII with single spaces, none of them at the edges: most texts are so, and cost nothing more. */
const isClean = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/** One printable line of a text that others wrote: terminal escapes and control characters out, white space folded. */
export function printable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(unprintable, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toWellFormed();
}

/**
 * Makes one printable line of a text that others wrote (see {@link printable}), cut to at most `max` characters (code points, the "…" included).
 */
export function clean(text: string, max = 500): string {
  if (text.length <= max && isClean.test(text)) return text;
  // Cut first, so that a huge text costs no more than a small one; every character kept may be two units.
  const head = text.slice(0, max * 8);
  const line = printable(head);
  const characters = Array.from(line);
  const whole = characters.length <= max && head.length === text.length;
  return whole ? line : `${characters.slice(0, max - 1).join('')}…`;
}

/**
 * Breaks what the runner would read as a workflow command: `##[` anywhere, and `::` at the start of a line
 * (a lone carriage return starts one too).
 */
export function defuse(text: string): string {
  return text.replaceAll('##[', '## [').replace(/(^|[\r\n])((?:[^\S\r\n]|\u0085)*)::/g, '$1$2: :');
}
