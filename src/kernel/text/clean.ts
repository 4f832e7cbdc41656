/**
 * Terminal escapes (ECMA-48): a control sequence, a control string with its end, any other. Nothing that begins one
 * may stand inside one, so that no text is scanned twice: Node's own `stripVTControlCharacters` takes time that
 * grows with the square of the text.
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

/** Printable ASCII with single spaces, none of them at the edges: most texts are so, and cost nothing more. */
const isClean = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/**
 * One printable line of a text that others wrote: terminal escapes and control characters out, white space folded. It
 * takes time in proportion to the text, whatever that holds.
 */
export function printable(text: string): string {
  return (
    text
      .replace(escapes, '')
      .replace(unprintable, ' ')
      // Not /\s+/g, which would write each single space anew: a third of the time, and garbage for each word.
      .replace(/[^\S ]\s*| \s+/g, ' ')
      .trim()
      .toWellFormed()
  );
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

/** The same for JSON, of which nothing is lost: `##[` stands in its strings alone, where a `#` has an escape. */
export function defuseJson(json: string): string {
  return json.replaceAll('##[', '\\u0023#[');
}
