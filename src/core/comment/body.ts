import type { Commit } from '../../contract/commit.ts';
import { type SignedClaim, writeClaimLine } from '../preview/claim.ts';
import { renderChecks } from '../report/checks-section.ts';
import { showPlan } from '../report/deploy-plan.ts';
import { renderDomain } from '../report/domain.ts';
import {
  describeOutcome,
  describeWhere,
  type EnvironmentResult,
  type VariableResult,
} from '../report/environment-result.ts';
import {
  showCommit,
  showDetails,
  showFacts,
  showLog,
  showOutcome,
  showPrevious,
  showTitle,
} from '../report/facts.ts';
import { planInComment } from '../report/plan.ts';
import type { DeployReport, Subject } from '../report/report.ts';
import { describeRun, iconOfRun } from '../report/title.ts';
import { cut } from '../text/cut.ts';
import { code, fold, link } from '../text/markdown.ts';
import { type SafeText, safe, shorten } from '../text/safe.ts';
import { type LivePreview, writeLiveLine } from './live-line.ts';
import { type Marker, type MarkerSeal, writeMarker } from './marker.ts';

/** GitHub takes 65,536 characters; far fewer are ever needed. */
const longest = 60_000;

/** What a comment tells beside the report. */
export interface CommentContext {
  marker: Marker;
  /** Signs the marker; absent if nobody does. */
  seal?: MarkerSeal;
  /** What the comment says, hidden, of whose the preview's hostname is. */
  claim?: SignedClaim | undefined;
  /** The preview that the next run is to know as live before. */
  live?: LivePreview | undefined;
  /** The address of the run, which this action made itself. */
  runUrl: string;
}

const runLink = ({ runUrl }: CommentContext): string => `<sub>${link('The run', runUrl)}</sub>`;

/** A comment of some parts, cut to what GitHub takes. */
function join({ marker, seal, claim, live }: CommentContext, parts: readonly string[]): string {
  const hidden = [
    writeMarker(seal?.sign(marker, live) ?? marker),
    ...(claim === undefined ? [] : [writeClaimLine(claim)]),
    ...(live === undefined ? [] : [writeLiveLine(live)]),
  ];
  return cut([hidden.join('\n'), ...parts].join('\n\n'), longest);
}

/** A comment of some parts, and the link to its run below them. */
export function assemble(context: CommentContext, parts: readonly string[]): string {
  return join(context, [...parts, runLink(context)]);
}

/** The most variables that a comment names openly, and of one kind in a fold. */
const most = { open: 8, folded: 30 };

/** What became of the variables, by name; nothing of those that are as they were. */
function showVariables({ variables, ambiguous, isPlanned }: EnvironmentResult): string[] {
  type Told = Pick<VariableResult, 'name' | 'outcome' | 'targets'>;
  const conflicts = ambiguous.map(({ name }): Told => ({ name, outcome: 'conflict' }));
  const changed: readonly Told[] = [...conflicts, ...variables].filter(
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

/** What is said of a run while it is under way. */
export interface DeployingReport extends Pick<DeployReport, 'subject' | 'previousPreview'> {
  commit: Commit;
}

/** The comment while a deployment is under way. */
export function renderDeploying(report: DeployingReport, context: CommentContext): string {
  const { commit, subject } = report;
  return join(context, [
    showTitle('🚀', deploying(subject), subject),
    ...showPrevious(report),
    `${showCommit(commit, subject)} · ${link('watch the run', context.runUrl)}`,
  ]);
}

const deploying = (subject: Subject | undefined): SafeText =>
  safe`${subject?.name ?? safe`The site`}: deploying …`;

/** The comment at the end of a run, whatever its outcome. */
export function renderOutcome(report: DeployReport, context: CommentContext): string {
  const { environment, outcome } = report;
  const log = showLog(report);
  const isOver = outcome === 'cleaned-up';
  return join(context, [
    showTitle(iconOfRun(report), describeRun(report), report.subject),
    ...showOutcome(report),
    ...(log === undefined ? [] : [fold(log.title, [log.block])]),
    ...showPrevious(report),
    ...renderChecks(report),
    ...renderDomain(report),
    ...showFacts(report, link('log of the run', context.runUrl)),
    ...showPlan(report, { ...planInComment, most: most.folded }),
    ...(environment === undefined || environment.isPlanned ? [] : showVariables(environment)),
    ...(isOver ? [] : showDetails(report)),
  ]);
}
