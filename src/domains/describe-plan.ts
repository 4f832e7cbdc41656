import { cleanEach } from '../frame/clean-each.ts';
import type { Host } from '../frame/host.ts';
import type { DomainChange } from '../kernel/change.ts';
import type { GatedPlan } from '../kernel/gate.ts';
import { safe } from '../kernel/text/safe.ts';
import { countChangedDomains, domainChanges, domainsDigest } from './model/changes.ts';
import { changeLines } from './model/domain-lines.ts';
import type { ListedRecord } from './model/domains-report.ts';
import type { DomainsPlan } from './model/plan-domains.ts';
import { countUnchanged, listRecord, plannedResults } from './model/results.ts';

/** The records of all zones that are not the file's to write. @throws the run's signal's reason */
async function listRecords(
  host: Host,
  { zones }: DomainsPlan,
  which: 'managed' | 'undeclared',
): Promise<ListedRecord[]> {
  const records = zones.flatMap(({ domain, plan }) =>
    plan[which].map((record) => ({ domain, record })),
  );
  return await cleanEach(host, records, ({ domain, record }) =>
    listRecord(domain, record, host.cleanLine),
  );
}

/** What a report says of a plan. */
export function describePlan(host: Host, plan: DomainsPlan) {
  const changes = domainChanges(plan, host.cleanLine);
  return { changes, digest: domainsDigest(plan), unchanged: countUnchanged(plan) };
}

/** What a report says of the records that are left in place, which is told. @throws the run's signal's reason */
export async function describeLeft(host: Host, plan: DomainsPlan) {
  const managed = await listRecords(host, plan, 'managed');
  const undeclared = await listRecords(host, plan, 'undeclared');
  const { length } = undeclared;
  if (length > 0) {
    const records = length === 1 ? safe`1 record is` : safe`${length} records are`;
    const text = safe`${records} not declared, left in place; see the summary`;
    host.report({ type: 'note', text });
  }
  return { managed, undeclared };
}

/** How much a plan changes and sets, and how many resources it is about. */
export function measurePlan(plan: DomainsPlan): Required<Omit<GatedPlan, 'digest'>> {
  const { connections, zones, settings } = plan;
  const records = zones.reduce((sum, zone) => sum + zone.plan.records.length, 0);
  return {
    changed: countChangedDomains(plan),
    settings: settings.length,
    size: connections.length + records,
  };
}

/** Shows the plan, without doing any of it. */
export function showDomains(host: Host, plan: DomainsPlan, changes: readonly DomainChange[]) {
  const results = plannedResults(plan, changes);
  for (const result of results) host.report({ type: 'lines', entries: changeLines(result) });
  return { isPlanned: true, results };
}
