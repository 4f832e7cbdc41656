import { Buffer } from 'node:buffer';
import { isIPv6 } from 'node:net';
import type { DnsRecord, WriteDnsRecord } from '../../contract/dns-record.ts';
import type { ShownDifference } from '../../kernel/change.ts';
import {
  clean,
  joinSafe,
  type SafeText,
  safe,
  shorten,
  unsafeText,
} from '../../kernel/text/safe.ts';
import { fullName, targetReadings } from './name.ts';

/** A record as declared in the site file. */
export type DeclaredRecord = Readonly<WriteDnsRecord['record']> & {
  /** The content of the record whose place it takes, or its content and priority. */
  readonly replaces?: string | { readonly content: string; readonly priority?: number };
};

/** The record that a write sends. */
export type RecordBody = WriteDnsRecord['record'];

/** The fields other than type, name and content (section "DNS record"). */
export const fieldNames = [
  'priority',
  'weight',
  'port',
  'flags',
  'tag',
  'ttl',
  'comment',
  'proxied',
] as const;
/** One of them. */
export type FieldName = (typeof fieldNames)[number];
/** The value of such a field. */
export type FieldValue = string | number | boolean;
type GivenFields = ReadonlyMap<FieldName, FieldValue>;

/** The fields of a record that are not absent or null. */
export function givenFields(record: DeclaredRecord | DnsRecord): Map<FieldName, FieldValue> {
  const given = new Map<FieldName, FieldValue>();
  for (const field of fieldNames) {
    const value = record[field];
    if (value !== undefined && value !== null) given.set(field, value);
  }
  return given;
}

/**
 * True if the service manages a record, so that it must never be written. The section "DNS record" shows only
 * `managedBy: customer`: any other value means the service, and none the customer.
 */
export function isManaged({ managedBy }: DnsRecord): boolean {
  const manager = managedBy?.trim().toLowerCase() ?? '';
  return manager !== '' && manager !== 'customer';
}

/** A record's type and full name for messages: `MX example.com`. */
export function recordTitle({ type, name }: { type: string; name: string }): string {
  return clean(`${type} ${name}`, 160);
}

/** Makes outside text printable and free of secrets. */
export type SanitizeLine = (text: string) => SafeText;

/** The most characters shown of a text. */
export const longestShown = 80;

/**
 * A content or a field's value for messages: cleaned, shortened, texts in quotes.
 *
 * @param sanitize omit only if the text has no secret
 */
export function shown(value: FieldValue, sanitize: SanitizeLine = unsafeText): SafeText {
  return typeof value === 'string'
    ? safe`"${shorten(sanitize(value), longestShown)}"`
    : safe`${value}`;
}

/** Types whose content is the name of a host. */
export const targetTypes: ReadonlySet<string> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SRV']);

/** Fields that precede the content in a zone file, as groups of these patterns. */
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
  ['HTTPS', { pattern: /^(\d+)\s+(\S.*)$/s, fields: ['priority'] }],
  ['SVCB', { pattern: /^(\d+)\s+(\S.*)$/s, fields: ['priority'] }],
  ['URI', { pattern: /^(?:(\d+)\s+)?(\d+)\s+(\S+)$/, fields: ['priority', 'weight'] }],
]);

/**
 * Splits a content into preceding fields and the rest: `10 mail.example.com` for MX; `10 5 443 a.example.com` and
 * `5 443 a.example.com` for SRV; `0 issue "ca.example"` and `issue "ca.example"` for CAA; `1 . alpn=h3` for HTTPS.
 */
export function splitContent(type: string, content: string): { rest: string; fields: GivenFields } {
  // Outer white space may be part of a text.
  const rest = type === 'TXT' ? content : content.trim();
  const form = inFront.get(type);
  const [, ...parts] = form?.pattern.exec(rest) ?? [];
  const fields = new Map<FieldName, FieldValue>();
  for (const [index, field] of form?.fields.entries() ?? []) {
    const part = parts[index];
    if (part !== undefined) fields.set(field, field === 'tag' ? part : Number(part));
  }
  return { rest: parts.at(-1) ?? rest, fields };
}

/** Validated types whose content may be several words, as in a zone file, where tabs and spaces separate them. */
const severalWords: ReadonlySet<string> = new Set(['CAA', 'MX', 'SRV']);

/** A content as it is sent: without outer white space, and with one space between words. */
export function contentToSend(type: string, content: string): string {
  const trimmed = content.trim();
  if (!severalWords.has(type)) return trimmed;
  const quotedOrBlank = /("(?:[^"\\]|\\.)*"?)|[ \t]+/gs;
  return trimmed.replace(quotedOrBlank, (_, quoted: string | undefined) => quoted ?? ' ');
}

