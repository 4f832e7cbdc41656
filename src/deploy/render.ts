import { renderChecks } from '../checks/render.ts';
import { countFailed, failedOf } from '../checks/result.ts';
import { type CommentContext, join } from '../comments/model/assemble.ts';
import type { LivePreview } from '../comments/model/marker.ts';
import { type RunCommit, type Sha, shaOf } from '../contract/commit.ts';
import { renderDomain } from '../domains/model/connected-domain-report.ts';
import { connectionLines } from '../domains/model/domains-plan.ts';
import { confirmations, describeIndirect } from '../follow/model/evaluate.ts';
import { type SafeText, safe, shorten, shortSha, unsafeText } from '../kernel/text/safe.ts';
import { countOf, requestsFact, type Subject, showTime } from '../report/closing.ts';
import { code, fence, fold, heading, link, plain, quoteMessage } from '../report/markdown.ts';
import { type PlanView, planInComment, planInSummary, renderPlan } from '../report/plan.ts';
import { planOfVariables, renderAfterPlan, renderVariables } from '../variables/render.ts';
import {
  describeCounts,
  describeOutcome,
  describeWhere,
  type EnvironmentResult,
  isBlank,
  type VariableResult,
} from '../variables/result.ts';
import { type Changes, showChanges, showSha } from './model/changes.ts';
import type { DeployReport, Release } from './model/report.ts';
import { renderTimeline } from './model/timeline.ts';
import { describeRun, iconOfRun } from './model/title.ts';
import { verdict } from './model/verdict.ts';

/** The most variables that a comment names openly, and of one kind in a fold. */
const most = { open: 8, folded: 30 };

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

