import type { DnsRecord } from '../../../contract/dns-record.ts';
import { createSanitize } from '../../../kernel/text/sanitize.ts';
import type { ZoneProblem } from './check.ts';
import { type KnownRecords, nothingKnown, withoutDoubles } from './known.ts';
import { matchGroup } from './match.ts';
import { fullName } from './name.ts';
import { groupKey, type Normal, normalise } from './normal.ts';
import { planRecord, type RecordPlan } from './plan-record.ts';
import { type DeclaredRecord, isManaged, type Sanitize } from './record.ts';

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
