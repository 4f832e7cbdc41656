import ipaddr from 'ipaddr.js';
import { targetReadings } from './name.ts';
import type { FieldName, FieldValue, GivenFields } from './record.ts';
import { textReadings } from './text.ts';

/** Types whose content is the name of a host. */
export const targetTypes: ReadonlySet<string> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SRV']);

/** Fields that a zone file writes in front of the content, in the groups of these patterns. */
const inFront: ReadonlyMap<string, { pattern: RegExp; fields: readonly FieldName[] }> = new Map([
  ['MX', { pattern: /^(\d+)\s+(\S+)$/, fields: ['priority'] }],
  [
    'SRV',
    {
      pattern: /^(?:(\d+)\s+)?(\d+)\s+(\d+)\s+(\S+)$/,
      fields: ['priority', 'weight', 'port'],
    },
  ],
  ['CAA', { pattern: /^(?:(\d+)\s+)?([a-z][a-z0-9]*)\s+(.+)$/is, fields: ['flags', 'tag'] }],
]);

/**
 * Parts a content into the fields that stand in front of it and the rest: `10 mail.example.com` of MX;
 * `10 5 443 a.example.com` and `5 443 a.example.com` of SRV; `0 issue "ca.example"` and `issue "ca.example"` of CAA.
 */
export function splitContent(type: string, content: string): { rest: string; fields: GivenFields } {
  // White space at the edges of a text may be a part of it.
  const rest = type === 'TXT' ? content : content.trim();
  const form = inFront.get(type);
  const parts = form?.pattern.exec(rest);
  if (form === undefined || parts === null || parts === undefined)
    return { rest, fields: new Map() };
  const fields = new Map<FieldName, FieldValue>();
  for (const [index, field] of form.fields.entries()) {
    const part = parts[index + 1];
    if (part !== undefined) fields.set(field, field === 'tag' ? part : Number(part));
  }
  return { rest: parts.at(-1) ?? '', fields };
}

/** True for an IPv4 address in four decimal parts, none of which could be read as octal. */
export function isIpv4(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** True for an IPv6 address without a zone. */
export function isIpv6(text: string): boolean {
  const embedded = text.includes('.') ? text.slice(text.lastIndexOf(':') + 1) : undefined;
  const isProper = embedded === undefined || isIpv4(embedded);
  return isProper && !text.includes('%') && ipaddr.IPv6.isValid(text);
}

/** The spelling of an IPv6 address that RFC 5952 recommends; other text as it is. */
function canonicalIpv6(text: string): string {
  return isIpv6(text) ? ipaddr.IPv6.parse(text).toRFC5952String() : text;
}

/** An issuer, before the first `;`, is a domain's name; its parameters are taken as they are. */
function canonicalIssuer(value: string): string {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  return [issuer.toLowerCase().replace(/\.$/, ''), ...parameters].join(';');
}

/** Unknown types are compared without regard to white space and last dots; case may mean something there. */
function canonicalUnknown(content: string): string {
  return content
    .split(/\s+/)
    .map((word) => word.replace(/(?<=.)\.$/, ''))
    .join(' ');
}

/**
 * What a content may mean, in one spelling: contents that share a reading are the same.
 *
 * @param rest the content without the fields in front of it
 * @param tag of a CAA record, which says what the content is
 */
export function contentReadings(
  domain: string,
  type: string,
  rest: string,
  tag: FieldValue | undefined,
): [string, ...string[]] {
  if (targetTypes.has(type)) return targetReadings(domain, rest);
  if (type === 'A') return [rest];
  if (type === 'AAAA') return [canonicalIpv6(rest)];
  if (type === 'TXT') return textReadings(rest);
  if (type !== 'CAA') return [canonicalUnknown(rest)];
  // No issuer, URL or telephone number holds a quote or a backslash.
  const value = rest.replace(/["\\]/g, '');
  return [String(tag).startsWith('issue') ? canonicalIssuer(value) : value];
}
