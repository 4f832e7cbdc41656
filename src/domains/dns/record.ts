import type { DnsRecord, WriteDnsRecord } from '../../contract/dns-record.ts';
import type { Undeclared } from '../../kernel/change.ts';
import { clean, type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';

/** A record as declared in the site file. */
export type DeclaredRecord = Readonly<WriteDnsRecord['record']>;

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
export type FieldName = (typeof fieldNames)[number];
export type FieldValue = string | number | boolean;
export type GivenFields = ReadonlyMap<FieldName, FieldValue>;

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
export type Sanitize = (text: string) => SafeText;

/** The most characters shown of a text. */
export const longestShown = 80;

/**
 * A content or a field's value for messages: cleaned, shortened, texts in quotes.
 *
 * @param sanitize omit only if the text has no secret
 */
export function shown(value: FieldValue, sanitize: Sanitize = unsafeText): SafeText {
  return typeof value === 'string'
    ? safe`"${shorten(sanitize(value), longestShown)}"`
    : unsafeText(String(value));
}

const reasons: Readonly<Record<Undeclared, SafeText>> = {
  unknown: safe`no earlier run is known to have written it from this file`,
  'unknown-text': safe`no earlier run is known to have written it from this file, and the texts share no tag such as v=spf1`,
  'other-text': safe`an earlier run wrote another text: it was changed elsewhere, or the service reused its id`,
};

/** Why a record does not count as declared by the file. */
export function describeUndeclared(why: Undeclared | undefined): SafeText {
  return reasons[why ?? 'unknown'];
}
