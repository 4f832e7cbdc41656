import pLimit from 'p-limit';
import { limits } from '../../contract/limits.ts';
import { chunk } from '../../core/chunk.ts';
import {
  type AvailabilityRow,
  askedName,
  availabilityRows,
  describeAvailability,
  tooDear,
} from '../../core/domains/availability.ts';
import { EarlyEnd } from '../host.ts';
import type { Run } from '../run.ts';
import { atOnce } from './context.ts';
import type { Managing } from './run.ts';

/** Twenty names a request, each name once; a row for each that was given. */
async function askAll({ client, host }: Run, names: readonly string[]): Promise<AvailabilityRow[]> {
  const asked = [...new Set(names.map(askedName))];
  const pieces = chunk(asked, limits.checkedDomains.max);
  const answers = await pLimit(atOnce).map(pieces, (some) =>
    client.checkDomains(some, host.signal),
  );
  return availabilityRows(names, answers.flat(), host.clean);
}

/**
 * Checks names for availability and price. Nothing is bought.
 *
 * @throws EarlyEnd if one costs more than allowed
 */
export async function checkNames(run: Managing): Promise<void> {
  const { host, request, report } = run;
  const { maxPrice } = request;
  if (request.check.length === 0) return;
  report.availability = await askAll(run, request.check);
  for (const row of report.availability) {
    host.report({ type: 'note', text: host.clean(describeAvailability(row)) });
  }
  const dear = maxPrice === undefined ? [] : tooDear(report.availability, maxPrice);
  if (dear.length === 0) return;
  const message = `Nothing was changed: max-price is ${maxPrice} USD, and these cost more: ${dear.map(host.clean).join(', ')}. Nothing is ever bought by this action.`;
  throw new EarlyEnd('failed', message);
}
