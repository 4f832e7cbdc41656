import { countFailed, failedOf } from '../../checks/result.ts';
import type { LivePreview } from '../../comments/model/marker.ts';
import { type RunCommit, type Sha, shaOf } from '../../contract/commit.ts';
import type { DomainReport } from '../../domains/model/connected-domain-report.ts';
import { connectionLines } from '../../domains/model/domains-plan.ts';
import { describeConfirmation } from '../../follow/model/evaluate.ts';
import { type SafeText, safe, shortSha, unsafeText } from '../../kernel/text/safe.ts';
import { countOf, requestsFact, type Subject, showTime } from '../../report/closing.ts';
import { code, fence, fold, heading, link, plain, quoteMessage } from '../../report/markdown.ts';
import { type PlanView, renderPlan } from '../../report/plan.ts';
import { planOfVariables, renderAfterPlan } from '../../variables/render.ts';
import type { DeployReport, Release } from './report.ts';
import { verdict } from './verdict.ts';

/** The most characters of a line of a build's log. */
const longestLine = 500;

/** Which commit it is, in Markdown: short, and linked to its page where that is known. */
export function showCommit(commit: RunCommit, subject?: Subject): string {
  const sha = shaOf(commit);
  if (sha === undefined) return "HEAD of the project's repository";
  const short = code(shortSha(sha));
  if (subject?.commitsUrl === undefined) return `Commit ${short}`;
  return `Commit ${link(short, `${subject.commitsUrl}${encodeURIComponent(sha)}`)}`;
}

/** A comment's title, with a mark if the pull request has comments of other projects. */
export function showTitle(icon: string, words: SafeText, subject?: Subject): string {
  const mark = subject?.mark === undefined ? '' : ` <sub>project&#160;${plain(subject.mark)}</sub>`;
  return `${heading(3, icon, words)}${mark}`;
}

/** A URL without its scheme. */
const hostOf = (url: string): SafeText => unsafeText(url.replace(/^https?:\/\//, ''));

/** The preview that was live before this run and still is. */
export function showPrevious(previous: LivePreview | undefined, earlier?: Sha): string[] {
  if (previous === undefined) return [];
  const { url, commit } = previous;
  const by = earlier === undefined ? '' : ' (by its GitHub deployment)';
  return [
    `Still live${by}, from commit ${code(shortSha(commit))}: **${link(plain(hostOf(url)), url)}**`,
  ];
}

/** The failed checks of the live commit, in brackets; empty if there are none. */
function doubt({ checks, rollback }: DeployReport, live: Sha): string {
  const own = live === rollback?.commit ? rollback.checks : checks;
  return countFailed(own) === 0 ? '' : ` (${failedOf(own)} failed)`;
}

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

/** Where the template of a new project is kept. */
const templateLines = ({ keptTemplate }: DeployReport): SafeText[] =>
  keptTemplate === undefined
    ? []
    : [safe`The project contained only its template, which is kept in branch ${keptTemplate}.`];

/**
 * What is first below the title: the link, and the error.
 *
 * @param previous the earlier preview that is still live, which {@link showPrevious} shows
 */
export function showOutcome(report: DeployReport, previous?: LivePreview): string[] {
  const { error, release, actions = [], rollback, helpUrl } = report;
  const doubts = [release, rollback?.release].flatMap((one) => one?.uncertainty ?? []);
  const { confirmedUrl: url } = verdict(report);
  const lines = url === '' ? [] : [`### ${link(plain(hostOf(url)), url)}`];
  lines.push(...quoteMessage(error, helpUrl));
  if (previous === undefined) lines.push(...showLive(report));
  for (const line of [...doubts, ...actions, ...templateLines(report)]) {
    lines.push(`- ${plain(line)}`);
  }
  return lines;
}

/** The last lines of the build's own log as a block; undefined if there are none. */
export function showLog({
  release,
  rollback,
}: DeployReport): { title: string; block: string } | undefined {
  const log = release?.log ?? rollback?.release?.log ?? [];
  if (log.length === 0) return undefined;
  const title = `The last ${countOf(log.length, safe`line`)} of the build's log`;
  return { title, block: fence(log.map((line) => unsafeText(line.slice(0, longestLine)))) };
}

/** The commit and the duration, in one line; nothing if there is only the duration. */
export function showFacts(report: DeployReport, ...more: readonly string[]): string[] {
  const { commit, subject, pushed, outcome, rollback } = report;
  const time = showTime(report);
  const isAbout = commit !== undefined && outcome !== 'cleaned-up';
  const { live, byRecords } = verdict(report);
  const shown = byRecords ?? (rollback === undefined ? undefined : live);
  const label = shown === undefined || shown === commit ? '' : 'This run: ';
  const push = pushed === true ? ', pushed to its repository' : '';
  if (!isAbout && more.length === 0) return [];
  const facts = isAbout ? [`${label}${showCommit(commit, subject)}${push}`] : [];
  if (time !== undefined) facts.push(`${isAbout ? 'took' : 'Took'} ${time}`);
  return [[...facts, ...more].join(' · ')];
}

const showDomain = ({ hostname, statuses }: DomainReport): string =>
  `${code(hostname)}${statuses === '' ? '' : `, ${plain(statuses)}`}`;

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

/** Ids, statuses and their source, folded. */
export function showDetails(report: DeployReport): string[] {
  const { projectId, release, preview, commit, environment, rollback, skippedReason } = report;
  const known = shaOf(commit);
  const confirmedBy = release?.confirmedBy;
  const confirmed = confirmedBy === undefined ? '' : `, ${describeConfirmation(confirmedBy)}`;
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
  if (preview?.domain !== undefined) lines.push(`Domain: ${showDomain(preview.domain)}`);
  const digest = environment?.digest ?? '';
  if (digest !== '') lines.push(`Digest of the plan: ${code(unsafeText(digest))}`);
  lines.push(...requestsFact(report));
  return lines.length === 0 ? [] : [fold('Details', [lines.map((line) => `- ${line}`).join('\n')])];
}

/**
 * What a plan would change: variables, and domains; nothing if the run was no plan.
 *
 * @param most how many names of unchanged variables
 */
export function showPlan(
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
