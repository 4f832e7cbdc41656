import { describeConfirmation } from '../../follow/model/confirmation.ts';
import type { DeployReport } from '../../release/report.ts';
import { describeRequests, showTime } from '../../report/closing.ts';
import { describeCounts, isBlank } from '../../variables/model/environment-result.ts';
import { describeRun } from './title.ts';
import { verdict } from './verdict.ts';

/** The last line of a deploy's log: how it ended, where it is, and what it took; nothing of zero. */
export function closingLine(report: DeployReport): string {
  const { confirmedBy, environment, skippedReason } = report;
  const { seenUrl: url } = verdict(report);
  const time = showTime(report);
  return [
    describeRun(report),
    ...(url === '' ? [] : [url]),
    ...(skippedReason === undefined ? [] : [skippedReason]),
    ...(time === undefined ? [] : [time]),
    ...(environment === undefined || isBlank(environment)
      ? []
      : [`variables: ${describeCounts(environment)}`]),
    ...(confirmedBy === undefined ? [] : [describeConfirmation(confirmedBy)]),
    ...describeRequests(report),
  ].join(' · ');
}