/** True for an IPv6 address without a zone, which no DNS record has. */
export const isUnscopedIpv6 = (text: string): boolean => isIPv6(text) && !text.includes('%');

/** An IPv6 address as a URL has it, in hexadecimal and compressed; other text unchanged. */
const canonicalIpv6 = (text: string): string =>
  isUnscopedIpv6(text) ? new URL(`http://[${text}]`).hostname : text;

/** An issuer, before the first `;`, is a domain name; its parameters stay unchanged. */
function canonicalIssuer(value: string): string {
  const [issuer = '', ...parameters] = value.split(';').map((part) => part.trim());
  return [issuer.toLowerCase().replace(/\.$/, ''), ...parameters.filter(Boolean)].join(';');
}

/** The words of a content, without their quotes if these contain no white space: `alpn="h3"` is `alpn=h3`. */
function wordsOf(content: string): string[] {
  const words = content.match(/(?:"(?:[^"\\]|\\.)*(?:"|$)|[^\s"])+/gs) ?? [];
  return words.map((word) => (/\s/.test(word) ? word : word.replaceAll('"', '')));
}

/** A parameter of an HTTPS or SVCB record, such as `alpn=h3`. */
function canonicalParameter(word: string): string {
  const at = word.includes('=') ? word.indexOf('=') : word.length;
  const [key, value] = [word.slice(0, at).toLowerCase(), word.slice(at + 1)];
  const values = value.split(',');
  if (key === 'ipv6hint') return `${key}=${values.map(canonicalIpv6).join()}`;
  if (key === 'mandatory') return `${key}=${values.sort().join()}`;
  return key === 'port' ? `${key}=${Number(value)}` : `${key}=${value}`;
}

/** The target and the parameters of an HTTPS or SVCB record; the order of the parameters has no meaning. */
function serviceReadings(domain: string, rest: string): string[] {
  const [target = '', ...parameters] = wordsOf(rest);
  const sorted = parameters.map(canonicalParameter).sort();
  return targetReadings(domain, target).map((reading) => [reading, ...sorted].join(' '));
}

/** Types whose content ends in hexadecimal digits, in any case and any pieces, and how many numbers precede these. */
const hexTypes: ReadonlyMap<string, number> = new Map([
  ['CDS', 3],
  ['DS', 3],
  ['SMIMEA', 3],
  ['SSHFP', 2],
  ['TLSA', 3],
]);

/** Types whose content ends in base64, in any pieces, and how many words precede it. */
const base64Types: ReadonlyMap<string, number> = new Map([
  ['CDNSKEY', 3],
  ['CERT', 3],
  ['DNSKEY', 3],
  ['OPENPGPKEY', 0],
]);

/** Types whose content is the name of a host, too, which the service may not know. */
const aliasTypes: ReadonlySet<string> = new Set(['ALIAS', 'ANAME', 'DNAME']);

/** Joins what follows the first words. */
function canonicalPieces(content: string, count: number): string {
  const words = content.split(/\s+/);
  const numbers = words.slice(0, count).map((word) => word.replace(/^0+(?=\d)/, ''));
  return [...numbers, words.slice(count).join('')].join(' ');
}

/**
 * The possible normalized meanings of a content. Contents with a common reading are the same.
 *
 * @param rest the content without preceding fields
 * @param tag for a CAA record
 */
