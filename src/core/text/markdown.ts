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
