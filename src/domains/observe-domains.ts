import pLimit from 'p-limit';
import type { Run } from '../frame/run.ts';
import { concurrency } from './context.ts';
import type { DeclaredDomains } from './model/declared.ts';
import type { ObservedDomains } from './model/plan-domains.ts';

/** Reads what the declared domains are on the service: one request, and one for each declared zone. */
export async function observeDomains(
  { client, host }: Run,
  { connections, registrations }: DeclaredDomains,
): Promise<ObservedDomains> {
  const zones = registrations.filter(({ records }) => records !== undefined);
  const [connected, records] = await Promise.all([
    connections.length === 0 ? [] : client.listConnectedDomains(host.signal),
    pLimit(concurrency).map(
      zones,
      async ({ name }) => [name, await client.listDnsRecords(name, host.signal)] as const,
    ),
  ]);
  return { connected, records: new Map(records) };
}
