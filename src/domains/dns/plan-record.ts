import type { DnsRecord } from '../../contract/dns-record.ts';
import { digestOf, isNew, type Undeclared } from '../../kernel/change.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { ZoneProblem } from './check.ts';
import {
  type DeclaredRecord,
  type Difference,
  describeDifference,
  differences,
  isManaged,
  isProxied,
  isSameRecord,
  type Normal,
  normalize,
  type RecordBody,
  recordTitle,
  type SanitizeLine,
  shown,
  targetTypes,
} from './content.ts';
import { asciiName } from './name.ts';

/**
 * The record that a write sends: exactly the declared fields, as written, because the accepted ones are not documented.
 * Only the type is put in upper case, an empty name becomes `@`, and non-ASCII names become punycode.
 */
function bodyOf(declared: DeclaredRecord): RecordBody {
  const type = declared.type.trim().toUpperCase();
  const name = asciiName(declared.name.trim()) || '@';
  const content = declared.content.trim();
  const isTarget = targetTypes.has(type);
  return { ...declared, type, name, content: isTarget ? asciiName(content) : content };
}

/** The plan of one declared record. */
export type RecordPlan = {
  declared: DeclaredRecord;
  /** Its index in the file's list. */
  index: number;
  /** In upper case. */
  type: string;
  /** The full name, in lower case and punycode. */
  name: string;
  /** Shortened. */
  reason: SafeText;
} & (
  | { action: 'create'; body: RecordBody }
  | {
      action: 'update';
      observed: DnsRecord;
      id: string;
      body: RecordBody;
      differences: readonly Difference[];
      /** Why the replaced record does not count as declared by the file; absent if it does. */
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
 * A record on the service that conflicts with a new one, because one of the two is a CNAME. One at the apex or a proxied
 * one does not conflict: services resolve it to the addresses of its target.
 */
function conflictingRecord(
  zone: string,
  declared: NormalDeclared,
  sameName: readonly ObservedRecord[],
): ObservedRecord | undefined {
  if (declared.name === zone) return undefined;
  return sameName.find((other) => {
    const [cname, second] = [declared, other].filter(({ type }) => type === 'CNAME');
    return cname !== undefined && second === undefined && !isProxied(cname);
  });
}

function describeConflict({ record, type }: ObservedRecord, sanitize: SanitizeLine): string {
  const fix = isManaged(record)
    ? 'The service manages that record: remove this one from the file'
    : 'This action deletes no records: delete it on the service, or remove this one from the file';
  return `the service has ${type} ${shown(record.content, sanitize)} at this name, but a CNAME must be the only record. ${fix}`;
}

function planUpdate(
  { declared, observed, ...match }: Extract<Match, { observed: ObservedRecord }>,
  sanitize: SanitizeLine,
): RecordPlan | ZoneProblem {
  const { record, index, type, name } = declared;
  const common = { declared: record, observed: observed.record, index, type, name };
  const found = differences(declared, observed);
  if (found.length === 0) {
    const by = isManaged(observed.record) ? safe`, managed by the service` : safe``;
    return { ...common, action: 'none', reason: safe`unchanged${by}` };
  }
  const { id } = observed.record;
  if (!id) {
    const message = `the service reports no id for ${shown(observed.record.content, sanitize)}, so it can't be updated: change it on the service`;
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
 * Plans one declared record from its match.
 *
 * @param zone the registered domain's full name
 * @param sameName all records on the service with the same name
 * @param sanitize makes outside text printable and free of secrets
 * @returns a problem if it can't be written
 */
export function planRecord(
  zone: string,
  match: Match,
  sameName: readonly ObservedRecord[],
  sanitize: SanitizeLine,
): RecordPlan | ZoneProblem {
  const { declared } = match;
  if (match.kind === 'refused') return problemOf(declared, match.message);
  if (match.kind !== 'alone') return planUpdate(match, sanitize);
  const other = conflictingRecord(zone, declared, sameName);
  if (other !== undefined) return problemOf(declared, describeConflict(other, sanitize));
  const { record, index, type, name } = declared;
  const body = bodyOf(record);
  return { declared: record, index, type, name, action: 'create', body, reason: isNew };
}

interface Pair {
  declared: NormalDeclared;
  observed: ObservedRecord;
}

/** The match of a declared record: a record to keep or update, none, or a reason to stop. */
export type Match =
  | ({ kind: 'matched' } & Pair)
  /** A record that it would replace, although the file is not known to have declared it. */
  | ({ kind: 'undeclared'; why: Undeclared } & Pair)
  | { kind: 'alone'; declared: NormalDeclared }
  | { kind: 'refused'; declared: NormalDeclared; message: string };

const isEqual = (declared: NormalDeclared, observed: ObservedRecord): boolean =>
  differences(declared, observed).length === 0;

const matched = (pair: Pair): Match => ({ kind: 'matched', ...pair });

function refused({ declared, observed: { record } }: Pair, sanitize: SanitizeLine): Match {
  const why = record.managedReason ? ` (${shown(record.managedReason, sanitize)})` : '';
  const message = `the service manages the record ${shown(record.content, sanitize)} with this type and name${why}, so it can't be changed: remove this record from the file, or declare it unchanged`;
  return { kind: 'refused', declared, message };
}

/** True if no other record of the name and type is allowed with a managed one. */
function isSingle(zone: string, { type, name }: Normal): boolean {
  return type === 'CNAME' || type === 'SOA' || (type === 'NS' && name === zone);
}

/** Why a record is not known to come from the file. */
function whyUndeclared({ observed }: Pair, known: KnownRecords): Undeclared {
  if (knowledgeOf(observed, known) === 'moved') return 'other-text';
  return observed.type === 'TXT' ? 'unknown-text' : 'unknown';
}

/** Whether two texts have the same tag, which no other free record has: then they have the same purpose. */
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

/** Pairs each declared record with a fitting free one, in order, and removes both from the sets. */
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
 * Matches the declared records of one type and name with the observed ones: first equal ones, then those with the same
 * content, then those known to be the same (texts with a common tag, a single CNAME, records that the file declared
 * before), then by order. A managed record only matches an equal one; a declared record that would change it or
 * conflict with it is refused.
 *
 * @param zone the registered domain's full name
 * @param observed in a stable order
 * @param sanitize makes outside text printable and free of secrets
 * @param known the records that the file declared before
 */
export function matchGroup(
  zone: string,
  declared: readonly NormalDeclared[],
  observed: readonly ObservedRecord[],
  sanitize: SanitizeLine,
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

/** The records of a zone that a file declared when it was last applied: id to mark. */
export type KnownRecords = ReadonlyMap<string, string>;

/** For a zone of which no ledger is kept. */
export const nothingKnown: KnownRecords = new Map();

/** The length of a mark, in hex digits. */
const markLength = 20;

/**
 * The marks by which a record is recognized in addition to its id, which may be reused. For TXT they include the
 * content, because other TXT records of the same name have other purposes.
 *
 * @returns a mark for each reading of the content
 */
function marksOf({ type, name, fields, readings }: Normal): string[] {
  const own = [type, name, fields.get('tag') ?? null, fields.get('port') ?? null];
  const all = type === 'TXT' ? readings.map((reading) => [...own, reading]) : [own];
  return all.map((facts) => digestOf(facts).slice(0, markLength));
}

/** How a record on the service relates to the known ones. */
type Knowledge = 'known' | 'moved' | 'unknown';

/** Whether the file declared a record on the service; `moved`: its id is known with another content. */
function knowledgeOf(record: Normal<DnsRecord>, known: KnownRecords): Knowledge {
  const mark = known.get(record.record.id ?? '');
  if (mark === undefined) return 'unknown';
  return marksOf(record).includes(mark) ? 'known' : 'moved';
}

/** The known records without ids that several records on the service have. */
export function withoutDoubles(known: KnownRecords, records: readonly DnsRecord[]): KnownRecords {
  const current = Map.groupBy(records, ({ id }) => id);
  return new Map([...known].filter(([id]) => (current.get(id)?.length ?? 0) < 2));
}

/**
 * The known records of a zone after an apply: those that the file declares now.
 *
 * @param written the records as returned by their writes
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
    // After a failed write, the earlier mark stays.
    const mark = left === undefined ? known.get(id) : marksOf(normalize(domain, left, 0))[0];
    if (id !== '' && mark !== undefined) next.set(id, mark);
  }
  return next;
}

/** `v=spf1`, `v=DMARC1`: the version is part of the tag. */
const versionTag = /^v=[^\s;]+/i;
/** `google-site-verification=`: the name before the value. */
const nameTag = /^[a-z0-9][a-z0-9._-]*=/i;

/**
 * The tag at the start of a text, which shows its purpose: `v=spf1`, `v=DMARC1`, `name=`.
 *
 * @returns in lower case; undefined if there is none, or the record is not TXT
 */
function textTag({ type, readings: [text = ''] }: Normal): string | undefined {
  if (type !== 'TXT') return undefined;
  const begin = text.trimStart().slice(0, 256);
  return (versionTag.exec(begin) ?? nameTag.exec(begin))?.[0].toLowerCase();
}
