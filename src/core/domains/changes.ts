import { digestOf, keyIdOf, type PlannedChange } from '../change.ts';
import { zoneFacts } from '../dns/facts.ts';
import type { RecordPlan } from '../dns/plan-record.ts';
import { assignedTo } from '../preview/domain-state.ts';
import { trusted } from '../text/safe.ts';
import type { ConnectionPlan } from './connection.ts';
import type { DomainsPlan } from './plan-domains.ts';

const isChanged = ({ action }: RecordPlan): boolean => action !== 'none';

/** How many domains and records a plan changes: one that is connected and assigned counts once. */
export function countChangedDomains({ connections, zones }: DomainsPlan): number {
  const records = zones.flatMap(({ plan }) => plan.records.filter(isChanged));
  return connections.filter(({ actions }) => actions.length > 0).length + records.length;
}

/** The changes of a plan, connected domains first. */
export function domainChanges({ connections, zones }: DomainsPlan): PlannedChange[] {
  const connecting = connections.flatMap(({ declared: { hostname }, actions, reason }) =>
    actions.map((action) => ({
      type: 'domain' as const,
      resource: 'connected-domain' as const,
      name: trusted(hostname),
      action,
      reason,
    })),
  );
  const records = zones.flatMap(({ plan }) =>
    plan.records.filter(isChanged).map(({ title: name, action, reason }) => ({
      type: 'domain' as const,
      resource: 'dns-record' as const,
      name,
      action,
      reason,
    })),
  );
  return [...connecting, ...records];
}

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** What a plan would do to a connected domain. */
function connectionFacts({ declared, actions, observed }: ConnectionPlan) {
  const current = observed && assignedTo(observed);
  return [declared.hostname, declared.projectId ?? null, actions, current ?? null];
}

/**
 * A digest of what a plan would do, beside the environment's own; the order of the file and of the service's answers
 * has no part in it. Settings have, because they are set on each apply; a plan that only has settings has the digest
 * of what they are.
 */
export function domainsDigest(
  { connections, settings, zones }: DomainsPlan,
  environment: string | undefined,
): string {
  const facts = [
    'domains',
    connections
      .filter(({ actions }) => actions.length > 0)
      .toSorted((a, b) => byText(a.declared.hostname, b.declared.hostname))
      .map(connectionFacts),
    settings
      .toSorted((a, b) => byText(a.domain, b.domain) || byText(a.kind, b.kind))
      .map(({ domain, kind, value }) => [domain, kind, value]),
    zones
      .toSorted((a, b) => byText(a.domain, b.domain))
      .map(({ domain, plan }) => [domain, zoneFacts(plan)]),
    environment ?? null,
  ];
  return digestOf(facts, environment && keyIdOf(environment));
}
