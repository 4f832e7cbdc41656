import type { DnsRecord } from '../../contract/dns-record.ts';
import { createSanitize } from '../../kernel/text/sanitize.ts';
import type { ZoneProblem } from './check.ts';
import { groupKey, type Normal, normalise } from './content.ts';
import { fullName } from './name.ts';
import {
  type KnownRecords,
  matchGroup,
  nothingKnown,
  planRecord,
  type RecordPlan,
  withoutDoubles,
} from './plan-record.ts';
import { type DeclaredRecord, fieldNames, isManaged, type Sanitize } from './record.ts';

/** The plan for the DNS records of one registered domain. There is no delete. */
export interface ZonePlan {
  /** Every declared record that can be planned for, sorted by name, type and place in the file. */
  records: readonly RecordPlan[];
  /** Records that the system manages: shown, and never written. Sorted by name and type. */
  managed: readonly DnsRecord[];
  /** The customer's records that the file does not declare: left in place. Sorted by name and type. */
  undeclared: readonly DnsRecord[];
  /** Declared records that cannot be written beside what the service has, in the file's order. */
  problems: readonly ZoneProblem[];
}

type NameAndType = Pick<Normal, 'name' | 'type'>;

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

const byName = (a: NameAndType, b: NameAndType): number =>
  byText(a.name, b.name) || byText(a.type, b.type);

/** Not by the service's order, which may differ from one answer to the next. */
const byContent = (a: Normal<DnsRecord>, b: Normal<DnsRecord>): number =>
  byName(a, b) ||
  byText(a.record.content, b.record.content) ||
  byText(a.record.id ?? '', b.record.id ?? '');

const isPlanned = (one: RecordPlan | ZoneProblem): one is RecordPlan => 'action' in one;
const isProblem = (one: RecordPlan | ZoneProblem): one is ZoneProblem => !isPlanned(one);

/** Matches the declared records with the observed ones, by type and name first. */
function matchAll(
  zone: string,
  wanted: readonly Normal<DeclaredRecord>[],
  found: readonly Normal<DnsRecord>[],
  sanitize: Sanitize,
  known: KnownRecords,
) {
  const foundByGroup = Map.groupBy(found, groupKey);
  return [...Map.groupBy(wanted, groupKey)].flatMap(([key, group]) =>
    matchGroup(zone, group, foundByGroup.get(key) ?? [], sanitize, known),
  );
}

/**
 * Plans the DNS records of a registered domain. A declared record is matched by type and name, then by
 * content, then by what shows that it is the same, then by the order of contents; a changed one is updated in place, with the whole declared record. Pure.
 *
 * @param domain the registered domain's name
 * @param declared the file's records, in which `checkZone` found no problem
 * @param observed all of the domain's records, as the service listed them
 * @param sanitize makes what the service shows printable and free of secrets
 * @param known the records that the file declared before
 */
export function planZone(
  domain: string,
  declared: readonly DeclaredRecord[],
  observed: readonly DnsRecord[],
  sanitize: Sanitize = createSanitize(String),
  known: KnownRecords = nothingKnown,
): ZonePlan {
  const zone = fullName(domain, '@');
  const found = observed
    .map((record, index) => normalise(domain, record, index))
    .toSorted(byContent);
  const wanted = declared.map((record, index) => normalise(domain, record, index));
  const matches = matchAll(zone, wanted, found, sanitize, withoutDoubles(known, observed));
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
  };
}

/** A value that JSON writes in one way only. */
type Fact = string | number | boolean | null | readonly Fact[];

/**
 * What a plan would do, for a digest: of each record to be written its type, name, action, id, what is sent,
 * and the whole values that it replaces. Records that stay as they are have no part in it. No clock, and always in one order.
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
