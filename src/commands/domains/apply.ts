import pLimit from 'p-limit';
import { isInZone } from '../../core/dns/name.ts';
import type { DomainsPlan } from '../../core/domains/plan.ts';
import { applyAssignment, applyConnect, type Seen } from './connections.ts';
import { type Applying, atOnce } from './context.ts';
import { applyZone } from './records.ts';
import { applySetting } from './settings.ts';

/**
 * Carries a plan out in an order that never leaves a host without a route: connect, then records, then
 * assignment, then what registered domains are set to. Domains go side by side, one domain's writes in
 * sequence. What fails is noted, and what depends on it is not done.
 */
export async function applyDomains(
  applying: Applying,
  { connections, zones, settings }: DomainsPlan,
  seen: Seen,
): Promise<void> {
  const limit = pLimit(atOnce);
  await limit.map(connections, (plan) => applyConnect(applying, plan, seen));
  const good = await limit.map(zones, (zone) => applyZone(applying, zone));
  const broken = zones.filter((_, index) => good[index] === false).map(({ domain }) => domain);
  const blockOf = (name: string) => {
    const zone = broken.find((domain) => isInZone(domain, name));
    return zone === undefined ? undefined : `a DNS record of ${zone} could not be written`;
  };
  await limit.map(connections, (plan) =>
    applyAssignment(applying, plan, seen, blockOf(plan.declared.hostname)),
  );
  const byDomain = [...Map.groupBy(settings, ({ domain }) => domain).values()];
  await limit.map(byDomain, async (some) => {
    for (const setting of some) await applySetting(applying, setting, blockOf(setting.domain));
  });
}