function contentReadings(
  domain: string,
  type: string,
  rest: string,
  tag: FieldValue | undefined,
): readonly string[] {
  if (targetTypes.has(type) || aliasTypes.has(type)) return targetReadings(domain, rest);
  if (type === 'A') return [rest];
  if (type === 'AAAA') return [canonicalIpv6(rest)];
  if (type === 'TXT') return textReadings(rest);
  if (type === 'HTTPS' || type === 'SVCB') return serviceReadings(domain, rest);
  const beforeHex = hexTypes.get(type);
  if (beforeHex !== undefined) return [canonicalPieces(rest.toLowerCase(), beforeHex)];
  const beforeBase64 = base64Types.get(type);
  if (beforeBase64 !== undefined) return [canonicalPieces(rest, beforeBase64)];
  // Unknown types are compared without white space, quotes and last dots, but with case.
  if (type !== 'CAA')
    return [
      wordsOf(rest)
        .map((word) => word.replace(/(?<=.)\.$/, ''))
        .join(' '),
    ];
  // No issuer, URL or telephone number contains a quote or a backslash.
  const value = rest.replace(/["\\]/g, '');
  // `replaces` may name a record without its tag.
  if (tag === undefined) return [value, canonicalIssuer(value)];
  return [String(tag).startsWith('issue') ? canonicalIssuer(value) : value];
}

/** A normalized record, with its index in the original list. */
export interface Normal<R extends DeclaredRecord | DnsRecord = DeclaredRecord | DnsRecord> {
  record: R;
  index: number;
  /** In upper case. */
  type: string;
  /** The full name, as `fullName` gives it. */
  name: string;
  /** The possible meanings of the content, without preceding fields. */
  readings: readonly string[];
  /** The given fields; one that precedes the content takes precedence, because the other may be computed. */
  fields: GivenFields;
}

/** A normalized record of the file. */
export type NormalDeclared = Normal<DeclaredRecord>;

/** Normalizes a record of the file or the service. It never throws. */
export function normalize<R extends DeclaredRecord | DnsRecord>(
  domain: string,
  record: R,
  index: number,
): Normal<R> {
  const type = record.type.trim().toUpperCase();
  const { rest, fields: before } = splitContent(type, record.content);
  const fields = new Map([...givenFields(record), ...before]);
  const tag = fields.get('tag');
  if (typeof tag === 'string') fields.set('tag', tag.trim().toLowerCase());
  const comment = fields.get('comment');
  if (typeof comment === 'string') fields.set('comment', comment.trim());
  const readings = contentReadings(domain, type, rest, fields.get('tag'));
  return { record, index, type, name: fullName(domain, record.name), readings, fields };
}

/** The record whose place a declared one takes; undefined if the file names none. */
export function replacedBy(
  domain: string,
  { record: { type, name, replaces }, index }: NormalDeclared,
): NormalDeclared | undefined {
  if (replaces === undefined) return undefined;
  const named = typeof replaces === 'string' ? { content: replaces } : replaces;
  return normalize(domain, { type, name, ...named }, index);
}

/** The key by which records are matched: full name and type. */
export function groupKey({ type, name }: Normal): string {
  return `${name} ${type}`;
}

/** One field in which a record differs from the declared one. */
export interface Difference {
  field: 'content' | FieldName;
  /** The complete value on the service; undefined if there is none. */
  from: FieldValue | undefined;
  to: FieldValue;
}

/** A field that is missing on the service counts as empty. */
const zeroOf: Readonly<Record<string, FieldValue>> = { string: '', number: 0, boolean: false };

function sameContent(a: Normal, b: Normal): boolean {
  return a.readings.some((reading) => b.readings.includes(reading));
}

/** True if the DNS provider returns its own addresses for a record, so that a CNAME is resolved before DNS shows it. */
export const isProxied = ({ fields }: Normal): boolean => fields.get('proxied') === true;

/** The TTL that stands for one that the service chooses. */
const automaticTtl = 1;

/** True if the service keeps its own TTL for a proxied record, whatever the file has. */
export function keepsTtl(declared: Normal, observed: Normal): boolean {
  const ttl = declared.fields.get('ttl') ?? automaticTtl;
  const stays = isProxied(observed) && declared.fields.get('proxied') !== false;
  return stays && observed.fields.get('ttl') === automaticTtl && ttl !== automaticTtl;
}

/** What {@link keepsTtl} means for the file. */
export const ttlIsKept = safe`ttl: the service keeps 1 for a proxied record; remove ttl from the file`;

/**
 * How an observed record of the same type and name differs from a declared one. Only declared fields are compared, so a
 * field that the service computed is not a difference.
 */
export function differences(declared: Normal, observed: Normal): Difference[] {
  const found: Difference[] = [];
  if (!sameContent(declared, observed)) {
    found.push({ field: 'content', from: observed.record.content, to: declared.record.content });
  }
  for (const [field, to] of declared.fields) {
    const from = observed.fields.get(field);
    const isSame = to === (from ?? zeroOf[typeof to]);
    if (!isSame && !(field === 'ttl' && keepsTtl(declared, observed)))
      found.push({ field, from, to });
  }
  return found;
}

/** The field that belongs to a record's identity; other types may show a computed one. */
const keyFields: ReadonlyMap<string, FieldName> = new Map([
  ['CAA', 'tag'],
  ['SRV', 'port'],
]);

/**
 * True if two records of one type and name are duplicates: same content, CAA tag and SRV port. Priority, weight, flags,
 * TTL and other fields are their settings.
 */
export function isSameRecord(a: Normal, b: Normal): boolean {
  const field = keyFields.get(a.type);
  if (field !== undefined && (a.fields.get(field) ?? 0) !== (b.fields.get(field) ?? 0))
    return false;
  return sameContent(a, b);
}

/**
 * True if a record from the service is as declared. After a lost response, this finds the record that was written.
 */
export function isAsDeclared(domain: string, declared: DeclaredRecord, answer: DnsRecord): boolean {
  const [desired, found] = [normalize(domain, declared, 0), normalize(domain, answer, 0)];
  return groupKey(desired) === groupKey(found) && differences(desired, found).length === 0;
}

/**
 * What the service has in place of declared values, and what to change in the file, so that no later plan shows it
 * again.
 *
 * @param sanitize makes outside text printable and free of secrets
 * @returns undefined if the record is as declared
 */
export function describeKept(
  domain: string,
  declared: DeclaredRecord,
  answer: DnsRecord,
  sanitize: SanitizeLine,
): SafeText | undefined {
  const [desired, found] = [normalize(domain, declared, 0), normalize(domain, answer, 0)];
  if (keepsTtl(desired, found)) return ttlIsKept;
  const kept = differences(desired, found).map(({ field, from }) => {
    const value = from === undefined ? safe`no value` : shown(from, sanitize);
    const fix = field === 'content' ? safe`write that in` : safe`remove ${field} from`;
    return safe`${field}: the service keeps ${value}; ${fix} the file`;
  });
  return kept.length === 0 ? undefined : safe`${joinSafe(kept, '; ')}, or each plan shows it again`;
}

/** Only strings in quotes. */
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
 * The strings of a quoted text, as in zone files: `"one" "two"`.
 *
 * @returns their bytes, one character for each (beyond 255 for an invalid escape); undefined if the text is not quoted
 */
export function quotedStrings(text: string): string[] | undefined {
  const trimmed = text.trim();
  if (!quotedOnly.test(trimmed)) return undefined;
  return Array.from(trimmed.matchAll(quotedString), ([, inner = '']) => resolve(inner));
}

/**
 * The possible meanings of a text. Quoted strings are joined and unescaped. An unquoted text is usually literal, but
 * outer white space may be ignored, and some services return it with escapes. A literal text that starts and ends with
 * a quote is read as quoted.
 *
 * @returns bytes, one character for each
 */
export function textReadings(text: string): [string, ...string[]] {
  const strings = quotedStrings(text);
  if (strings !== undefined) return [strings.join('')];
  return [bytes(text), bytes(text.trim()), resolve(text.trim())];
}

/** The number of characters shown before the first difference. */
const before = 16;

/** Two texts, shortened so that their difference is visible. */
function shownApart(from: SafeText, to: SafeText): [SafeText, SafeText] {
  const [one, other] = [shown(from), shown(to)];
  if (one !== other) return [one, other];
  if (from === to) return [one, safe`${other} (different in a hidden part)`];
  let at = 0;
  while (at < from.length && from[at] === to[at]) at += 1;
  const start = Math.max(0, at - before);
  const cut = (text: SafeText) =>
    safe`"…${shorten(unsafeText(text.slice(start)), longestShown - 1)}"`;
  return [cut(from), cut(to)];
}

/**
 * The values of a difference as text: `300 → 60`.
 *
 * @param sanitize makes outside text printable and free of secrets; applied before shortening, because a part of a
 * secret could no longer be recognized
 */
function describeValues({ from, to }: Omit<Difference, 'field'>, sanitize: SanitizeLine): SafeText {
  if (typeof from === 'string' && typeof to === 'string') {
    const [one, other] = shownApart(sanitize(from), sanitize(to));
    return safe`${one} → ${other}`;
  }
  const old = from === undefined ? safe`none` : shown(from, sanitize);
  return safe`${old} → ${shown(to, sanitize)}`;
}

/** A difference as text: `ttl: 300 → 60`. */
export const describeDifference = (
  { field, ...values }: Omit<Difference, 'field'> & { field: string },
  sanitize: SanitizeLine,
): SafeText => safe`${unsafeText(field)}: ${describeValues(values, sanitize)}`;

/** A difference, already sanitized; the field name `content` is omitted. */
export const showDifference = ({ field, from, to }: ShownDifference): SafeText => {
  const values = { from: from ?? undefined, to };
  return field === 'content'
    ? describeValues(values, unsafeText)
    : describeDifference({ field, ...values }, unsafeText);
};
