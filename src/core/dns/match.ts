import type { DnsRecord } from '../../contract/dns-record.ts';
import { differences, isSameRecord, type Normal } from './normal.ts';
import { type DeclaredRecord, isManaged, type Sanitize, shown } from './record.ts';

type NormalDeclared = Normal<DeclaredRecord>;
type ObservedRecord = Normal<DnsRecord>;

interface Pair {
  declared: NormalDeclared;
  observed: ObservedRecord;
}

/** What a declared record is matched with: a record to keep or update, nothing, or a reason to stop. */
export type Match =
  | ({ kind: 'matched' } & Pair)
  | { kind: 'alone'; declared: NormalDeclared }
  | { kind: 'refused'; declared: NormalDeclared; message: string };

const isEqual = (declared: NormalDeclared, observed: ObservedRecord): boolean =>
  differences(declared, observed).length === 0;

const matched = (pair: Pair): Match => ({ kind: 'matched', ...pair });

function refused({ declared, observed: { record } }: Pair, sanitize: Sanitize): Match {
  const why = record.managedReason ? ` (${shown(record.managedReason, sanitize)})` : '';
  const message = `the system manages the record ${shown(record.content, sanitize)} of this type and name${why}, and it is never written: take this one out of the file, or declare it as it is`;
  return { kind: 'refused', declared, message };
}

/** True if the system's records leave no room for others: one alone may stand, or they delegate the domain. */
function isSingle(zone: string, { type, name }: Normal): boolean {
  return type === 'CNAME' || type === 'SOA' || (type === 'NS' && name === zone);
}

/** Pairs each declared record with a free one that fits, in order, and takes both out of the sets. */
function take(
  open: Set<NormalDeclared>,
  free: Set<ObservedRecord>,
  fits: (declared: NormalDeclared, observed: ObservedRecord) => boolean,
): Pair[] {
  return [...open].flatMap((declared) => {
    const observed = free.values().find((one) => fits(declared, one));
    if (observed === undefined) return [];
    open.delete(declared);
    free.delete(observed);
    return [{ declared, observed }];
  });
}

/**
 * Matches the declared records of one type and name with the observed ones: equal ones first, then those of
 * the same content, then by order. A record that the system manages is only ever matched by its equal. A
 * declared one that would change it, or stand beside it where the system's leave no room, is refused.
 *
 * @param zone the registered domain's full name
 * @param observed in an order that does not change from one answer of the service to the next
 * @param sanitize makes what the service shows printable and free of secrets
 */
export function matchGroup(
  zone: string,
  declared: readonly NormalDeclared[],
  observed: readonly ObservedRecord[],
  sanitize: Sanitize,
): Match[] {
  const open = new Set(declared);
  const customers = new Set(observed.filter(({ record }) => !isManaged(record)));
  const managed = new Set(observed.filter(({ record }) => isManaged(record)));
  const equal = [...take(open, customers, isEqual), ...take(open, managed, isEqual)];
  const same = take(open, customers, isSameRecord);
  const attempts = [...open].flatMap((one): Pair[] => {
    const target = [...managed].find((other) => isSingle(zone, one) || isSameRecord(one, other));
    if (target === undefined) return [];
    open.delete(one);
    return [{ declared: one, observed: target }];
  });
  const byOrder = take(open, customers, () => true);
  return [
    ...[...equal, ...same, ...byOrder].map(matched),
    ...attempts.map((pair) => refused(pair, sanitize)),
    ...Array.from(open, (one): Match => ({ kind: 'alone', declared: one })),
  ];
}
