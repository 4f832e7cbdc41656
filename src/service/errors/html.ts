import { cut, cutMark } from '../../kernel/text/cut.ts';

/** How much of a page's text is told, in UTF-16 units. */
const longestText = 200;

/** What a page holds that nobody reads on it. */
const unread: ReadonlySet<string> = new Set(['head', 'script', 'style', 'template', 'title']);

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
};

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (_, name: string) => characters[name] ?? ' ');

/** What stands between the tags of a page, in one pass: it may be 64 KiB of anything. */
function textOf(html: string): string {
  let skipped: string | undefined;
  let text = '';
  for (const piece of html.split('<')) {
    const end = piece.indexOf('>');
    const [, slash = '', name = ''] = /^(\/?)([a-z][a-z0-9]*)/i.exec(piece) ?? [];
    const tag = name.toLowerCase();
    if (skipped === undefined && slash === '' && unread.has(tag)) skipped = tag;
    else if (slash !== '' && tag === skipped) skipped = undefined;
    if (skipped === undefined && end !== -1) text += ` ${piece.slice(end + 1)}`;
  }
  return decode(text).replace(/\s+/g, ' ').trim();
}

/** True of a text that begins like a page. */
export const isHtml = (text: string): boolean => /^\s*<(!doctype html|html|\?xml)/i.test(text);

/**
 * What a page says, in a few words: its title, and the beginning of its text. The result is outside text, raw; if it
 * was cut, it ends in the mark.
 */
export function readHtml(html: string): { message: string; isCut: boolean } {
  // Without its end a title may have been cut in the middle of anything.
  const title = decode(/<title[^<>]*>([^<]*)</i.exec(html)?.[1]?.trim() ?? '');
  const all = textOf(html);
  const rest = title !== '' && all.startsWith(title) ? all.slice(title.length).trim() : all;
  const text = cut(rest, longestText);
  const named = title === '' ? 'an HTML page' : `an HTML page, "${title}"`;
  const message = text === '' || text === cutMark ? named : `${named}: ${text}`;
  return { message, isCut: text !== rest };
}
