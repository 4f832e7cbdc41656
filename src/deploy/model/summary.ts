import { renderChecks } from '../../checks/model/checks-section.ts';
import { renderDomain } from '../../domains/model/domain.ts';
import { trusted } from '../../kernel/text/safe.ts';
import type { DeployReport } from '../../release/report.ts';
import { code, heading } from '../../report/markdown.ts';
import { planInSummary } from '../../report/plan.ts';
import { renderVariables } from '../../variables/model/environment-section.ts';
import { showPlan } from './deploy-plan.ts';
import { showDetails, showFacts, showLog, showOutcome, showPrevious } from './facts.ts';
import { renderTimeline } from './timeline.ts';
import { describeRun, iconOfRun } from './title.ts';

/** The most names of variables that are left as they are. */
const maxNames = 200;

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
    ...renderChecks(report),
    ...renderDomain(report),
    ...showFacts(report, ...skipped),
    ...showPlan(report, { ...planInSummary, most: maxNames }),
    ...(environment === undefined || environment.isPlanned
      ? []
      : renderVariables(environment, { isDeployed: deployment !== undefined })),
    ...renderTimeline(report),
    ...showDetails(report),
    '',
  ].join('\n\n');
}
