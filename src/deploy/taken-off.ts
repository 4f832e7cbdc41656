import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { TakenOff } from '../release/history.ts';

/** What took a commit off, in words: by which run, and when. */
export function describeTakenOff({ restored, runId, at }: TakenOff): SafeText {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d/.exec(at) ?? [];
  const when = day === undefined ? safe`` : safe` (${trusted(`${day} ${time} UTC`)})`;
  const run = runId === undefined ? safe`an earlier run` : safe`run ${trusted(runId)}`;
  return safe`${run}${when} rolled back to ${trusted(restored)}`;
}
