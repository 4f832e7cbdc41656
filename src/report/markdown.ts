import { type Diagnostic, printed, reword } from '../kernel/diagnostic.ts';
import { type SafeText, shorten } from '../kernel/text/safe.ts';

/** Signs that mean nothing to Markdown, to HTML or to GitHub, wherever they stand. */
const harmless = /[,;?%"'\(\)\{\}\/]|[[\p{P}\p{S}]--[!-~]]/v;

const isWord = (character: string | undefined): boolean => /^[\p{L}\p{N}]$/u.test(character ?? '');

/** Signs that mean something in some places only: whether one means nothing here, by the text before and after it. */
const harmlessAt: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  // The mark of a list's item, of a rule, of a heading's line.
  '-': (before) => isWord(before.at(-1)),
  '+': (before) => isWord(before.at(-1)),
  '=': (before) => isWord(before.at(-1)),
  // Emphasis begins and ends at the edge of a word.
  _: (before, after) => isWord(before.at(-1)) && isWord(after[0]),
  // An address: "http:" and "www.".
  ':': (_, after) => /^(?:\s|$)/.test(after) || isWord(after[0]),
  '.': (before, after) => !(/www$/i.test(before) || isNumber(before, after)),
  ')': (before, after) => !isNumber(before, after),
};

/** Whether a sign makes the number before it that of a list's item. */
const isNumber = (before: string, after: string): boolean =>
  /^\s*\d+$/.test(before) && /^(?:\s|$)/.test(after);

/** Enough of a text before a sign to judge it by. */
const longestBefore = 12;

/** Every sign as an entity to which Markdown, HTML or GitHub would give a meaning where it stands. */
function entities(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M} ]/gu, (character, at: number) => {
    const before = text.slice(Math.max(0, at - longestBefore), at);
    const isHarmless =
      harmlessAt[character]?.(before, text.slice(at + 1, at + 3)) ?? harmless.test(character);
    return isHarmless ? character : `&#${character.codePointAt(0)};`;
  });
}

/** Text as inline code that can do nothing: no markup, no mention, no reference, no table cell. It must be one line. */
export function code(text: SafeText): string {
  return text === '' ? '' : `<code>${entities(text)}</code>`;
}

/** The most characters of a name that stand in a cell of a table without a place to break it. */
const longestWord = 16;

/** Text as code in a cell of a table: a long name may break, so that it does not push the other cells away. */
export function codeCell(text: SafeText): string {
  const pieces = text.match(new RegExp(`.{1,${longestWord}}`, 'gu')) ?? [];
  const whole = pieces.map((piece) => entities(piece)).join('<wbr>');
  return text.length <= longestWord ? code(text) : `<code>${whole}</code>`;
}

/** An address as code in a cell of a table: it may break where a part of its path begins. */
export function addressCell(text: SafeText): string {
  const pieces = text.split(/(?<=[^/]\/)(?=[^/])/);
  return `<code>${pieces.map((piece) => entities(piece)).join('<wbr>')}</code>`;
}

/** What GitHub makes a mention or a reference of, and tells somebody: `@`, `#` and `GH-`, as they stand by now. */
const telling = /&#(64|35);|gh(?:-|&#45;)/gi;

/** Breaks a mention or a reference. The joiner and the sign stand as they are: some read the source, as in a mail. */
const breakTelling = (sign: string, number?: string): string =>
  `${number === undefined ? sign : String.fromCodePoint(Number(number))}\u200d`;

/**
 * Text as plain words that can do nothing. Mentions and references are broken by a zero-width joiner; what
 * GitHub links without telling anybody (a commit of this repository, the number of an advisory) is left.
 */
export function plain(text: SafeText): string {
  return entities(text).replace(telling, breakTelling);
}

/** Text as the words of a heading, or of any line of ours. */
export function heading(level: number, icon: string, text: SafeText): string {
  return `${'#'.repeat(level)} ${icon} ${plain(text)}`;
}

/**
 * A link to an address that we made or checked; whatever in it could end the link is percent-encoded. To what is no
 * address, as where the runner's GITHUB_SERVER_URL is none, the words alone: it would lead to a place below the page.
 *
 * @param words Markdown
 */
export function link(words: string, url: string): string {
  if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url)) return words;
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
export function fence(
  lines: readonly SafeText[],
  language: 'text' | 'diff' | 'yaml' = 'text',
): string {
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

/** The most characters of a message that a comment or a summary shows; output and annotation have it all. */
const longestMessage = 1500;

/** An error, or why a plan would not be applied, as a quotation; none if there is none. */
export function quoteMessage(diagnostic: Diagnostic | undefined): string[] {
  if (diagnostic === undefined) return [];
  return [`> ${plain(printed(reword(diagnostic, (text) => shorten(text, longestMessage))))}`];
}
