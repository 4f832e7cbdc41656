import pLimit from 'p-limit';
import { createSameAs } from '../frame/repeated-failure.ts';
import type { Run } from '../frame/run.ts';
import { safe, trusted } from '../kernel/text/safe.ts';
import { applyAssignment, applyConnect, type Seen } from './connections.ts';
import { concurrency, isUndone } from './context.ts';
import type { Written } from './memory.ts';
import { isInZone } from './model/dns/name.ts';
import type { ChangeResult } from './model/domains-report.ts';
import type { DomainsPlan } from './model/plan-domains.ts';
import { applyZone } from './records.ts';
import { applySettings } from './settings.ts';

/**
 * Carries a plan out in an order that never leaves a host without a route: connect, then records, then
 * assignment, then what registered domains are set to. Domains go side by side, one domain's writes in
 * sequence. What fails does not stop the others, and what depends on it is not done.
 *
 * @param records is told what became of each record
 * @returns what became of each write, also if the run is cut off; it does not throw for that
 */
export async function applyDomains(
  given: Run,
  { connections, zones, settings }: DomainsPlan,
  seen: Seen,
  records: Written = new Map(),
): Promise<ChangeResult[]> {
  const run = { ...given, sameAs: createSameAs() };
  const limit = pLimit(concurrency);
  const connected = await limit.map(connections, (plan) => applyConnect(run, plan, seen));
  const written = await limit.map(zones, (zone) => applyZone(run, zone, records));
  const broken = zones.filter((_, index) => written[index]?.some(isUndone));
  const blockOf = (name: string) => {
    const zone = broken.find(({ domain }) => isInZone(domain, name));
    return zone === undefined
      ? undefined
      : safe`a DNS record of ${trusted(zone.domain)} could not be written`;
  };
  const assigned = await limit.map(connections, (plan) =>
    applyAssignment(run, plan, seen, blockOf(plan.declared.hostname)),
  );
  const byDomain = [...Map.groupBy(settings, ({ domain }) => domain)];
  const set = await limit.map(byDomain, ([domain, some]) =>
    applySettings(run, some, blockOf(domain)),
  );
  return [...connected, ...written, ...assigned, ...set].flat();
}
