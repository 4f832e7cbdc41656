import { type Diagnostic, printed, reword } from '../kernel/diagnostic.ts';
import { type SafeText, shorten } from '../kernel/text/safe.ts';

/** Characters without a meaning in Markdown, HTML or GitHub, in any place. */
const harmless = /[,;?%"'\(\)\{\}\/]|[[\p{P}\p{S}]--[!-~]]/v;

const isWord = (character: string | undefined): boolean => /^[\p{L}\p{N}]$/u.test(character ?? '');

/** Characters with a meaning only in some places: whether one has none here, by the text before and after it. */
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

/** Whether a character makes the number before it that of a list item. */
const isNumber = (before: string, after: string): boolean =>
  /^\s*\d+$/.test(before) && /^(?:\s|$)/.test(after);

/** How many characters before one decide on its meaning. */
const longestBefore = 12;

/** Replaces every character that has a meaning in its place by an entity. */
function entities(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M} ]/gu, (character, at: number) => {
    const before = text.slice(Math.max(0, at - longestBefore), at);
    const isHarmless =
      harmlessAt[character]?.(before, text.slice(at + 1, at + 3)) ?? harmless.test(character);
    return isHarmless ? character : `&#${character.codePointAt(0)};`;
  });
}

/** Text as inline code without active markup: no mention, no reference, no table cell. It must be one line. */
export function code(text: SafeText): string {
  return text === '' ? '' : `<code>${entities(text)}</code>`;
}

/** The most characters of a name in a table cell without a possible line break. */
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

/** The encoded `@`, `#` and `GH-`, of which GitHub makes mentions and references that notify users. */
const mentions = /&#(64|35);|gh(?:-|&#45;)/gi;

/** Breaks a mention or a reference. The joiner and the sign are not encoded: mails show the source. */
const breakMention = (sign: string, number?: string): string =>
  `${number === undefined ? sign : String.fromCodePoint(Number(number))}\u200d`;

/**
 * Text without active markup. Mentions and references are broken by a zero-width joiner; what GitHub links without
 * notifying anyone (a commit of this repository, the number of an advisory) is kept.
 */
export function plain(text: SafeText): string {
  return entities(text).replace(mentions, breakMention);
}

/** A heading; 1 is the highest level. */
export function heading(level: number, icon: string, text: SafeText): string {
  return `${'#'.repeat(level)} ${icon} ${plain(text)}`;
}

/**
 * A link to a URL that we made or validated; what could end the link in it is percent-encoded. For an invalid URL, such
 * as of a wrong GITHUB_SERVER_URL, only the words: the link would be relative to the page.
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
 * Lines as a fenced code block, which GitHub shows with a copy button. No line can end it.
 *
 * @param language how GitHub colors it
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

/** A collapsed section. The title is Markdown without a line break. */
export function fold(title: string, parts: readonly string[]): string {
  return [`<details><summary>${title}</summary>`, ...parts, '</details>'].join('\n\n');
}

/** A GitHub-flavored table. The cells are Markdown already. */
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
  const shown = table(head, rows.slice(0, most));
  return rows.length > most ? `${shown}\n\n… and ${rows.length - most} more` : shown;
}

/** The most characters of a message in a comment or a summary; output and annotation have all of it. */
const longestMessage = 1500;

/**
 * An error, or why a plan would not be applied, as a quotation.
 *
 * @param helpUrl the page that its code links to
 */
export function quoteMessage(diagnostic: Diagnostic | undefined, helpUrl?: string): string[] {
  if (diagnostic === undefined) return [];
  const text = plain(printed(reword(diagnostic, (long) => shorten(long, longestMessage))));
  return [`> ${helpUrl === undefined ? text : linkCodes(text, helpUrl)}`];
}

/** Links each error code in parentheses to its entry. */
const linkCodes = (text: string, helpUrl: string): string =>
  text.replace(
    /\((SD\d{4})\)/g,
    (_, code: string) => `(${link(code, `${helpUrl}#${code.toLowerCase()}`)})`,
  );
