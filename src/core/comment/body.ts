import type { Commit } from '../../contract/commit.ts';
import { type SignedClaim, writeClaimLine } from '../preview/claim.ts';
import { describeConfirmation, titleOf } from '../report/closing.ts';
import { previewUrl, renderDomain } from '../report/domain.ts';
import { describeCounts } from '../report/environment-result.ts';
import type { DeployReport } from '../report/report.ts';
import { showCommit } from '../report/summary.ts';
import { cut } from '../text/cut.ts';
import { formatDuration } from '../text/duration.ts';
import { code, plain, table } from '../text/markdown.ts';
import { shorten, trusted } from '../text/safe.ts';
import { type LivePreview, writeLiveLine } from './live-line.ts';
import { type Marker, writeMarker } from './marker.ts';

/** GitHub takes 65,536 characters; far fewer are ever needed. */
const longest = 60_000;

/** What a comment tells beside the report. */
export interface CommentContext {
  marker: Marker;
  /** What the comment says, hidden, of whose the preview's hostname is. */
  claim?: SignedClaim | undefined;
  /** The preview that the next run is to know as live before. */
  live?: LivePreview | undefined;
  /** The address of the run, which this action made itself. */
  runUrl: string;
}

const runLink = ({ runUrl }: CommentContext): string => `<sub>[The run](${runUrl})</sub>`;

/** A comment of some parts, cut to what GitHub takes. */
export function assemble(context: CommentContext, parts: readonly string[]): string {
  const { marker, claim, live } = context;
  const hidden = [
    writeMarker(marker),
    ...(claim === undefined ? [] : [writeClaimLine(claim)]),
    ...(live === undefined ? [] : [writeLiveLine(live)]),
  ];
  return cut([hidden.join('\n'), ...parts, runLink(context)].join('\n\n'), longest);
}

/** The most variables that a comment names. */
const maxNames = 30;

/** What changed in the environment: counts and names. */
function describeEnvironment(report: DeployReport): string {
  const variables = report.environment?.variables ?? [];
  const changed = variables
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ name }) => name);
  const names = changed.slice(0, maxNames).map((name) => code(shorten(name, 60)));
  const more = changed.length > maxNames ? ` … and ${changed.length - maxNames} more` : '';
  return `${describeCounts(report.environment)}${names.length === 0 ? '' : `: ${names.join(' ')}${more}`}`;
}

function facts(report: DeployReport, projectId: string): string[][] {
  const { commit, deployment, confirmedBy, environment, durationMs } = report;
  const url = previewUrl(report);
  const pushed = report.pushed === true ? ', pushed to its repository' : '';
  const confirmed = confirmedBy === undefined ? '' : `, ${describeConfirmation(confirmedBy)}`;
  return [
    ['Project', code(trusted(projectId))],
    ...(url === '' ? [] : [['Preview', `[${url}](${url})`]]),
    ...(commit === undefined ? [] : [['Commit', `${showCommit(commit)}${pushed}`]]),
    ...(deployment === undefined ? [] : [['Status', `${code(deployment.status)}${confirmed}`]]),
    ...(environment === undefined ? [] : [['Environment', describeEnvironment(report)]]),
    ['Time', formatDuration(durationMs)],
  ];
}

/** The preview that was live before this run, as far as it is surely still served. */
function renderPrevious({ previousPreview }: Pick<DeployReport, 'previousPreview'>): string[] {
  if (previousPreview === undefined) return [];
  const { url, commit } = previousPreview;
  return [`Live before: [${url}](${url}), commit ${code(commit)}`];
}

/** The comment while a deployment is under way. */
export function renderDeploying(
  {
    projectId,
    commit,
    ...report
  }: { projectId?: string; commit: Commit } & Pick<DeployReport, 'previousPreview'>,
  context: CommentContext,
): string {
  const head = ['Commit', showCommit(commit)];
  const project = projectId === undefined ? [] : [['Project', code(trusted(projectId))]];
  return assemble(context, ['### 🚀 Deploying …', table(head, project), ...renderPrevious(report)]);
}

/** The comment at the end of a run, whatever its outcome. */
export function renderOutcome(report: DeployReport, context: CommentContext): string {
  const { outcome, error, uncertainties = [], actions = [], projectId } = report;
  const isShown = projectId !== undefined && outcome !== 'cleaned-up';
  const [head = [], ...rows] = isShown ? facts(report, projectId) : [];
  return assemble(context, [
    `### ${titleOf(outcome)}`,
    ...(error === undefined ? [] : [`> ${plain(error)}`]),
    ...[...uncertainties, ...actions].map((line) => `- ${plain(line)}`),
    ...(isShown ? [table(head, rows)] : []),
    ...renderDomain(report),
    ...renderPrevious(report),
  ]);
}
