import { isIpv4, isIpv6, splitContent, targetTypes } from './content.ts';
import { fullName, isInZone, nameFault, targetReadings } from './name.ts';
import type { Normal } from './normal.ts';
import { type DeclaredRecord, shown } from './record.ts';
import { quotedStrings, textReadings } from './text.ts';

const longestString = 255;
/** A record's data has at most 65,535 bytes, and each string takes one more for its length. */
const longestText = 65_280;

/** Types that may say, by the target `.`, that there is none. */
const mayHaveNoTarget = new Set(['MX', 'SRV']);

function targetFault(domain: string, type: string, target: string): string | undefined {
  const text = shown(target);
  if (isIpv4(target) || isIpv6(target)) {
    return `points at the address ${text}: give the name of a host (an address goes in an A or AAAA record)`;
  }
  const [reading] = targetReadings(domain, target);
  if (reading === '.' && mayHaveNoTarget.has(type)) return undefined;
  const fault = nameFault(reading);
  return fault === undefined ? undefined : `points at ${text}, which ${fault}`;
}

function textFault(text: string): string | undefined {
  const strings = quotedStrings(text);
  if (strings === undefined && text.startsWith('"')) {
    return 'starts with a quote that does not end its string: write the text without quotes, or as "one" "two" with \\" for a quote in it';
  }
  const long = strings?.find((string) => string.length > longestString);
  if (long !== undefined) {
    return `has a string of ${long.length} bytes in quotes; a string has at most ${longestString}: split it as "one" "two", or write it without quotes`;
  }
  if (strings?.some((string) => /[^\0-\xff]/.test(string))) {
    return 'has an escape above \\255, which is no byte: write three decimal digits up to 255';
  }
  const [{ length }] = textReadings(text);
  return length > longestText
    ? `has a text of ${length} bytes; at most ${longestText} fit in a record`
    : undefined;
}

/**
 * What is wrong with a record's content, by its type.
 *
 * @returns undefined if nothing is, or the type is not known
 */
export function contentFault(
  domain: string,
  { type, name, record }: Normal<DeclaredRecord>,
): string | undefined {
  const { rest } = splitContent(type, record.content);
  if (rest.trim() === '') return 'has no content';
  if (type === 'A') {
    if (isIpv4(rest)) return undefined;
    return `has ${shown(rest)}, which is no IPv4 address: write four decimal numbers from 0 to 255, without leading zeros`;
  }
  if (type === 'AAAA') {
    return isIpv6(rest)
      ? undefined
      : `has ${shown(rest)}, which is no IPv6 address: write it like 2001:db8::1`;
  }
  if (type === 'TXT' || type === 'CAA') return textFault(rest.trim());
  if (!targetTypes.has(type)) return undefined;
  if (type === 'CNAME' && targetReadings(domain, rest).includes(name)) return 'points at itself';
  return targetFault(domain, type, rest);
}

/**
 * What is wrong with a record's own name.
 *
 * @returns undefined if nothing is
 */
export function ownNameFault(domain: string, name: string): string | undefined {
  const zone = fullName(domain, '@');
  if (!isInZone(zone, name)) {
    return `is not in ${zone}: leave the last dot off if the name is relative`;
  }
  return nameFault(name.replace(/^\*(?=\.)/, 'x'));
}