/** A run's job summary, in GitHub-flavoured Markdown, with what its release has changed, if that was read. */
export function renderSummary(report: DeployReport, changes?: Changes): string {
  const { environment, release } = report;
  const log = showLog(report);
  const parts = [heading(2, iconOfRun(report), describeRun(report)), ...showOutcome(report)];
  if (log !== undefined) parts.push(`${log.title}:`, log.block);
  parts.push(
    ...renderChecks(report),
    ...renderDomain(report),
    ...showFacts(report),
    ...showChanges(report, changes),
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

/** A comment's title, with a mark if the pull request has comments of other projects. */
function showTitle(icon: string, words: SafeText, subject?: Subject): string {
  const mark = subject?.mark === undefined ? '' : ` <sub>project&#160;${plain(subject.mark)}</sub>`;
  return `${heading(3, icon, words)}${mark}`;
}

/** The preview that was live before this run and still is. */
function showPrevious(previous: LivePreview | undefined, earlier?: Sha): string[] {
  if (previous === undefined) return [];
  const { url, commit } = previous;
  const by = earlier === undefined ? '' : ' (by its GitHub deployment)';
  return [
    `Still live${by}, from commit ${code(shortSha(commit))}: **${link(plain(hostOf(url)), url)}**`,
  ];
}

/** Which commit it is, in Markdown: short, and linked to its page where that is known. */
export function showCommit(commit: RunCommit, subject?: Subject): string {
  const sha = shaOf(commit);
  if (sha === undefined) return "HEAD of the project's repository";
  return `Commit ${showSha(sha, subject)}`;
}

/**
 * What is first below the title: the link, and the error.
 *
 * @param previous the earlier preview that is still live, which {@link showPrevious} shows
 */
function showOutcome(report: DeployReport, previous?: LivePreview): string[] {
  const { error, release, actions = [], rollback, helpUrl, keptTemplate } = report;
  const { confirmedUrl: url } = verdict(report);
  const lines = url === '' ? [] : [`### ${link(plain(hostOf(url)), url)}`];
  lines.push(...quoteMessage(error, helpUrl));
  if (previous === undefined) lines.push(...showLive(report));
  const points = [release, rollback?.release].flatMap((one) => one?.uncertainty ?? []);
  points.push(...actions);
  if (keptTemplate !== undefined) {
    points.push(
      safe`The project contained only its template, which is kept in branch ${keptTemplate}.`,
    );
  }
  for (const point of points) lines.push(`- ${plain(point)}`);
  return lines;
}

/** A URL without its scheme. */
const hostOf = (url: string): SafeText => unsafeText(url.replace(/^https?:\/\//, ''));

/**
 * What is live after a failed deployment, a rollback, or another run's deployment; nothing if the title or
 * {@link showPrevious} shows it.
 */
function showLive(report: DeployReport): string[] {
  const { rollback, isOvertaken, subject, preview, outcome } = report;
  const { stage, live, byRecords } = verdict(report);
  if (live === undefined && byRecords !== undefined) {
    const shown = showCommit(byRecords, subject);
    return [`**Live now:** ${shown} (by its GitHub deployment; the site was not checked)`];
  }
  const isOpen =
    preview === undefined && outcome !== 'accepted' && ['requested', 'under-way'].includes(stage);
  const hasFailed = countFailed(report.checks) > 0 && stage === 'succeeded';
  if (rollback !== undefined || isOvertaken === true || isOpen || hasFailed) {
    const shown =
      live === undefined ? 'unknown' : `${showCommit(live, subject)}${doubt(report, live)}`;
    return [`**Live now:** ${shown}`];
  }
  if (preview !== undefined || outcome !== 'failed' || stage !== 'failed') return [];
  return ['**Live now:** unknown, the site was not checked'];
}

/** The failed checks of the live commit, in brackets; empty if there are none. */
function doubt({ checks, rollback }: DeployReport, live: Sha): string {
  const own = live === rollback?.commit ? rollback.checks : checks;
  return countFailed(own) === 0 ? '' : ` (${failedOf(own)} failed)`;
}

/** The most characters of a line of a build's log. */
const longestLine = 500;

/** The last lines of the build's own log as a block; undefined if there are none. */
function showLog({
  release,
  rollback,
}: DeployReport): { title: string; block: string } | undefined {
  const log = release?.log ?? rollback?.release?.log ?? [];
  if (log.length === 0) return undefined;
  const title = `The last ${countOf(log.length, safe`line`)} of the build's log`;
  return { title, block: fence(log.map((line) => unsafeText(line.slice(0, longestLine)))) };
}

/** The commit and the duration, in one line; nothing if there is only the duration. */
function showFacts(report: DeployReport, ...more: readonly string[]): string[] {
  const { commit, subject, pushed, outcome, rollback } = report;
  const isAbout = commit !== undefined && outcome !== 'cleaned-up';
  if (!isAbout && more.length === 0) return [];
  const facts: string[] = [];
  if (isAbout) {
    const { live, byRecords } = verdict(report);
    const shown = byRecords ?? (rollback === undefined ? undefined : live);
    const label = shown === undefined || shown === commit ? '' : 'This run: ';
    const push = pushed === true ? ', pushed to its repository' : '';
    facts.push(`${label}${showCommit(commit, subject)}${push}`);
  }
  const time = showTime(report);
  if (time !== undefined) facts.push(`${isAbout ? 'took' : 'Took'} ${time}`);
  return [[...facts, ...more].join(' · ')];
}

/**
 * What a plan would change: variables, and domains; nothing if the run was no plan.
 *
 * @param most how many names of unchanged variables
 */
function showPlan(
  { environment, otherChanges = [] }: DeployReport,
  { most, ...view }: PlanView & { most: number },
): string[] {
  if (environment?.isPlanned !== true) return [];
  const domains = Map.groupBy(otherChanges, ({ name }) => name);
  const groups = [
    planOfVariables(environment),
    ...Array.from(domains, ([title, some]) => ({ title, lines: connectionLines(title, some) })),
  ];
  return [...renderPlan(groups, view), ...renderAfterPlan(environment, most)];
}

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

/** Ids, statuses and their source, folded. */
function showDetails(report: DeployReport): string[] {
  const { projectId, release, preview, commit, environment, rollback, skippedReason } = report;
  const known = shaOf(commit);
  const confirmedBy = release?.confirmedBy;
  const confirmed = confirmedBy === undefined ? '' : `, ${confirmations[confirmedBy]}`;
  const lines: string[] = [];
  if (skippedReason !== undefined) lines.push(`skipped-reason: ${code(safe`${skippedReason}`)}`);
  if (projectId !== undefined) lines.push(`Project: ${code(unsafeText(projectId))}`);
  if (known !== undefined) lines.push(`Commit: ${code(known)}`);
  lines.push(...showDeployment(release, ['Deployment', 'Status'], confirmed));
  if (rollback !== undefined) {
    const names = ['Deployment of the rollback', 'Status of the rollback'] as const;
    lines.push(`Rolling back to: ${code(rollback.commit)}`);
    lines.push(...showDeployment(rollback.release, names));
  }
  if (preview?.domain !== undefined) {
    const { hostname, statuses } = preview.domain;
    lines.push(`Domain: ${code(hostname)}${statuses === '' ? '' : `, ${plain(statuses)}`}`);
  }
  const digest = environment?.digest ?? '';
  if (digest !== '') lines.push(`Digest of the plan: ${code(unsafeText(digest))}`);
  lines.push(...requestsFact(report));
  return lines.length === 0 ? [] : [fold('Details', [lines.map((line) => `- ${line}`).join('\n')])];
}

/** Id and status of a deployment; nothing without its status, as of a run that was killed. */
function showDeployment(
  release: Release | undefined,
  [id, status]: readonly [string, string],
  confirmed = '',
): string[] {
  const { deployment } = release ?? {};
  if (deployment?.status === undefined) return [];
  return [`${id}: ${code(deployment.id)}`, `${status}: ${code(deployment.status)}${confirmed}`];
}
