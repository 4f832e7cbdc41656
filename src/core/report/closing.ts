import type { Outcome } from '../outcome.ts';
import { formatDuration } from '../text/duration.ts';
import type { SafeText } from '../text/safe.ts';
import type { ConfirmedBy } from './report.ts';

const titles: Readonly<Record<Outcome, string>> = {
  succeeded: 'Deployed',
  failed: 'Failed',
  'rolled-back': 'Rolled back',
  'timed-out': 'Timed out',
  cancelled: 'Cancelled',
  unconfirmed: 'Unconfirmed',
  accepted: 'Accepted, not followed',
  planned: 'Planned',
  synced: 'Synced',
  conflict: 'Conflict',
  skipped: 'Skipped',
  'cleaned-up': 'Cleaned up',
};

const icons: Readonly<Record<Outcome, string>> = {
  succeeded: '✅',
  failed: '❌',
  'rolled-back': '↩️',
  'timed-out': '⏱️',
  cancelled: '🚫',
  unconfirmed: '❓',
  accepted: '📨',
  planned: '📋',
  synced: '✅',
  conflict: '⚠️',
  skipped: '⏭️',
  'cleaned-up': '🧹',
};

const confirmations: Readonly<Record<ConfirmedBy, string>> = {
  stream: "seen on the deployment's event stream",
  poll: "seen in the deployment's status",
  production: 'seen by the production runtime turning from pending to published',
  site: 'seen by the site answering as its checks want, which it did not before',
  answer: 'said by the answer to the deployment request',
};

/** The sign of an outcome. */
export function iconOf(outcome: Outcome): string {
  return icons[outcome];
}

/** What a run took: milliseconds, and requests that the service was sent. */
export interface RunCost {
  durationMs: number;
  requests: number;
}

/** An outcome in words. */
export function nameOf(outcome: Outcome): string {
  return titles[outcome];
}

/** How many requests the service was sent, in words. */
export function describeRequests(requests: number): string {
  return requests === 1 ? '1 request' : `${requests} requests`;
}

/** An outcome as the title of a summary. */
export function titleOf(outcome: Outcome): string {
  return `${icons[outcome]} ${titles[outcome]}`;
}

/** How the end was confirmed, in words. */
export function describeConfirmation(confirmedBy: ConfirmedBy): string {
  return confirmations[confirmedBy];
}

/** What a run took, at least what can be shown; undefined if it sent nothing, and so took no time worth telling. */
export function showTime({ durationMs, requests }: RunCost): SafeText | undefined {
  return requests === 0 ? undefined : formatDuration(Math.max(100, durationMs));
}

/** The last line of a log: how it ended, what there is to say (undefined: nothing), and what it took; nothing of zero. */
export function closeWith(
  title: string,
  { durationMs, requests }: RunCost,
  ...said: readonly (string | undefined)[]
): string {
  const facts = said.filter((fact) => fact !== undefined);
  const time = showTime({ durationMs, requests });
  const took = time === undefined ? title : `${title} in ${time}`;
  const sent = requests === 0 ? [] : [describeRequests(requests)];
  return [took, ...facts, ...sent].join(' · ');
}
