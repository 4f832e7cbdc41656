import type { PlannedChange } from '../../core/change.ts';
import { countChangedDomains, domainChanges, domainsDigest } from '../../core/domains/changes.ts';
import type { DomainsPlan } from '../../core/domains/plan-domains.ts';
import { countUnchanged, listRecord, plannedResults } from '../../core/domains/results.ts';
import type { GatedPlan } from '../../core/gate.ts';
import type { ListedRecord } from '../../core/report/domains-report.ts';
import { safe } from '../../core/text/safe.ts';
import { cleanEach } from '../clean-each.ts';
import { resultOfPlan, type SyncRequest, showPlan } from '../environment/plan-sync.ts';
import type { Host } from '../host.ts';

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
export function describePlan(host: Host, plan: DomainsPlan, syncing: SyncRequest | undefined) {
  const variables = syncing && resultOfPlan(syncing.plan, host);
  const changes = [...domainChanges(plan, host.cleanLine), ...(variables?.changes ?? [])];
  const digest = domainsDigest(plan, variables?.digest);
  return { changes, digest, unchanged: countUnchanged(plan) };
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
export function measurePlan(
  plan: DomainsPlan,
  syncing: SyncRequest | undefined,
): Required<Omit<GatedPlan, 'digest'>> {
  const { connections, zones, settings } = plan;
  const records = zones.reduce((sum, zone) => sum + zone.plan.records.length, 0);
  const variables = syncing?.plan.variables ?? [];
  const changed = variables.filter(({ actions }) => actions.length > 0).length;
  return {
    changed: countChangedDomains(plan) + changed,
    settings: settings.length,
    size: connections.length + records + variables.length,
  };
}

/** Shows the plan, without doing any of it. */
export function showDomains(
  host: Host,
  plan: DomainsPlan,
  changes: readonly PlannedChange[],
  syncing: SyncRequest | undefined,
) {
  const results = plannedResults(plan, changes);
  for (const result of results) host.report({ type: 'change', result });
  if (syncing === undefined) return { isPlanned: true, results };
  return { isPlanned: true, results, environment: showPlan(host, syncing) };
}
