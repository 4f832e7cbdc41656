import type { DnsRecord } from '../../contract/dns-record.ts';
import { digestOf, type Undeclared } from '../../kernel/change.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { ZoneProblem } from './check.ts';
import {
  type Difference,
  differences,
  isSameRecord,
  type Normal,
  normalise,
  targetTypes,
} from './content.ts';
import { describeDifference } from './describe.ts';
import { asciiName } from './name.ts';
import {
  type DeclaredRecord,
  isManaged,
  type RecordBody,
  recordTitle,
  type Sanitize,
  shown,
} from './record.ts';

/**
 * The record that a write sends: exactly the fields that the user gave, in the user's spelling, because
 * which fields and spellings the service takes is not shown. Only the type is put in upper case, an empty
 * name is `@`, and names in other scripts are put in punycode, without which they are no DNS names.
 */
function bodyOf(declared: DeclaredRecord): RecordBody {
  const type = declared.type.trim().toUpperCase();
  const name = asciiName(declared.name.trim()) || '@';
  const content = declared.content.trim();
  const isTarget = targetTypes.has(type);
  return { ...declared, type, name, content: isTarget ? asciiName(content) : content };
}

/** What is to be done about one declared record. */
export type RecordPlan = {
  declared: DeclaredRecord;
  /** Its place in the file's list. */
  index: number;
  /** In upper case. */
  type: string;
  /** The full name, in lower case and punycode. */
  name: string;
  /** Why, for a person; cut. */
  reason: SafeText;
} & (
  | { action: 'create'; body: RecordBody }
  | {
      action: 'update';
      observed: DnsRecord;
      id: string;
      body: RecordBody;
      differences: readonly Difference[];
      /** Why the one whose place it takes does not count as the file's; absent if it does. */
      undeclared?: Undeclared;
    }
  | { action: 'none'; observed: DnsRecord }
);

type NormalDeclared = Normal<DeclaredRecord>;
type ObservedRecord = Normal<DnsRecord>;

const problemOf = (declared: NormalDeclared, message: string): ZoneProblem => ({
  index: declared.index,
  message: `${recordTitle(declared)}: ${message}`,
  fault: message,
});

/**
 * A record of the service that a new one may not stand beside, because one of the two is a CNAME. One that
 * the service shows at the apex is no such thing: it can only be answered with its target's addresses there.
 */
function conflictingRecord(
  zone: string,
  { type, name }: NormalDeclared,
  sameName: readonly ObservedRecord[],
): ObservedRecord | undefined {
  if (name === zone) return undefined;
  return sameName.find((other) => (type === 'CNAME') !== (other.type === 'CNAME'));
}

function refuseBeside({ record, type }: ObservedRecord, sanitize: Sanitize): string {
  const fix = isManaged(record)
    ? 'The system manages it: take this one out of the file'
    : 'Nothing is deleted from here: remove it at the service, or take this one out of the file';
  return `the service has ${type} ${shown(record.content, sanitize)} at this name, and a CNAME stands alone. ${fix}`;
}

function planUpdate(
  { declared, observed, ...match }: Extract<Match, { observed: ObservedRecord }>,
  sanitize: Sanitize,
): RecordPlan | ZoneProblem {
  const { record, index, type, name } = declared;
  const common = { declared: record, observed: observed.record, index, type, name };
  const found = differences(declared, observed);
  if (found.length === 0) {
    const by = isManaged(observed.record) ? safe`, and managed by the system` : safe``;
    return { ...common, action: 'none', reason: safe`already as declared${by}` };
  }
  const { id } = observed.record;
  if (!id) {
    const message = `the service shows no id for ${shown(observed.record.content, sanitize)}, so it cannot be updated: change it at the service`;
    return problemOf(declared, message);
  }
  const reason = joinSafe(
    found.map((one) => describeDifference(one, sanitize)),
    '; ',
  );
  const plan = { ...common, action: 'update' as const, id, body: bodyOf(record) };
  return {
    ...plan,
    differences: found,
    reason,
    ...(match.kind === 'undeclared' && { undeclared: match.why }),
  };
}

