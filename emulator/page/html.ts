import { stripVTControlCharacters } from 'node:util';

/** HTML that may be sent as it is. Only {@link html} and {@link trustedHtml} make it. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** What may stand in a template: text is escaped, HTML is not, a list is joined, and nothing is left out. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as HTML that shows it. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** Control characters, and the invisible characters that reorder or hide text; not line ends and the joiner of emoji. */
const invisible = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\t\n\u200d]]/gv;

/** A text in which every invisible character is named: `⟨U+202E⟩`. */
export const showInvisible = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(invisible, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      return `⟨U+${code}⟩`;
    });

/** No single text is longer on the page or in the terminal, in UTF-16 units. */
const longest = 2000;

/** A text from outside for people to read: without terminal escapes, its invisible characters named, cut if it is long. */
export function printable(text: string, max = longest): string {
  const head = text.length > max ? `${text.slice(0, max)}…` : text;
  return showInvisible(stripVTControlCharacters(head));
}

function render(content: Content): string {
  if (content instanceof Html) return content.toString();
  if (Array.isArray(content)) return content.map(render).join('');
  if (content === null || content === undefined || content === false) return '';
  return escapeHtml(printable(String(content)));
}

/** HTML with texts in it, each of which is made printable and escaped. Attributes must be quoted. */
export function html(words: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: words }, ...contents.map(render)));
}

/** Marks a text as HTML: that of a renderer which escapes by itself. Never text from outside. */
export const trustedHtml = (text: string): Html => new Html(text);

/** A text from outside as HTML, however long it is. */
export const longText = (text: string): Html =>
  new Html(escapeHtml(printable(text, Number.POSITIVE_INFINITY)));
