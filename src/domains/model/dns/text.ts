import { Buffer } from 'node:buffer';

/** Strings in quotes, and nothing else. */
const quotedOnly = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"\s*)+$/s;
const quotedString = /"([^"\\]*(?:\\.[^"\\]*)*)"/gs;

/** The UTF-8 bytes of a text, one character for each. */
const bytes = (text: string): string => Buffer.from(text).toString('latin1');

/** Resolves the escapes of a zone file: `\"`, `\\`, any other escaped character, and `\DDD`, a byte. */
function resolve(text: string): string {
  return text
    .split(/\\(\d{3}|.)/su)
    .map((piece, index) => {
      const isCode = index % 2 === 1 && /^\d{3}$/.test(piece);
      return isCode ? String.fromCharCode(Number(piece)) : bytes(piece);
    })
    .join('');
}

/**
 * The strings of a text that is written in quotes, as zone files have it: `"one" "two"`.
 *
 * @returns their bytes, one character for each (beyond 255 where an escape stands for no byte); undefined if
 * the text is not so written
 */
export function quotedStrings(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!quotedOnly.test(trimmed)) return undefined;
  return Array.from(trimmed.matchAll(quotedString), ([, inner = '']) => resolve(inner));
}

/**
 * What a text may mean. In quotes, its strings are joined and escapes count. Without quotes it is meant
 * literally by most, but white space at its edges may be of no account, and some services show it with a zone
 * file's escapes all the same. So a text that itself begins and ends with a quote, shown without quotes
 * around it, is mistaken for a quoted one.
 *
 * @returns bytes, one character for each
 */
export function textReadings(text: string): [string, ...string[]] {
  const strings = quotedStrings(text);
  if (strings !== undefined) return [strings.join('')];
  return [bytes(text), bytes(text.trim()), resolve(text.trim())];
}
