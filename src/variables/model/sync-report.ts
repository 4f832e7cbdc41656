import type { Diagnostic } from '../../kernel/diagnostic.ts';
import type { Outcome } from '../../kernel/outcome.ts';
import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';
import { assemble, type CommentContext } from '../../recording/model/assemble.ts';
import { closeWith, describeRequests, nameOf, showTime } from '../../report/closing.ts';
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

/** Everything that a run of the env-sync command has to say. */
export interface SyncReport {
  outcome: Outcome;
  projectId: string;
  environment?: EnvironmentResult;
  /** Why a plan that is only shown would not be applied. */
  refusal?: Diagnostic;
  /** True if the step fails because the service is not as it is declared. */
  drifted?: true;
  /** Requests that the service was sent. */
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}

const titles: Readonly<Partial<Record<Outcome, (environment: EnvironmentResult) => SafeText>>> = {
  synced: (environment) => {
    const changed = countChanged(environment);
    return changed === 0 ? safe`nothing changed` : safe`${changed} changed`;
  },
  planned: (environment) => {
    const groups = [planOfVariables(environment)];
    return countPlan(groups, [[countSigns(groups, '!'), safe`to look at`]]);
  },
  failed: (environment) => {
    const { failed } = countVariables(environment);
    return failed === 0 ? safe`failed` : safe`${failed} of ${environment.variables.length} failed`;
  },
  conflict: (environment) => safe`${countVariables(environment).conflicts} in conflict`,
};

/** True if a plan holds nothing but what was changed elsewhere. */
const isAllOf = (environment: EnvironmentResult | undefined): boolean =>
  environment !== undefined &&
  planOfVariables(environment).lines.length === countElsewhere(environment);

/** What a sync came to, in one line. */
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

/** A sync's title, with the beginning of the project's id in a comment, beside which others may stand. */
export function showSyncTitle(level: 2 | 3, report: SyncReport): string {
  const title = heading(level, iconOfPlan(report), describeSync(report));
  const mark = plain(shorten(unsafeText(report.projectId.slice(0, 8)), 8));
  return level === 3 ? `${title} <sub>project&#160;${mark}</sub>` : title;
}

/** What stands below the title. */
export function renderSyncBody(report: SyncReport, view: EnvironmentView): string[] {
  const { error, refusal, environment, projectId } = report;
  const time = showTime(report);
  // Those of a plan are in its title.
  const counts =
    environment === undefined || environment.isPlanned ? '' : describeCounts(environment);
  const details = [
    `- Project: ${code(unsafeText(projectId))}`,
    ...(environment === undefined
      ? []
      : [`- Digest of the plan: ${code(unsafeText(environment.digest))}`]),
    ...describeRequests(report).map((text) => `- Sent to the service: ${text}`),
  ];
  const facts = [
    ...(time === undefined ? [] : [`Took ${time}`]),
    // One count alone is said by the title.
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

/** A sync's job summary, in GitHub-flavoured Markdown. */
export function renderSync(report: SyncReport): string {
  return [showSyncTitle(2, report), ...renderSyncBody(report, {}), ''].join('\n\n');
}

/** The plan of a project's variables as a pull request's comment. */
export function renderSyncComment(report: SyncReport, context: CommentContext): string {
  return assemble(context, [showSyncTitle(3, report), ...renderSyncBody(report, planInComment)]);
}
