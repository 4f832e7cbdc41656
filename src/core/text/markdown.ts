import type { SafeText } from './safe.ts';

/** Every character but letters, digits and spaces as an entity, so that Markdown and HTML give it no meaning. */
function entities(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M} ]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Text as inline code that can do nothing: no markup, no mention, no reference, no table cell. It must be one line. */
export function code(text: SafeText): string {
  return text === '' ? '' : `<code>${entities(text)}</code>`;
}

/** What GitHub makes a mention or a reference of, and tells somebody: `@`, `#` and `GH-`, as entities. */
const telling = /&#(?:64|35);|gh&#45;/gi;

/**
 * Text as plain words that can do nothing. Mentions and references are broken by a zero-width joiner; what
 * GitHub links without telling anybody (a commit of this repository, the number of an advisory) is left.
 */
export function plain(text: SafeText): string {
  return entities(text).replace(telling, '$&&#8205;');
}

/** Text as the words of a heading, or of any line of ours. */
export function heading(level: number, icon: string, text: SafeText): string {
  return `${'#'.repeat(level)} ${icon} ${plain(text)}`;
}

/**
 * A link to an address that we made or checked; whatever in it could end the link is percent-encoded.
 *
 * @param words Markdown
 */
export function link(words: string, url: string): string {
  const encode = (character: string) => encodeURIComponent(character).replace(/[()*!']/g, percent);
  return `[${words}](${url.toWellFormed().replace(/[^\w.~:/?#@&=+%-]/gu, encode)})`;
}

const percent = (character: string): string =>
  `%${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`;

/**
 * Lines as a block of code, which GitHub gives a button to copy it whole: no line of it can end it.
 *
 * @param language how GitHub colours it
 */
export function fence(lines: readonly SafeText[], language: 'text' | 'diff' = 'text'): string {
  const text = lines.join('\n').replace(/[\r\u2028\u2029]/g, ' ');
  const runs = text.match(/`+/g) ?? [];
  const longest = Math.max(2, ...runs.map(({ length }) => length));
  const mark = '`'.repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

/** What is worth having, and not worth reading each time. The title is Markdown without a line's end. */
export function fold(title: string, parts: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, ...parts, '</details>'].join('\n\n');
}

/** A GitHub-flavoured table. The cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => ':---')), ...rows.map(line)].join('\n');
}

/** The first rows of a table, and how many more there are. */
export function cutTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  most: number,
): string {
  const more = rows.length > most ? [`… and ${rows.length - most} more`] : [];
  return [table(head, rows.slice(0, most)), ...more].join('\n\n');
}
