import type { DnsRecord } from '../../contract/dns-record.ts';
import { isNew } from '../../kernel/change.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { ZoneProblem } from './check.ts';
import {
  contentToSend,
  type DeclaredRecord,
  type Difference,
  describeDifference,
  differences,
  isManaged,
  isProxied,
  isSameRecord,
  keepsTtl,
  type Normal,
  type NormalDeclared,
  type RecordBody,
  recordTitle,
  replacedBy,
  type SanitizeLine,
  shown,
  targetTypes,
  ttlIsKept,
} from './content.ts';
import { asciiName } from './name.ts';

/**
 * The record that a write sends: exactly the declared fields, as written, because the accepted ones are not documented.
 * Only the type is put in upper case, an empty name becomes `@`, non-ASCII names become punycode, and blanks between the
 * words of a content become one space.
 */
function bodyOf({ replaces, ...declared }: DeclaredRecord): RecordBody {
  const type = declared.type.trim().toUpperCase();
  const name = asciiName(declared.name.trim()) || '@';
  const content = contentToSend(type, declared.content);
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
      /** True if the file does not name the content that is replaced. */
      isUnnamed: boolean;
    }
  | { action: 'none'; observed: DnsRecord }
);

type ObservedRecord = Normal<DnsRecord>;

const problemOf = (declared: NormalDeclared, message: string): ZoneProblem => ({
  index: declared.index,
  message: `${recordTitle(declared)}: ${message}`,
  fault: message,
});

/**
 * A record on the service that conflicts with a new one, because one of the two is a CNAME. One at the apex or a proxied
 * one only conflicts with another CNAME: services resolve it to the addresses of its target.
 */
