import { formatDuration } from '../kernel/text/duration.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
import type { DomainReport } from './model/domain-report.ts';

/**
 * Why a preview is not verified, and what to do; undefined if it is.
 *
 * @param timeout how long it was followed, in milliseconds; undefined while it is
 */
export function describePending(
  preview: DomainReport,
  timeout: number | undefined,
): SafeText | undefined {
  const { hostname, verification, records, errors, trouble } = preview;
  if (verification === 'good') return undefined;
  const statuses =
    preview.statuses === '' ? safe`the service shows no status of it` : preview.statuses;
  if (trouble !== undefined) {
    return safe`The verification of ${hostname} could not be followed (last seen: ${statuses}). ${trouble}`;
  }
  const is = verification === 'unclear' ? safe`is not known to be verified` : safe`is not verified`;
  const how =
    verification === 'bad'
      ? safe`failed its verification`
      : safe`${is} ${timeout === undefined ? safe`yet` : safe`after ${formatDuration(timeout)}`}`;
  const said =
    errors.length === 0 ? safe`` : safe` The service says: ${joinSafe(errors.map(sentence), ' ')}`;
  const wanted = records
    .filter(({ required }) => required)
    .map(({ type, name, value }) => safe`${type} ${name} → ${value}`);
  const make =
    wanted.length === 0 ? safe`` : safe` It needs these DNS records: ${joinSafe(wanted, '; ')}.`;
  return safe`The domain ${hostname} ${how} (${statuses}).${said}${make}`;
}