/**
 * Plans one declared record by what it was matched with.
 *
 * @param zone the registered domain's full name
 * @param sameName all records of the service that have the declared one's name
 * @param sanitize makes what the service shows printable and free of secrets
 * @returns a problem if it cannot be written
 */
export function planRecord(
  zone: string,
  match: Match,
  sameName: readonly ObservedRecord[],
  sanitize: Sanitize,
): RecordPlan | ZoneProblem {
  const { declared } = match;
  if (match.kind === 'refused') return problemOf(declared, match.message);
  if (match.kind !== 'alone') return planUpdate(match, sanitize);
  const other = conflictingRecord(zone, declared, sameName);
  if (other !== undefined) return problemOf(declared, refuseBeside(other, sanitize));
  const { record, index, type, name } = declared;
  const reason = safe`the service had no such record`;
  return { declared: record, index, type, name, action: 'create', body: bodyOf(record), reason };
}

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

/** The records of a zone that a file declared when it was last applied: of each its id and its mark. */
export type KnownRecords = ReadonlyMap<string, string>;

/** Nothing is remembered. */
export const nothingKnown: KnownRecords = new Map();

/** How much of a digest tells a zone's records apart, in hex digits. */
const markLength = 20;

/**
 * What must be as it was for a record to count as the one that had its id: an id may be given anew. Of a text, beside
 * which others of its name stand for something else, that is its content; of any other record, whose content may have
 * been changed elsewhere, it is not.
 *
 * @returns a mark for each reading of the content
 */
function marksOf({ type, name, fields, readings }: Normal): string[] {
  const own = [type, name, fields.get('tag') ?? null, fields.get('port') ?? null];
  const all = type === 'TXT' ? readings.map((reading) => [...own, reading]) : [own];
  return all.map((facts) => digestOf(facts).slice(0, markLength));
}

/** How a record of the service stands to what is remembered. */
export type Knowledge = 'known' | 'moved' | 'unknown';

/** Whether a record of the service is one that the file declared; `moved`: its id is known, for another text. */
export function knowledgeOf(record: Normal<DnsRecord>, known: KnownRecords): Knowledge {
  const mark = known.get(record.record.id ?? '');
  if (mark === undefined) return 'unknown';
  return marksOf(record).includes(mark) ? 'known' : 'moved';
}

/** What is remembered of which the id tells one record: one that the service shows twice is none that is known. */
export function withoutDoubles(known: KnownRecords, records: readonly DnsRecord[]): KnownRecords {
  const seen = Map.groupBy(records, ({ id }) => id);
  return new Map([...known].filter(([id]) => (seen.get(id)?.length ?? 0) < 2));
}

/**
 * What is to be remembered of a zone after an apply: the records that the file declares now, and no others.
 *
 * @param written the records as the service answered their writes
 */
export function rememberRecords(
  domain: string,
  records: readonly RecordPlan[],
  written: ReadonlyMap<RecordPlan, DnsRecord>,
  known: KnownRecords,
): KnownRecords {
  const next = new Map<string, string>();
  for (const plan of records) {
    const answer = written.get(plan);
    const observed = plan.action === 'create' ? undefined : plan.observed;
    const id = answer?.id ?? observed?.id ?? '';
    const left = answer ?? (plan.action === 'none' ? observed : undefined);
    // One whose write failed is known as well as it was before.
    const mark = left === undefined ? known.get(id) : marksOf(normalise(domain, left, 0))[0];
    if (id !== '' && mark !== undefined) next.set(id, mark);
  }
  return next;
}

/** `v=spf1`, `v=DMARC1`: the version is part of what such a text is. */
const versionTag = /^v=[^\s;]+/i;
/** `google-site-verification=`: the name of what follows. */
const nameTag = /^[a-z0-9][a-z0-9._-]*=/i;

/**
 * What a text says at its begin that it is for: `v=spf1`, `v=DMARC1`, `name=`.
 *
 * @returns in lower case; undefined if it does not say, or is no text
 */
export function textTag({ type, readings: [text = ''] }: Normal): string | undefined {
  if (type !== 'TXT') return undefined;
  const begin = text.trimStart().slice(0, 256);
  return (versionTag.exec(begin) ?? nameTag.exec(begin))?.[0].toLowerCase();
}
