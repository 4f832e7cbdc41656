import { renderChecks } from '../checks/render.ts';
import { type CommentContext, join } from '../comments/model/assemble.ts';
import type { LivePreview } from '../comments/model/marker.ts';
import type { RunCommit } from '../contract/commit.ts';
import { renderDomain } from '../domains/model/connected-domain-report.ts';
import { describeIndirect } from '../follow/model/evaluate.ts';
import { safe, shorten } from '../kernel/text/safe.ts';
import { type Subject, showTime } from '../report/closing.ts';
import { code, fold, heading, link } from '../report/markdown.ts';
import { planInComment, planInSummary } from '../report/plan.ts';
import { renderVariables } from '../variables/render.ts';
import {
  describeCounts,
  describeOutcome,
  describeWhere,
  type EnvironmentResult,
  isBlank,
  type VariableResult,
} from '../variables/result.ts';
import {
  showCommit,
  showDetails,
  showFacts,
  showLog,
  showOutcome,
  showPlan,
  showPrevious,
  showTitle,
} from './model/facts.ts';
import type { DeployReport } from './model/report.ts';
import { renderTimeline } from './model/timeline.ts';
import { describeRun, iconOfRun } from './model/title.ts';
import { verdict } from './model/verdict.ts';

/** The most variables that a comment names openly, and of one kind in a fold. */
const most = { open: 8, folded: 30 };

/** The changed variables, by name and outcome. */
function showVariables({ variables, ambiguous, isPlanned }: EnvironmentResult): string[] {
  type Shown = Pick<VariableResult, 'name' | 'outcome' | 'targets'>;
  const conflicts = ambiguous.map(({ name }): Shown => ({ name, outcome: 'conflict' }));
  const changed: readonly Shown[] = [...conflicts, ...variables].filter(
    ({ outcome }) => outcome !== 'unchanged',
  );
  if (changed.length === 0) return [];
  const wordOf = ({ outcome, targets }: Pick<VariableResult, 'outcome' | 'targets'>) =>
    outcome === 'conflict'
      ? 'in conflict'
      : `${describeOutcome(outcome, isPlanned)}${describeWhere(targets)}`;
  const kinds = [...Map.groupBy(changed, wordOf)].map(([word, some]) => {
    const names = some.slice(0, most.folded).map(({ name }) => code(shorten(name, 60)));
    const left = some.length - names.length;
    const more = left > 0 ? ` and ${left} more` : '';
    return { counted: `${some.length} ${word}`, named: `${word}: ${names.join(', ')}${more}` };
  });
  const named = kinds.map((kind) => kind.named);
  if (changed.length <= most.open) return [`Variables ${named.join(' · ')}`];
  const counts = kinds.map(({ counted }) => counted).join(', ');
  return [fold(`Variables: ${counts}`, [named.map((line) => `- ${line}`).join('\n')])];
}

/** The comment during a deployment; `context.live` is what is still live. */
export function renderDeploying(
  { subject, commit }: { subject: Subject; commit: RunCommit },
  context: CommentContext,
): string {
  return join(context, [
    showTitle('🚀', safe`${subject.name}: deploying …`, subject),
    ...showPrevious(context.live),
    `${showCommit(commit, subject)} · ${link('watch the run', context.runUrl)}`,
  ]);
}

/**
 * The comment at the end of a run, whatever its outcome.
 *
 * @param previous the earlier preview of this pull request that is still live
 */
export function renderOutcome(
  report: DeployReport,
  context: CommentContext,
  previous?: LivePreview,
): string {
  const { environment, outcome } = report;
  const log = showLog(report);
  const parts = [
    showTitle(iconOfRun(report), describeRun(report), report.subject),
    ...showOutcome(report, previous),
  ];
  if (log !== undefined) parts.push(fold(log.title, [log.block]));
  parts.push(
    ...showPrevious(previous, report.earlier),
    ...renderChecks(report),
    ...renderDomain(report),
    ...showFacts(report, link('log of the run', context.runUrl)),
    ...showPlan(report, { ...planInComment, most: most.folded }),
  );
  if (environment?.isPlanned === false) parts.push(...showVariables(environment));
  if (outcome !== 'cleaned-up') parts.push(...showDetails(report));
  return join(context, parts);
}

/** The most names of unchanged variables. */
const maxNames = 200;

/** A run's job summary, in GitHub-flavoured Markdown. */
export function renderSummary(report: DeployReport): string {
  const { environment, release } = report;
  const log = showLog(report);
  const parts = [heading(2, iconOfRun(report), describeRun(report)), ...showOutcome(report)];
  if (log !== undefined) parts.push(`${log.title}:`, log.block);
  parts.push(
    ...renderChecks(report),
    ...renderDomain(report),
    ...showFacts(report),
    ...showPlan(report, { ...planInSummary, most: maxNames }),
  );
  if (environment?.isPlanned === false) {
    const isDeployed = release?.deployment !== undefined;
    parts.push(...renderVariables(environment, { isDeployed }));
  }
  parts.push(...renderTimeline(report), ...showDetails(report), '');
  return parts.join('\n\n');
}

/** The last line of the log: result, URL and duration. */
export function closingLine(report: DeployReport): string {
  const { release, environment } = report;
  const { confirmedUrl: url } = verdict(report);
  const time = showTime(report);
  const shown = release?.confirmedBy && describeIndirect(release.confirmedBy);
  const parts: string[] = [describeRun(report)];
  if (url !== '') parts.push(url);
  if (time !== undefined) parts.push(time);
  if (environment !== undefined && !isBlank(environment)) {
    parts.push(`variables: ${describeCounts(environment)}`);
  }
  if (shown !== undefined) parts.push(shown);
  return parts.join(' · ');
}
