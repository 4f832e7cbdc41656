import type { DnsRecord } from '../../../contract/dns-record.ts';
import { contentReadings, splitContent } from './content.ts';
import { fullName } from './name.ts';
import {
  type DeclaredRecord,
  type FieldName,
  type FieldValue,
  type GivenFields,
  givenFields,
} from './record.ts';

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
