import { joinSafe, type SafeText, safe, shorten } from '../../kernel/text/safe.ts';
import type { Wanted } from './check.ts';

/** The most characters of one thing that is wanted. */
const longest = 60;

/**
 * What a check wants, in words.
 *
 * @param clean makes what the workflow wrote printable and free of secrets
 */
export function describeWanted(wanted: Wanted, clean: (text: string) => SafeText): SafeText {
  const { status, contains = '', lacks, json = [], header = [], location } = wanted;
  const { certificateDays, maxMs } = wanted;
  const quote = (text: string) => safe`"${shorten(clean(text), longest)}"`;
  const name = (text: string) => shorten(clean(text), longest);
  const standard = location === undefined ? safe`200 to 299` : safe`300 to 399`;
  return joinSafe(
    [
      status === undefined ? standard : safe`${status}`,
      ...(contains === '' ? [] : [safe`with ${quote(contains)}`]),
      ...(lacks === undefined ? [] : [safe`without ${quote(lacks)}`]),
      ...json.map(([path, value]) => safe`${name(path)} = ${quote(String(value))}`),
      ...header.map(([key, value]) => safe`${name(key)}: ${quote(value)}`),
      ...(location === undefined ? [] : [safe`to ${quote(location)}`]),
      ...(certificateDays === undefined
        ? []
        : [safe`a certificate good for ${certificateDays} days`]),
      ...(maxMs === undefined ? [] : [safe`within ${maxMs} ms`]),
    ],
    ', ',
  );
}
