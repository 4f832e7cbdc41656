import { renderChecks } from '../checks/render.ts';
import { renderDomain } from '../domains/model/connected-domain-report.ts';
import { describeConfirmation } from '../follow/model/evaluate.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { DeployReport } from '../release/model/report.ts';
import { describeRequests, showTime } from '../report/closing.ts';
import { code, heading } from '../report/markdown.ts';
import { planInSummary } from '../report/plan.ts';
import { renderVariables } from '../variables/render.ts';
import { describeCounts, isBlank } from '../variables/result.ts';
import { showDetails, showFacts, showLog, showOutcome, showPlan } from './model/facts.ts';
import { renderTimeline } from './model/timeline.ts';
import { describeRun, iconOfRun } from './model/title.ts';
import { verdict } from './model/verdict.ts';

/** The most names of unchanged variables. */
const maxNames = 200;

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderSummary(report: DeployReport): string {
  const { environment, skippedReason, release } = report;
  const log = showLog(report);
  const skipped =
    skippedReason === undefined ? [] : [`skipped as ${code(unsafeText(skippedReason))}`];
  return [
    heading(2, iconOfRun(report), describeRun(report)),
    ...showOutcome(report),
    ...(log === undefined ? [] : [`${log.title}:`, log.block]),
    ...renderChecks(report),
    ...renderDomain(report),
    ...showFacts(report, ...skipped),
    ...showPlan(report, { ...planInSummary, most: maxNames }),
    ...(environment === undefined || environment.isPlanned
      ? []
      : renderVariables(environment, { isDeployed: release?.deployment !== undefined })),
    ...renderTimeline(report),
    ...showDetails(report),
    '',
  ].join('\n\n');
}

/** The last line of the log: result, URL and cost; zeros are left out. */
export function closingLine(report: DeployReport): string {
  const { release, environment, skippedReason } = report;
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
    ...(release?.confirmedBy === undefined ? [] : [describeConfirmation(release.confirmedBy)]),
    ...describeRequests(report),
  ].join(' · ');
}
