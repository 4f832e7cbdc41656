import type { Outcome } from '../outcome.ts';
import { formatDuration } from '../text/duration.ts';
import { countVariables, type DeployReport, type Witness } from './report.ts';

const titles: Readonly<Record<Outcome, string>> = {
  succeeded: 'Deployed',
  failed: 'Failed',
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

const witnesses: Readonly<Record<Witness, string>> = {
  stream: "seen on the deployment's event stream",
  poll: "seen in the deployment's status",
  production: 'seen by the production runtime turning from pending to published',
  site: 'seen by the site answering as verify-url wants, which it did not before',
  answer: 'said by the answer to the deployment request',
};

/** An outcome as the title of a summary. */
export function titleOf(outcome: Outcome): string {
  return `${icons[outcome]} ${titles[outcome]}`;
}

/** How the end was confirmed, in words. */
export function describeWitness(witness: Witness): string {
  return witnesses[witness];
}

/** The counts of a sync that are not zero, in words: `2 created, 1 replaced`. */
export function describeCounts(report: Pick<DeployReport, 'environment'>): string {
  const counts = Object.entries(countVariables(report.environment));
  const told = counts.filter(([, count]) => count > 0).map(([name, count]) => `${count} ${name}`);
  return told.length === 0 ? 'nothing declared' : told.join(', ');
}

/** The last line of a run's log. */
export function closingLine(report: DeployReport): string {
  const { outcome, deployment, witness, environment, requests, durationMs, skippedReason } = report;
  const parts = [
    `${titles[outcome]} in ${formatDuration(durationMs)}`,
    ...(skippedReason === undefined ? [] : [skippedReason]),
    ...(deployment === undefined ? [] : [`deployment ${deployment.id}`]),
    ...(environment === undefined ? [] : [`environment: ${describeCounts(report)}`]),
    ...(witness === undefined ? [] : [describeWitness(witness)]),
    requests === 1 ? '1 request' : `${requests} requests`,
  ];
  return parts.join(' · ');
}
