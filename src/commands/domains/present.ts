import { countChangedDomains, domainChanges, domainsDigest } from '../../core/domains/changes.ts';
import type { DomainsPlan } from '../../core/domains/plan.ts';
import { listZones, plannedResults } from '../../core/domains/present.ts';
import type { GatedPlan } from '../../core/gate.ts';
import { resultOfPlan, showPlan } from '../environment/plan.ts';
import type { SyncRequest } from '../environment/sync.ts';
import type { Managing } from './run.ts';

/** Says what is planned: changes, digest, and what is left in place. */
export function describePlan(
  { host, report }: Managing,
  plan: DomainsPlan,
  environment: SyncRequest | undefined,
): void {
  const variables = environment && resultOfPlan(environment.plan, host);
  report.changes = [...domainChanges(plan), ...(variables?.changes ?? [])];
  report.digest = domainsDigest(plan, variables?.digest);
  Object.assign(report, listZones(plan, host.cleanLine));
  const { length } = report.undeclared;
  if (length === 0) return;
  const records = length === 1 ? '1 record is' : `${length} records are`;
  const text = `${records} not declared, left in place; see the summary`;
  host.report({ type: 'note', text });
}

/** How much a plan changes and sets, and how many resources it is about. */
export function measurePlan(
  plan: DomainsPlan,
  environment?: SyncRequest,
): Required<Omit<GatedPlan, 'digest'>> {
  const { connections, zones, settings } = plan;
  const records = zones.reduce((sum, zone) => sum + zone.plan.records.length, 0);
  const variables = environment?.plan.variables ?? [];
  const changed = variables.filter(({ actions }) => actions.length > 0).length;
  return {
    changed: countChangedDomains(plan) + changed,
    settings: settings.length,
    size: connections.length + records + variables.length,
  };
}

/** Shows the plan, without doing any of it. */
export function showDomains(
  run: Managing,
  plan: DomainsPlan,
  environment: SyncRequest | undefined,
): void {
  const { host, report } = run;
  report.isPlanned = true;
  report.results = plannedResults(plan);
  for (const result of report.results) host.report({ type: 'change', result });
  if (environment !== undefined) {
    report.environment = showPlan(host, environment.plan, environment.observed);
  }
}
