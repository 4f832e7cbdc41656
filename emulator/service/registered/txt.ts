const maxString = 255;

/** A piece of a TXT record's content: a plain character, or an escape as zone files have them. */
const piece = /\\(\d{3})|\\?([\s\S])/gu;

/** The text of a TXT record's content: of its quoted strings, joined, or the content itself if it has none. */
export function textOf(content: string): string {
  const strings = content.trim().match(/"(?:\\[\s\S]|[^"\\])*"/g) ?? [];
  const between = content.replaceAll(/"(?:\\[\s\S]|[^"\\])*"/g, '');
  if (strings.length === 0 || between.trim() !== '') return content;
  return strings.map((quoted) => unescaped(quoted.slice(1, -1))).join('');
}

/** One quoted string, however long. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** Quoted strings of at most 255 bytes each; no character is split. */
export function quoteInStrings(text: string): string {
  const strings = [''];
  for (const character of text) {
    const last = strings.at(-1) ?? '';
    if (Buffer.byteLength(last + character) > maxString) strings.push(character);
    else strings[strings.length - 1] = last + character;
  }
  return strings.map(quote).join(' ');
}

function unescaped(quoted: string): string {
  const bytes = Array.from(quoted.matchAll(piece), ([, code, character = '']) =>
    code === undefined ? Buffer.from(character) : Buffer.from([Number(code)]),
  );
  return Buffer.concat(bytes).toString();
}
