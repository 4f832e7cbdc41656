import type { DnsRecord } from '../../contract/dns-record.ts';
import { createSanitize } from '../../kernel/text/redact.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { ZoneProblem } from './check.ts';
import {
  type DeclaredRecord,
  fieldNames,
  groupKey,
  isManaged,
  keepsTtl,
  type Normal,
  normalize,
  recordTitle,
  type SanitizeLine,
  ttlIsKept,
} from './content.ts';
import { fullName } from './name.ts';
import {
  type KnownRecords,
  type Match,
  matchGroup,
  nothingKnown,
  planRecord,
  type RecordPlan,
  withoutDoubles,
} from './plan-record.ts';

/** The plan for the DNS records of one registered domain. Records are never deleted. */
export interface ZonePlan {
  /** The declared records without problems, sorted by name, type and position in the file. */
  records: readonly RecordPlan[];
  /** Records managed by the service, which are never written. Sorted by name and type. */
  managed: readonly DnsRecord[];
  /** Other records that the file does not declare; they are kept. Sorted by name and type. */
  undeclared: readonly DnsRecord[];
  /** Declared records that conflict with records on the service, in the file's order. */
  problems: readonly ZoneProblem[];
  /** What to change in the file although nothing is wrong with it. */
  notices: readonly SafeText[];
}

type NameAndType = Pick<Normal, 'name' | 'type'>;

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

const byName = (a: NameAndType, b: NameAndType): number =>
  byText(a.name, b.name) || byText(a.type, b.type);

/** A stable order: that of the service may differ between responses. */
const byContent = (a: Normal<DnsRecord>, b: Normal<DnsRecord>): number =>
  byName(a, b) ||
  byText(a.record.content, b.record.content) ||
  byText(a.record.id ?? '', b.record.id ?? '');

const isPlanned = (one: RecordPlan | ZoneProblem): one is RecordPlan => 'action' in one;
const isProblem = (one: RecordPlan | ZoneProblem): one is ZoneProblem => !isPlanned(one);

/** Matches the declared records with the observed ones, by type and name first. */
function matchAll(
  zone: string,
  desired: readonly Normal<DeclaredRecord>[],
  found: readonly Normal<DnsRecord>[],
  sanitize: SanitizeLine,
  known: KnownRecords,
) {
  const foundByGroup = Map.groupBy(found, groupKey);
  return [...Map.groupBy(desired, groupKey)].flatMap(([key, group]) =>
    matchGroup(zone, group, foundByGroup.get(key) ?? [], sanitize, known),
  );
}

/** The notices of a declared record. */
function noticesOf(match: Match, sanitize: SanitizeLine): SafeText[] {
  if (!('observed' in match) || !keepsTtl(match.declared, match.observed)) return [];
  return [safe`${sanitize(recordTitle(match.declared))}: ${ttlIsKept}`];
}

/**
 * Plans the DNS records of a registered domain. Declared records are matched as in {@link matchGroup}; a changed one is
 * updated in place, with the whole declared record. Pure.
 *
 * @param domain the registered domain's name
 * @param declared the file's records, without problems in `checkZone`
 * @param observed all of the domain's records on the service
 * @param sanitize makes outside text printable and free of secrets
 * @param known the records that the file declared before
 */
export function planZone(
  domain: string,
  declared: readonly DeclaredRecord[],
  observed: readonly DnsRecord[],
  sanitize: SanitizeLine = createSanitize(String),
  known: KnownRecords = nothingKnown,
): ZonePlan {
  const zone = fullName(domain, '@');
  const found = observed
    .map((record, index) => normalize(domain, record, index))
    .toSorted(byContent);
  const desired = declared.map((record, index) => normalize(domain, record, index));
  const matches = matchAll(zone, desired, found, sanitize, withoutDoubles(known, observed));
  const claimed = new Set(
    matches.flatMap((match) => ('observed' in match ? [match.observed] : [])),
  );
  const foundByName = Map.groupBy(found, ({ name }) => name);
  const planned = matches.map((match) =>
    planRecord(zone, match, foundByName.get(match.declared.name) ?? [], sanitize),
  );
  const { managed = [], customers = [] } = Object.groupBy(found, ({ record }) =>
    isManaged(record) ? 'managed' : 'customers',
  );
  return {
    records: planned.filter(isPlanned).sort((a, b) => byName(a, b) || a.index - b.index),
    managed: managed.map(({ record }) => record),
    undeclared: customers.filter((one) => !claimed.has(one)).map(({ record }) => record),
    problems: planned.filter(isProblem).sort((a, b) => a.index - b.index),
    notices: matches.flatMap((match) => noticesOf(match, sanitize)),
  };
}

/** A value with a single JSON representation. */
type Fact = string | number | boolean | null | readonly Fact[];

/**
 * What a plan would do, for a digest: the type, name, action, id, sent fields and complete replaced values of each
 * record to write, in a stable order. Unchanged records are not included.
 */
export function zoneFacts({ records }: ZonePlan): Fact[] {
  return records.flatMap((plan): Fact[] => {
    if (plan.action === 'none') return [];
    const { type, name, action, body } = plan;
    const fields = fieldNames.map((field) => body[field] ?? null);
    const update = plan.action === 'update' ? plan : undefined;
    const replaced = update?.differences.map(({ field, from }) => [field, from ?? null]) ?? [];
    return [[type, name, action, update?.id ?? null, body.content, fields, replaced]];
  });
}
