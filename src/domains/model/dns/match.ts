import type { DnsRecord } from '../../../contract/dns-record.ts';
import type { Undeclared } from '../../../kernel/change.ts';
import { type KnownRecords, knowledgeOf } from './known.ts';
import { differences, isSameRecord, type Normal } from './normal.ts';
import { type DeclaredRecord, isManaged, type Sanitize, shown } from './record.ts';
import { textTag } from './text-tag.ts';

type NormalDeclared = Normal<DeclaredRecord>;
type ObservedRecord = Normal<DnsRecord>;

interface Pair {
  declared: NormalDeclared;
  observed: ObservedRecord;
}

/** What a declared record is matched with: a record to keep or update, nothing, or a reason to stop. */
export type Match =
  | ({ kind: 'matched' } & Pair)
  /** A record whose place it would take, although nothing shows that the file declared it. */
  | ({ kind: 'undeclared'; why: Undeclared } & Pair)
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

/** Why nothing shows that the file declared a record. */
function whyUndeclared({ observed }: Pair, known: KnownRecords): Undeclared {
  if (knowledgeOf(observed, known) === 'moved') return 'other-text';
  return observed.type === 'TXT' ? 'unknown-text' : 'unknown';
}

/** Whether two texts have one tag, which no other free record has: then they are for the same thing. */
function shareTag(free: ReadonlySet<ObservedRecord>) {
  const counts = new Map<string, number>();
  for (const one of free) {
    const tag = textTag(one) ?? '';
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return (declared: NormalDeclared, observed: ObservedRecord): boolean => {
    const tag = textTag(declared);
    return tag !== undefined && tag === textTag(observed) && counts.get(tag) === 1;
  };
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
 * the same content, then those that are known to be the same: texts of one tag, the one CNAME, what the file declared
 * before. What is left goes by order, and takes the place of what the file did not declare. A record that the system manages is only ever matched by its equal. A
 * declared one that would change it, or stand beside it where the system's leave no room, is refused.
 *
 * @param zone the registered domain's full name
 * @param observed in an order that does not change from one answer of the service to the next
 * @param sanitize makes what the service shows printable and free of secrets
 * @param known the records that the file declared before
 */
export function matchGroup(
  zone: string,
  declared: readonly NormalDeclared[],
  observed: readonly ObservedRecord[],
  sanitize: Sanitize,
  known: KnownRecords,
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
  const isKnown = (_: NormalDeclared, one: ObservedRecord) => knowledgeOf(one, known) === 'known';
  const ofTag = take(
    open,
    customers,
    (one, other) =>
      isKnown(one, other) && textTag(one) !== undefined && textTag(one) === textTag(other),
  );
  const oneTag = take(open, customers, shareTag(customers));
  const byId = take(open, customers, isKnown);
  const isOneCname = (one: NormalDeclared) => one.type === 'CNAME' && customers.size === 1;
  const cname = take(open, customers, isOneCname);
  const byOrder = take(open, customers, () => true);
  const undeclared = byOrder.map(
    (pair): Match => ({ kind: 'undeclared', why: whyUndeclared(pair, known), ...pair }),
  );
  return [
    ...[...equal, ...same, ...ofTag, ...oneTag, ...byId, ...cname].map(matched),
    ...undeclared,
    ...attempts.map((pair) => refused(pair, sanitize)),
    ...Array.from(open, (one): Match => ({ kind: 'alone', declared: one })),
  ];
}
