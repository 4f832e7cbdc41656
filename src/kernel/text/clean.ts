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

/**
 * Breaks what the runner would read as a workflow command: `##[` anywhere, and `::` at the start of a line
 * (a lone carriage return starts one too).
 */
export function defuse(text: string): string {
  return text.replaceAll('##[', '## [').replace(/(^|[\r\n])((?:[^\S\r\n]|\u0085)*)::/g, '$1$2: :');
}

/** The same for JSON, without changing its value: `##[` occurs only in strings, where `#` can be escaped. */
export function defuseJson(json: string): string {
  return json.replaceAll('##[', '\\u0023#[');
}
