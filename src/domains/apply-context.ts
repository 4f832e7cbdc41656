import pLimit from 'p-limit';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { explainError, type SameAs } from '../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import type { DeclaredDomains } from './intent.ts';
import {
  type AvailabilityRow,
  availabilityRows,
  checkedTogether,
  describeAvailability,
  tooExpensive,
} from './model/availability.ts';
import type { ObservedDomains } from './plan.ts';
import { type ChangeResult, changeLines } from './result.ts';

/** How many domains are processed at once. */
export const concurrency = 6;

/** A run that applies a plan of domains. */
export interface Applying extends Run {
  /** Shortens the reason of a failure that was already logged. */
  sameAs: SameAs;
}

type Doing = Omit<ChangeResult, 'outcome'>;

/** Logs a result and returns it. */
function conclude({ host }: Run, result: ChangeResult): ChangeResult {
  host.report({ type: 'lines', entries: changeLines(result) });
  return result;
}

/**
 * Does one write and logs its result; a failure does not stop the others.
 *
 * @param work returns what differs from the planned result
 */
export async function attempt(
  run: Applying,
  doing: Doing,
  work: () => Promise<Partial<Pick<ChangeResult, 'outcome' | 'reason'>> | undefined>,
): Promise<ChangeResult> {
  const { host } = run;
  try {
    return conclude(run, { ...doing, outcome: 'done', ...(await work()) });
  } catch (error) {
    const isCut = host.signal.aborted;
    if (isCut) {
      const reason = safe`the run ended before this was confirmed`;
      return conclude(run, { ...doing, outcome: 'not-reached', reason });
    }
    const repeated = run.sameAs(doing.name, error);
    const failed = { ...doing, outcome: 'failed' } as const;
    if (repeated !== undefined) return conclude(run, { ...failed, reason: repeated });
    const cause = explainError(error, host.clean);
    return conclude(run, { ...failed, reason: printed(cause), cause });
  }
}

/** Logs that a write is skipped because an earlier one failed. */
export function skip(run: Run, doing: Doing, reason: SafeText): ChangeResult {
  return conclude(run, { ...doing, outcome: 'not-reached', reason });
}

/** True if the change was not made. */
export const isNotMade = ({ outcome }: ChangeResult): boolean =>
  outcome === 'failed' || outcome === 'not-reached';

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
export async function checkAvailability(
  { client, host }: Run,
  names: readonly string[],
): Promise<AvailabilityRow[]> {
  const answers = await pLimit(concurrency).map(checkedTogether(names), (some) =>
    client.checkDomains(some, host.signal),
  );
  const rows = availabilityRows(names, answers.flat(), host.clean);
  for (const row of rows) {
    host.report({ type: 'note', text: host.clean(describeAvailability(row)) });
  }
  return rows;
}

/** @throws Stop if a name costs more than allowed */
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
  throw new Stop('failed', diagnose('SD6108', message));
}
