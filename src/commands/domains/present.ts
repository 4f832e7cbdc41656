import { type DomainsPlan, domainChanges, domainsDigest } from '../../core/domains/plan.ts';
import { listZones, plannedResults } from '../../core/domains/present.ts';
import { resultOfPlan, showPlan } from '../environment/plan.ts';
import type { PlannedEnvironment } from './environment.ts';
import type { Run } from './run.ts';

/** Says what is planned: changes, digest, and what is left in place. */
export function describePlan(
  { host, report }: Run,
  plan: DomainsPlan,
  environment: PlannedEnvironment | undefined,
): void {
  const variables = environment && resultOfPlan(environment.plan, host);
  report.changes = [...domainChanges(plan), ...(variables?.changes ?? [])];
  report.digest = domainsDigest(plan, variables?.digest);
  Object.assign(report, listZones(plan, host.clean));
}

/** How many resources a plan is about. */
export function sizeOf(
  { connections, zones }: DomainsPlan,
  environment?: PlannedEnvironment,
): number {
  const records = zones.reduce((sum, { plan }) => sum + plan.records.length, 0);
  return connections.length + records + (environment?.plan.variables.length ?? 0);
}

/** Shows the plan, without doing any of it. */
export function showDomains(
  run: Run,
  plan: DomainsPlan,
  environment: PlannedEnvironment | undefined,
): void {
  const { host, report } = run;
  report.isPlanned = true;
  report.results = plannedResults(plan);
  for (const result of report.results) host.report({ type: 'change', result });
  if (environment !== undefined) {
    report.environment = showPlan(host, environment.plan, environment.observed);
  }
}
