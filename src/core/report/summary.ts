import { code, heading } from '../text/markdown.ts';
import { trusted } from '../text/safe.ts';
import { renderDomain } from './domain.ts';
import { renderVariables } from './environment-section.ts';
import { showDetails, showFacts, showLog, showOutcome, showPrevious } from './facts.ts';
import type { DeployReport } from './report.ts';
import { renderTimeline } from './timeline.ts';
import { describeRun, iconOfRun } from './title.ts';

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderSummary(report: DeployReport): string {
  const { environment, skippedReason, deployment } = report;
  const log = showLog(report);
  const skipped = skippedReason === undefined ? [] : [`skipped as ${code(trusted(skippedReason))}`];
  return [
    heading(2, iconOfRun(report), describeRun(report)),
    ...showOutcome(report),
    ...(log === undefined ? [] : [`${log.title}:`, log.block]),
    ...showPrevious(report),
    ...renderDomain(report),
    ...showFacts(report, ...skipped),
    ...(environment === undefined
      ? []
      : renderVariables(environment, { isDeployed: deployment !== undefined })),
    ...renderTimeline(report),
    ...showDetails(report),
    '',
  ].join('\n\n');
}
