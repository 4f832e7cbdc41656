import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { TakenOff } from '../release/release-history.ts';

/** Which run rolled a commit back, and when, as a clause. */
export function describeTakenOff({ restored, runId, at }: TakenOff): SafeText {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d/.exec(at) ?? [];
  const when = day === undefined ? safe`` : safe` (${unsafeText(`${day} ${time} UTC`)})`;
  const run = runId === undefined ? safe`an earlier run` : safe`run ${unsafeText(runId)}`;
  return safe`${run}${when} rolled back to ${unsafeText(restored)}`;
}
