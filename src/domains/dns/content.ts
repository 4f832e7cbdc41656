import { Buffer } from 'node:buffer';
import ipaddr from 'ipaddr.js';
import type { DnsRecord } from '../../contract/dns-record.ts';
import { fullName, targetReadings } from './name.ts';
import {
  type DeclaredRecord,
  type FieldName,
  type FieldValue,
  type GivenFields,
  givenFields,
} from './record.ts';

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

/** A record in one spelling, with its place in the list that it came from. */
export interface Normal<R extends DeclaredRecord | DnsRecord = DeclaredRecord | DnsRecord> {
  record: R;
  index: number;
  /** In upper case. */
  type: string;
  /** The full name, as `fullName` gives it. */
  name: string;
  /** What the content may mean, without the fields that stood in front of it. */
  readings: readonly string[];
  /** The fields that were given; one in front of the content wins, because the other may be computed. */
  fields: GivenFields;
}

/** Brings a record of the file or of the service into one spelling. It never throws, whatever they hold. */
export function normalise<R extends DeclaredRecord | DnsRecord>(
  domain: string,
  record: R,
  index: number,
): Normal<R> {
  const type = record.type.trim().toUpperCase();
  const { rest, fields: before } = splitContent(type, record.content);
  const fields = new Map([...givenFields(record), ...before]);
  const tag = fields.get('tag');
  if (typeof tag === 'string') fields.set('tag', tag.trim().toLowerCase());
  const readings = contentReadings(domain, type, rest, fields.get('tag'));
  return { record, index, type, name: fullName(domain, record.name), readings, fields };
}

/** What records must share to be matched: the full name and the type. */
export function groupKey({ type, name }: Normal): string {
  return `${name} ${type}`;
}

/** One field in which a record differs from what is declared. */
export interface Difference {
  field: 'content' | FieldName;
  /** The whole value that the service shows; undefined if it shows none. */
  from: FieldValue | undefined;
  to: FieldValue;
}

const zeroOf: Readonly<Record<string, FieldValue>> = { string: '', number: 0, boolean: false };

/** A field that the service does not show counts as empty: some leave empty ones out of their answers. */
function sameField(wanted: FieldValue, found: FieldValue | undefined): boolean {
  return wanted === (found ?? zeroOf[typeof wanted]);
}

function sameContent(a: Normal, b: Normal): boolean {
  return a.readings.some((reading) => b.readings.includes(reading));
}

/**
 * How an observed record of the same type and name differs from a declared one. Only what the user gave is
 * compared, so a field that the service computed is no difference.
 */
export function differences(declared: Normal, observed: Normal): Difference[] {
  const content: Difference[] = sameContent(declared, observed)
    ? []
    : [{ field: 'content', from: observed.record.content, to: declared.record.content }];
  const fields = [...declared.fields].flatMap(([field, wanted]) => {
    const found = observed.fields.get(field);
    if (sameField(wanted, found)) return [];
    return [{ field, from: found, to: wanted }];
  });
  return [...content, ...fields];
}

const keyFields: readonly FieldName[] = ['tag', 'port'];

/**
 * True if two records of one type and name stand for the same thing, so that a zone needs one of them only:
 * the same content, CAA tag and SRV port. Priority, weight, flags, TTL and the rest are settings of it.
 */
export function isSameRecord(a: Normal, b: Normal): boolean {
  return (
    sameContent(a, b) && keyFields.every((field) => a.fields.get(field) === b.fields.get(field))
  );
}

/**
 * True if a record that the service shows, or answers a write with, is what was declared. After a write
 * whose answer was lost, it finds that write's record.
 */
export function isAsDeclared(domain: string, declared: DeclaredRecord, answer: DnsRecord): boolean {
  const [wanted, found] = [normalise(domain, declared, 0), normalise(domain, answer, 0)];
  return groupKey(wanted) === groupKey(found) && differences(wanted, found).length === 0;
}

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