function conflictingRecord(
  zone: string,
  declared: NormalDeclared,
  sameName: readonly ObservedRecord[],
): ObservedRecord | undefined {
  return sameName.find((other) => {
    const [cname, second] = [declared, other].filter(({ type }) => type === 'CNAME');
    if (second !== undefined) return true;
    return cname !== undefined && declared.name !== zone && !isProxied(cname);
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
  const changed = joinSafe(
    found.map((one) => describeDifference(one, sanitize)),
    '; ',
  );
  const isUnnamed = match.kind === 'unnamed';
  const reason = isUnnamed
    ? safe`replaces ${shown(observed.record.content, sanitize)}, which this file does not name; ${changed}`
    : changed;
  const body = bodyOf(record);
  return { ...common, action: 'update', id, body, differences: found, isUnnamed, reason };
}

/**
 * Plans one declared record from its match.
 *
 * @param zone the registered domain's full name
 * @param sameName the records on the service with the same name that the file does not declare
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
type Match =
  | ({ kind: 'matched' } & Pair)
  /** The record that `replaces` names. */
  | ({ kind: 'named' } & Pair)
  /** The only one of its type and name, which the file does not name. */
  | ({ kind: 'unnamed' } & Pair)
  | { kind: 'alone'; declared: NormalDeclared }
  | { kind: 'refused'; declared: NormalDeclared; message: string };

const isEqual = (declared: NormalDeclared, observed: ObservedRecord): boolean =>
  differences(declared, observed).length === 0;

function refused({ declared, observed: { record } }: Pair, sanitize: SanitizeLine): Match {
  const why = record.managedReason ? ` (${shown(record.managedReason, sanitize)})` : '';
  const message = `the service manages the record ${shown(record.content, sanitize)} with this type and name${why}, so it can't be changed: remove this record from the file, or declare it unchanged`;
  return { kind: 'refused', declared, message };
}

/** True if no other record of the name and type is allowed with a managed one. */
function isSingle(zone: string, { type, name }: Normal): boolean {
  return type === 'CNAME' || type === 'SOA' || (type === 'NS' && name === zone);
}

/** `v=spf1`, `v=DMARC1`: the version is part of the tag. */
const versionTag = /^v=[^\s;]+/i;
/** `google-site-verification=`: the name before the value. */
const nameTag = /^[a-z0-9][a-z0-9._-]*=/i;

/**
 * What a record is for, where several may share type and name: of a text the tag at its start, `v=spf1`, `v=DMARC1` or
 * `name=`, in lower case.
 *
 * @returns undefined if a text has none
 */
function purposeOf({ type, readings: [text = ''] }: Normal): string | undefined {
  if (type !== 'TXT') return '';
  const begin = text.trimStart().slice(0, 256);
  return (versionTag.exec(begin) ?? nameTag.exec(begin))?.[0].toLowerCase();
}

/** True if a record is the only one of its purpose. */
function isOnly(record: Normal, all: readonly Normal[]): boolean {
  const purpose = purposeOf(record);
  return all.filter((other) => purposeOf(other) === purpose).length === 1;
}

/** Pairs each declared record with a fitting free one, in order, and removes both from the sets. */
function pairUp(
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

/** The records on the service that a declared one names in `replaces`. */
function namedBy(
  zone: string,
  declared: NormalDeclared,
  observed: readonly ObservedRecord[],
): ObservedRecord[] {
  const replaced = replacedBy(zone, declared);
  return replaced === undefined ? [] : observed.filter((one) => isEqual(replaced, one));
}

/** Matches a declared record with the one that it names in `replaces`, of those that are free. */
function matchNamed(
  zone: string,
  declared: NormalDeclared,
  free: readonly ObservedRecord[],
  sanitize: SanitizeLine,
): Match | undefined {
  const named = namedBy(zone, declared, free);
  const [observed] = named;
  if (observed === undefined) return undefined;
  if (isManaged(observed.record)) return refused({ declared, observed }, sanitize);
  if (named.length === 1) return { kind: 'named', declared, observed };
  const message = `replaces fits ${named.length} records on the service: write it with its priority, port or tag, or delete all but one there`;
  return { kind: 'refused', declared, message };
}

/**
 * Matches the declared records of one type and name with the observed ones: first equal ones, then those with the same
 * content, then those that `replaces` names, then the only one on both sides (of texts: of the same tag). A managed
 * record only matches an equal one; a declared record that would change it or conflict with it is refused.
 *
 * @param zone the registered domain's full name
 * @param observed in a stable order
 * @param sanitize makes outside text printable and free of secrets
 */
export function matchGroup(
  zone: string,
  declared: readonly NormalDeclared[],
  observed: readonly ObservedRecord[],
  sanitize: SanitizeLine,
): Match[] {
  const open = new Set(declared);
  const own = observed.filter(({ record }) => !isManaged(record));
  const customers = new Set(own);
  const managed = new Set(observed.filter(({ record }) => isManaged(record)));
  const equal = [...pairUp(open, customers, isEqual), ...pairUp(open, managed, isEqual)];
  const same = pairUp(open, customers, isSameRecord);
  const attempts = [...open].flatMap((one): Pair[] => {
    const target = [...managed].find((other) => isSingle(zone, one) || isSameRecord(one, other));
    if (target === undefined) return [];
    open.delete(one);
    return [{ declared: one, observed: target }];
  });
  const named = [...open].flatMap((one): Match[] => {
    const match = matchNamed(zone, one, [...customers, ...managed], sanitize);
    if (match === undefined) return [];
    open.delete(one);
    if ('observed' in match) customers.delete(match.observed);
    return [match];
  });
  const only = pairUp(
    open,
    customers,
    (one, other) =>
      one.record.replaces === undefined &&
      purposeOf(one) !== undefined &&
      purposeOf(one) === purposeOf(other) &&
      isOnly(one, declared) &&
      isOnly(other, own),
  );
  return [
    ...[...equal, ...same].map((pair): Match => ({ kind: 'matched', ...pair })),
    ...named,
    ...only.map((pair): Match => ({ kind: 'unnamed', ...pair })),
    ...attempts.map((pair) => refused(pair, sanitize)),
    ...Array.from(open, (one): Match => ({ kind: 'alone', declared: one })),
  ];
}

/** What to do about the `replaces` of a declared record that is not replaced now; undefined if nothing. */
function replacesNotice(
  zone: string,
  match: Match,
  observed: readonly ObservedRecord[],
  sanitize: SanitizeLine,
): SafeText | undefined {
  const { declared } = match;
  const content = replacedBy(zone, declared)?.record.content;
  if (content === undefined || match.kind === 'named' || match.kind === 'refused') return undefined;
  const old = shown(content, sanitize);
  const named = namedBy(zone, declared, observed);
  if (named.length === 0)
    return safe`replaces: the service has no ${old}; remove replaces from the file`;
  return 'observed' in match && !named.includes(match.observed)
    ? safe`replaces: the service has ${old}, too, and keeps it; delete it there`
    : undefined;
}

/**
 * What to change in the file or on the service, although nothing is wrong with a declared record.
 *
 * @param observed all records on the service of its type and name
 * @param sanitize makes outside text printable and free of secrets
 */
export function noticesOf(
  zone: string,
  match: Match,
  observed: readonly ObservedRecord[],
  sanitize: SanitizeLine,
): SafeText[] {
  const { declared } = match;
  const isTtlKept = 'observed' in match && keepsTtl(declared, match.observed);
  const notices = [
    isTtlKept ? ttlIsKept : undefined,
    replacesNotice(zone, match, observed, sanitize),
  ];
  return notices
    .filter((notice) => notice !== undefined)
    .map((notice) => safe`${sanitize(recordTitle(declared))}: ${notice}`);
}
