import type { DnsRecord } from '../../contract/dns-record.ts';
import { createSanitize } from '../../kernel/text/redact.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { ZoneProblem } from './check.ts';
import {
  type DeclaredRecord,
  fieldNames,
  groupKey,
  isManaged,
  type Normal,
  normalize,
  type SanitizeLine,
} from './content.ts';
import { fullName } from './name.ts';
import { matchGroup, noticesOf, planRecord, type RecordPlan } from './plan-record.ts';

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

/** The order of two texts by their code units, the same on each machine. */
export const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

const byName = (a: NameAndType, b: NameAndType): number =>
  byText(a.name, b.name) || byText(a.type, b.type);

/** A stable order: that of the service may differ between responses. */
const byContent = (a: Normal<DnsRecord>, b: Normal<DnsRecord>): number =>
  byName(a, b) ||
  byText(a.record.content, b.record.content) ||
  byText(a.record.id ?? '', b.record.id ?? '');

const isPlanned = (one: RecordPlan | ZoneProblem): one is RecordPlan => 'action' in one;
const isProblem = (one: RecordPlan | ZoneProblem): one is ZoneProblem => !isPlanned(one);

/**
 * Plans the DNS records of a registered domain. Declared records are matched as in {@link matchGroup}; a changed one is
 * updated in place, with the whole declared record. Pure.
 *
 * @param domain the registered domain's name
 * @param declared the file's records, without problems in `checkZone`
 * @param observed all of the domain's records on the service
 * @param sanitize makes outside text printable and free of secrets
 */
export function planZone(
  domain: string,
  declared: readonly DeclaredRecord[],
  observed: readonly DnsRecord[],
  sanitize: SanitizeLine = createSanitize(String),
): ZonePlan {
  const zone = fullName(domain, '@');
  const found = observed
    .map((record, index) => normalize(domain, record, index))
    .toSorted(byContent);
  const desired = declared.map((record, index) => normalize(domain, record, index));
  const foundByGroup = Map.groupBy(found, groupKey);
  const matches = [...Map.groupBy(desired, groupKey)].flatMap(([key, group]) =>
    matchGroup(zone, group, foundByGroup.get(key) ?? [], sanitize),
  );
  const claimed = new Set(
    matches.flatMap((match) => ('observed' in match ? [match.observed] : [])),
  );
  // How the file's records go together was checked before.
  const others = found.filter((one) => !claimed.has(one));
  const othersByName = Map.groupBy(others, ({ name }) => name);
  const planned = matches.map((match) =>
    planRecord(zone, match, othersByName.get(match.declared.name) ?? [], sanitize),
  );
  return {
    records: planned.filter(isPlanned).sort((a, b) => byName(a, b) || a.index - b.index),
    managed: found.map(({ record }) => record).filter(isManaged),
    undeclared: others.map(({ record }) => record).filter((record) => !isManaged(record)),
    problems: planned.filter(isProblem).sort((a, b) => a.index - b.index),
    notices: matches.flatMap((match) =>
      noticesOf(zone, match, foundByGroup.get(groupKey(match.declared)) ?? [], sanitize),
    ),
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
