import pLimit from 'p-limit';
import { EarlyEnd, type Host, type Run } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { joinSafe, safe } from '../kernel/text/safe.ts';
import { concurrency } from './apply-context.ts';
import type { DeclaredDomains } from './intent.ts';
import {
  type AvailabilityRow,
  askedTogether,
  availabilityRows,
  describeAvailability,
  tooExpensive,
} from './model/availability.ts';
import type { ObservedDomains } from './plan.ts';

/** Reads the declared domains from the service: one request, and one for each declared zone. */
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

/** Checks names for availability and price, twenty per request, each once. Returns a row for each given name. */
export async function checkNames(
  { client, host }: Run,
  names: readonly string[],
): Promise<AvailabilityRow[]> {
  const answers = await pLimit(concurrency).map(askedTogether(names), (some) =>
    client.checkDomains(some, host.signal),
  );
  const rows = availabilityRows(names, answers.flat(), host.clean);
  for (const row of rows) {
    host.report({ type: 'note', text: host.clean(describeAvailability(row)) });
  }
  return rows;
}

/** @throws EarlyEnd if a name costs more than allowed */
export function guardPrices(
  { clean }: Host,
  rows: readonly AvailabilityRow[],
  maxPrice: number | undefined,
): void {
  if (maxPrice === undefined) return;
  const expensive = tooExpensive(rows, maxPrice);
  if (expensive.length === 0) return;
  const names = joinSafe(
    expensive.map((name) => clean(name)),
    ', ',
  );
  const message = safe`Nothing was changed: these names cost more than max-price (${maxPrice} USD): ${names}. This action never buys domains.`;
  throw new EarlyEnd('failed', diagnose('SD6108', message));
}
