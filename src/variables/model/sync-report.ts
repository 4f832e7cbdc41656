import type { Diagnostic } from '../../kernel/diagnostic.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';
import { assemble, type CommentContext } from '../../recording/model/assemble.ts';
import { closeWith, nameOf, requestsFact, showTime } from '../../report/closing.ts';
import { code, fold, heading, plain, quoteMessage } from '../../report/markdown.ts';
import {
  countPlan,
  countSigns,
  iconOfPlan,
  planInComment,
  tellRefused,
} from '../../report/plan.ts';
import {
  describeDrift,
  type EnvironmentView,
  planOfVariables,
  renderEnvironment,
} from '../render.ts';
import {
  countChanged,
  countElsewhere,
  countVariables,
  describeCounts,
  type EnvironmentResult,
  isBlank,
} from '../result.ts';

/** The report of the env-sync command. */
export interface SyncReport {
  outcome: Outcome;
  projectId: string;
  environment?: EnvironmentResult;
  /** Why a plan that is only shown would not be applied. */
  refusal?: Diagnostic;
  /** True if the step fails because the service differs from the declared state. */
  drifted?: true;
  /** The number of requests to the service. */
  requests: number;
  unconnected?: number;
  durationMs: number;
  error?: Diagnostic;
}

const titles: Readonly<Partial<Record<Outcome, (environment: EnvironmentResult) => SafeText>>> = {
  synced: (environment) => {
    const changed = countChanged(environment);
    return changed === 0 ? safe`nothing changed` : safe`${changed} changed`;
  },
  planned: (environment) => {
    const groups = [planOfVariables(environment)];
    return countPlan(groups, [[countSigns(groups, '!'), safe`to check`]]);
  },
  failed: (environment) => {
    const { failed } = countVariables(environment);
    return failed === 0 ? safe`failed` : safe`${failed} of ${environment.variables.length} failed`;
  },
  conflict: (environment) => safe`${countVariables(environment).conflicts} in conflict`,
};

/** True if a plan has only variables that were changed elsewhere. */
const isAllOf = (environment: EnvironmentResult | undefined): boolean =>
  environment !== undefined &&
  planOfVariables(environment).lines.length === countElsewhere(environment);

/** The title of a sync's report. */
export function describeSync({ outcome, environment, drifted, refusal }: SyncReport): SafeText {
  const title = environment && titles[outcome]?.(environment);
  const drift = outcome === 'planned' ? environment && describeDrift(environment) : undefined;
  if (drift !== undefined)
    return isAllOf(environment) ? drift : safe`${drift} · ${title ?? safe``}`;
  if (drifted === true && title !== undefined) return safe`Drift of variables: ${title}`;
  const counts = title ?? unsafeText(nameOf(outcome).toLowerCase());
  return safe`Variables: ${tellRefused(counts, refusal)}`;
}

/** The last line of a sync's log. */
export function closeSync(report: SyncReport): string {
  const { outcome, environment } = report;
  const counts =
    environment && !isBlank(environment) ? `variables: ${describeCounts(environment)}` : undefined;
  return closeWith(nameOf(outcome), report, counts);
}

/** The title as a heading, in a comment with the start of the project's id, because there may be several. */
export function showSyncTitle(level: 2 | 3, report: SyncReport): string {
  const title = heading(level, iconOfPlan(report), describeSync(report));
  const mark = plain(shorten(unsafeText(report.projectId.slice(0, 8)), 8));
  return level === 3 ? `${title} <sub>project&#160;${mark}</sub>` : title;
}

/** The report below the title. */
export function renderSyncBody(report: SyncReport, view: EnvironmentView): string[] {
  const { error, refusal, environment, projectId } = report;
  const time = showTime(report);
  // A plan has its counts in the title.
  const counts =
    environment === undefined || environment.isPlanned ? '' : describeCounts(environment);
  const details = [
    `- Project: ${code(unsafeText(projectId))}`,
    ...(environment === undefined
      ? []
      : [`- Plan digest: ${code(unsafeText(environment.digest))}`]),
    ...requestsFact(report).map((text) => `- ${text}`),
  ];
  const facts = [
    ...(time === undefined ? [] : [`Took ${time}`]),
    // The title has a single count.
    ...(counts.includes(',') ? [counts] : []),
  ];
  return [
    ...quoteMessage(error),
    ...quoteMessage(refusal),
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    ...(environment === undefined ? [] : renderEnvironment(environment, view)),
    fold('Details', [details.join('\n')]),
  ];
}

/** A sync's job summary, in GitHub-flavored Markdown. */
export function renderSync(report: SyncReport): string {
  return [showSyncTitle(2, report), ...renderSyncBody(report, {}), ''].join('\n\n');
}

/** The plan of a project's variables as a pull request's comment. */
export function renderSyncComment(report: SyncReport, context: CommentContext): string {
  return assemble(context, [showSyncTitle(3, report), ...renderSyncBody(report, planInComment)]);
}
