/** Every character that Markdown, HTML, a table or a mention could give a meaning to, as an entity. */
function entities(text: string): string {
  return text.replace(/[^\p{L}\p{N}\p{M} .,/-]/gu, (character) => `&#${character.codePointAt(0)};`);
}

/**
 * Outside text as inline code that can do nothing: no markup, no mention, no reference, no table cell.
 * It must be one line already (see `clean`).
 */
export function code(text: string): string {
  return text === '' ? '' : `<code>${entities(text)}</code>`;
}

/** Outside text as plain words that can do nothing. A mention is broken by a zero-width joiner. */
export function plain(text: string): string {
  return entities(text).replaceAll('&#64;', '&#64;&#8205;');
}

/** A link whose address was checked to be http or https; else just the label. */
export function link(label: string, url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return label;
  return `<a href="${entities(parsed.href)}">${label}</a>`;
}

/** A GitHub-flavoured table. The cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => ':---')), ...rows.map(line)].join('\n');
}
