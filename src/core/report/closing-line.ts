import { formatDuration } from '../text/duration.ts';
import { describeConfirmation, describeRequests } from './closing.ts';
import { describeCounts, isBlank } from './environment-result.ts';
import type { DeployReport } from './report.ts';
import { describeRun, liveUrl } from './title.ts';

/** The last line of a deploy's log: how it ended, where it is, and what it took; nothing of zero. */
export function closingLine(report: DeployReport): string {
  const { confirmedBy, environment, skippedReason, durationMs, requests } = report;
  const url = liveUrl(report);
  return [
    describeRun(report),
    ...(url === '' ? [] : [url]),
    ...(skippedReason === undefined ? [] : [skippedReason]),
    ...(durationMs < 50 ? [] : [formatDuration(durationMs)]),
    ...(environment === undefined || isBlank(environment)
      ? []
      : [`variables: ${describeCounts(environment)}`]),
    ...(confirmedBy === undefined ? [] : [describeConfirmation(confirmedBy)]),
    ...(requests === 0 ? [] : [describeRequests(requests)]),
  ].join(' · ');
}
