import type { DnsRecord, WriteDnsRecord } from '../../contract/dns-record.ts';
import type { Undeclared } from '../../kernel/change.ts';
import { clean } from '../../kernel/text/clean.ts';
import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';

/** A record as the site file gives it: only the fields that the user wrote. */
export type DeclaredRecord = Readonly<WriteDnsRecord['record']>;

/** The record that a write sends. */
export type RecordBody = WriteDnsRecord['record'];

/** What may stand beside type, name and content (section "DNS record"). */
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

/** The fields that a record gives: one that is absent or null is not given. */
export function givenFields(record: DeclaredRecord | DnsRecord): Map<FieldName, FieldValue> {
  const given = new Map<FieldName, FieldValue>();
  for (const field of fieldNames) {
    const value = record[field];
    if (value !== undefined && value !== null) given.set(field, value);
  }
  return given;
}

/**
 * True if the system manages a record, so that it must never be written. Of `managedBy` only the value
 * `customer` is shown (section "DNS record"): any other word is the system's, and none at all the customer's.
 */
export function isManaged({ managedBy }: DnsRecord): boolean {
  const manager = managedBy?.trim().toLowerCase() ?? '';
  return manager !== '' && manager !== 'customer';
}

/** A record's type and full name, as messages show them: `MX example.com`. */
export function recordTitle({ type, name }: { type: string; name: string }): string {
  return clean(`${type} ${name}`, 160);
}

/** Makes outside text printable and free of secrets. */
export type Sanitize = (text: string) => SafeText;

/** The most characters that are shown of a text. */
export const longestShown = 80;

/**
 * A content or a field's value, as messages show it: cleaned, cut, texts in quotes.
 *
 * @param sanitize left out: the text holds no secret
 */
export function shown(value: FieldValue, sanitize: Sanitize = unsafeText): SafeText {
  return typeof value === 'string'
    ? safe`"${shorten(sanitize(value), longestShown)}"`
    : unsafeText(String(value));
}

const words: Readonly<Record<Undeclared, SafeText>> = {
  unknown: safe`nothing shows that an earlier version of this file made it`,
  'unknown-text': safe`nothing shows that an earlier version of this file made it, and no tag such as v=spf1 shows that both are for the same thing`,
  'other-text': safe`an earlier version of this file made it with another text: it was changed elsewhere, or the service gave its id to another record`,
};

/** Why a record does not count as one that the file declared, in words. */
export function describeUndeclared(why: Undeclared | undefined): SafeText {
  return words[why ?? 'unknown'];
}
