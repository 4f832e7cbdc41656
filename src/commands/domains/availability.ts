import pLimit from 'p-limit';
import { limits } from '../../contract/limits.ts';
import { chunk } from '../../core/chunk.ts';
import {
  type AvailabilityRow,
  availabilityRows,
  tooDear,
} from '../../core/domains/availability.ts';
import type { ServiceClient } from '../../service/client.ts';
import { EarlyEnd, type Host } from '../host.ts';
import { atOnce } from './context.ts';
import type { Run } from './run.ts';

/** Twenty names a request. */
async function askAll(
  client: ServiceClient,
  host: Host,
  names: readonly string[],
): Promise<AvailabilityRow[]> {
  const pieces = chunk(names, limits.checkedDomains.max);
  const answers = await pLimit(atOnce).map(pieces, async (some) =>
    availabilityRows(some, await client.checkDomains(some, host.signal), host.clean),
  );
  return answers.flat();
}

/**
 * Checks names for availability and price. Nothing is bought.
 *
 * @throws EarlyEnd if one costs more than allowed
 */
export async function checkNames({ client, host, request, report }: Run): Promise<void> {
  const { maxPrice } = request;
  if (request.check.length === 0) return;
  report.availability = await askAll(client, host, request.check);
  const dear = maxPrice === undefined ? [] : tooDear(report.availability, maxPrice);
  if (dear.length === 0) return;
  const message = `Nothing was changed: max-price is ${maxPrice} USD, and these cost more: ${dear.map(host.clean).join(', ')}. Nothing is ever bought by this action.`;
  throw new EarlyEnd('failed', message);
}
