import type { CommentContext } from '../comments/model/assemble.ts';
import {
  type LivePreview,
  type Marker,
  type MarkerSigner,
  planKey,
} from '../comments/model/marker.ts';
import { attemptWith, type GitHubAttempt, RunComment } from '../comments/run-comment.ts';
import { type RunCommit, type Sha, sha, shaOf } from '../contract/commit.ts';
import { previewUrl } from '../domains/model/connected-domain-report.ts';
import type { GitHubAccess } from '../github/client.ts';
import type { DeploymentSeries } from '../github/deployments.ts';
import type { RecordSigner } from '../github/model/record-signer.ts';
import { idempotencyKey, isRunId } from '../kernel/cryptography.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { endRecords, OwnRecord, type PlannedDeployment } from '../releases/own-record.ts';
import { Series } from '../releases/series.ts';
import type { Subject } from '../report/closing.ts';
import type { Recorded } from '../step/end-step.ts';
import type { GracePeriod } from '../step/run-outcome.ts';
import { hasDrift } from '../variables/result.ts';
import {
  type Course,
  type DeployTarget,
  environmentOf,
  isByHand,
  isUndecided,
  type NotRecorded,
  readsHistory,
  type Work,
  whyNotRecorded,
} from './job.ts';
import type { DeployReport, DeployState } from './model/report.ts';
import { recordedEnd, subjectOf } from './model/title.ts';
import { leavesLive, stageOf } from './model/verdict.ts';
import { renderDeploying, renderOutcome } from './render.ts';

/** How long the records may take to read after a failed deployment, in milliseconds. */
const longestQuestion = 10_000;

/** What is recorded of a run on GitHub. It can be kept as JSON for the post step. */
export interface RecordingPlan {
  runUrl: string;
  subject: Subject;
  /** `isPlan`: the comment of plans, which does not show what is live. */
  comment?: { number: number; marker: Marker; isPlan?: boolean } | undefined;
  deployment?: PlannedDeployment | undefined;
  /** Why there is none; undefined with one. */
  notRecorded?: NotRecorded | undefined;
  /** True if the GitHub Deployment is created later: once it is known whether anything is deployed, and where. */
  waits?: boolean;
  /** Undefined until one is leased. */
  projectId?: string | undefined;
  commit: RunCommit;
}

interface RecordingContext {
  access: GitHubAccess;
  /** The signer of the comments on a pull request. */
  commentSignerFor: (number: number) => MarkerSigner;
  /** The signer of the GitHub Deployments. */
  recordSigner: RecordSigner;
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Saves what the post step needs if the step is killed. */
  journal: (part: JournalPart) => void;
  /** The records of earlier runs; undefined if none are made. A plan reads them, and makes none. */
  series?: DeploymentSeries | undefined;
  /** The environment of a run that turns out to go to production. */
  production?: string;
}

/** What a run's records add to its journal: an id as soon as there is one, each change of the plan, the report so far. */
interface JournalPart {
  deploymentId?: number;
  commentId?: number;
  plan?: RecordingPlan;
  found?: DeployState;
}

/** What was recorded before: by the main step, for its post step. */
type KnownIds = Record<'deploymentId' | 'commentId', number | undefined>;

/** The preview that a run has deployed live, if its commit is known. */
function liveIn(report: DeployReport): LivePreview | undefined {
  const commit = shaOf(report.commit);
  const url = previewUrl(report);
  if (url === '' || commit === undefined) return undefined;
  return { url: unsafeText(url), commit };
}

/** True if a plan gets a new comment: it changes something, or failed. */
const isWorthComment = ({ environment, otherChanges = [], error }: DeployReport): boolean =>
  otherChanges.length > 0 ||
  error !== undefined ||
  (environment !== undefined && hasDrift(environment));

/** True if what was live before surely still is, and the domain, if read, is verified. */
function leavesSite(report: DeployReport): boolean {
  const { preview } = report;
  const isServed = preview?.domain === undefined || preview.domain.verification === 'good';
  return isServed && leavesLive(report);
}

/**
 * Writes the comment and the GitHub Deployment of a run, at its begin and at its end. A failure is a warning, and the run
 * continues.
 */
export class Recorder {
  #plan: RecordingPlan;
  readonly #start = new AbortController();
  #started: Promise<unknown> = Promise.resolve();
  readonly #context: RecordingContext;
  readonly #attempt: GitHubAttempt;
  #series: Series | undefined;
  #deployment: OwnRecord | undefined;
  readonly #comment: RunComment | undefined;

  constructor(plan: RecordingPlan, context: RecordingContext, known?: KnownIds) {
    this.#plan = plan;
    this.#context = context;
    const { deployment: request, comment, runUrl } = plan;
    const attempt = attemptWith(context.warn, context.access);
    this.#attempt = attempt;
    this.#series = context.series && this.#openSeries(context.series);
    this.#deployment = request && this.#openRecord(request, known);
    const signer = comment && context.commentSignerFor(comment.number);
    const onComment = (commentId: number) => context.journal({ commentId });
    const common = { ...context, runUrl, attempt, onComment };
    this.#comment = signer && new RunComment({ ...common, ...comment, signer }, known?.commentId);
  }

  #openSeries({ environment, key }: DeploymentSeries): Series {
    const { access, recordSigner: signer } = this.#context;
    const own = this.#plan.deployment?.mark;
    return new Series({ access, signer, own }, { environment, key });
  }
  #openRecord(request: PlannedDeployment, known?: KnownIds): OwnRecord {
    const series = this.#openSeries(request);
    this.#series = series;
    return new OwnRecord({ ...this.#recording(series), request }, known);
  }

  #recording(series: Series) {
    return { ...this.#context, runUrl: this.#plan.runUrl, attempt: this.#attempt, series };
  }

  /** What the run is about. */
  get subject(): Subject {
    return this.#plan.subject;
  }

  /** The records of runs like this one; undefined if none are made. */
  get series(): Series | undefined {
    return this.#series;
  }

  /** True if the run has a GitHub Deployment, which may not be created yet. */
  get isPlanned(): boolean {
    return this.#deployment !== undefined;
  }

  /** Begins to record, in parallel with the run and until the grace period of {@link finish} is over. */
  begin(): void {
    const { signal } = this.#start;
    const { subject, commit, waits } = this.#plan;
    const render = (context: CommentContext, live: LivePreview | undefined) =>
      renderDeploying({ subject, commit }, { ...context, live });
    const creating = waits !== true && this.ensureCreated();
    this.#started = Promise.all([
      this.#started,
      creating,
      this.#comment?.write({ render, mayCreate: true }, signal),
    ]);
  }

  /** Records the run as one of production, whose records it reads then, too. Its GitHub Deployment is created later. */
  moveToProduction(projectId: string): void {
    const { production } = this.#context;
    if (this.#series === undefined || production === undefined) return;
    const series = { environment: production, key: `production/${projectId}` };
    this.#series = this.#openSeries(series);
    const { deployment: planned } = this.#plan;
    if (planned === undefined) return;
    const deployment = { ...planned, ...series, isPreview: false, pullRequest: undefined };
    this.#deployment = this.#openRecord(deployment);
    this.#change({ ...this.#plan, deployment });
  }

  /**
   * Creates no GitHub Deployment, because why it would fail was already reported. One whose creation was requested is
   * ended with the run.
   */
  giveUp(): void {
    if (this.#deployment?.giveUp() !== true) return;
    this.#deployment = undefined;
    this.#change({ ...this.#plan, deployment: undefined });
  }

  /**
   * Creates the GitHub Deployment, once.
   *
   * @returns a promise that resolves once it exists, or its failure was reported
   */
  async ensureCreated(): Promise<void> {
    const creating = this.#deployment?.ensureCreated(this.#start.signal);
    this.#started = Promise.all([this.#started, creating]);
    await creating;
  }

  #change(plan: RecordingPlan): void {
    this.#plan = plan;
    this.#context.journal({ plan });
  }

  /** Saves the report so far, for a step that is killed. */
  save(found: DeployState): void {
    this.#context.journal({ found });
  }

  /**
   * Begins to check whether a newer GitHub Deployment has replaced this one, in parallel with other requests at the end.
   */
  beginLastRead(signal: AbortSignal): void {
    this.#deployment?.beginLastRead(signal);
  }

  /**
   * The commit that is still live after a failed deployment, by the recorded deployments.
   *
   * @returns undefined if no deployment failed, or it is not known, or can't be read in time
   */
  async findEarlier(report: DeployReport, run: AbortSignal): Promise<Sha | undefined> {
    const { projectId } = report;
    const isNeeded = stageOf(report) === 'failed';
    if (!isNeeded || projectId === undefined) return undefined;
    const signal = AbortSignal.any([run, AbortSignal.timeout(longestQuestion)]);
    const { deployment, projectId: given } = this.#plan;
    // Previews that share a project replace each other, whatever their keys.
    const isShared = deployment?.isPreview === true && given !== undefined;
    // A failure counts as not known.
    return await this.#deployment?.findEarlier(projectId, isShared, signal).catch(() => undefined);
  }

  /** Records the end. A preview whose pull request is open again keeps its comment. */
  async finish(report: DeployReport, { start, whole }: GracePeriod): Promise<Recorded> {
    await this.#endStart(start);
    if (this.#plan.comment?.isPlan === true) return await this.#finishPlan(report, whole);
    const { outcome, skippedReason } = report;
    const isOver = outcome === 'cleaned-up' || skippedReason === 'pull-request-closed';
    const mayCreate = outcome !== 'cleaned-up';
    const { subject, deployment: planned } = this.#plan;
    const series = this.#series;
    const render = (context: CommentContext, previous: LivePreview | undefined) => {
      const isBack =
        report.outcome === 'rolled-back' && previous?.commit === report.rollback?.commit;
      const live = liveIn(report);
      const judged = this.#judgeByComment(report, previous);
      const stays = live === undefined && !isOver && (isBack || leavesSite(judged));
      const kept = stays ? this.#ofRecords(judged, previous) : undefined;
      return renderOutcome({ subject, ...judged }, { ...context, live: live ?? kept }, kept);
    };
    await Promise.all([
      skippedReason !== 'pull-request-open' && this.#comment?.write({ render, mayCreate }, whole),
      outcome === 'cleaned-up'
        ? planned && series && endRecords(this.#recording(series), planned.runId, whole)
        : this.#deployment?.end(recordedEnd(report), whole),
    ]);
    this.#warnOfNewer();
    const deploymentId = String(this.#deployment?.id ?? '');
    return { commentUrl: this.#comment?.url ?? '', deploymentId };
  }

  /** The live preview of the comment, corrected by the recorded deployments: a comment may have failed. */
  #ofRecords(
    { earlier }: DeployReport,
    previous: LivePreview | undefined,
  ): LivePreview | undefined {
    if (previous === undefined || earlier === undefined) return previous;
    return { ...previous, commit: earlier };
  }

  /** The report, with the earlier commit if only the comment recorded it before a failed deployment. */
  #judgeByComment(report: DeployReport, previous: LivePreview | undefined): DeployReport {
    const isOnlyRecord = this.#deployment === undefined && previous !== undefined;
    return isOnlyRecord && stageOf(report) === 'failed'
      ? { ...report, earlier: sha(previous.commit) }
      : report;
  }

  /** Warns that a rerun has not replaced the comment of a newer run. */
  #warnOfNewer(): void {
    const attempt = Number(this.#plan.comment?.marker.runAttempt ?? 1);
    if (this.#comment?.isNewer !== true || attempt < 2) return;
    const text = safe`The comment was not updated: a newer run wrote it, and this run repeats an older one. Push a commit to update it.`;
    this.#context.warn(diagnose('SD8009', text));
  }

  async #finishPlan(report: DeployReport, signal: AbortSignal): Promise<Recorded> {
    const shown = { subject: this.#plan.subject, ...report };
    const render = (context: CommentContext) => renderOutcome(shown, context);
    await this.#comment?.write({ render, mayCreate: isWorthComment(report) }, signal);
    return { commentUrl: this.#comment?.url ?? '', deploymentId: '' };
  }

  async #endStart(gracePeriod: AbortSignal): Promise<void> {
    const end = () => this.#start.abort();
    gracePeriod.addEventListener('abort', end, { once: true });
    if (gracePeriod.aborted) end();
    await this.#started;
  }
}

const projectOf = (target: DeployTarget) => (target.kind === 'project' ? target.id : undefined);

/** Which comment a run writes: one per project, or one for all leased projects. */
const commentKey = (target: DeployTarget): string =>
  target.kind === 'lease' ? target.template : (projectOf(target) ?? '');

/** The number of a run's pull request: one that only GitHub knew was read. */
function numberOf({ pull }: Course): number | undefined {
  if (pull === undefined) return undefined;
  if (pull.number === undefined) throw new Error('a run without the number of its pull request');
  return pull.number;
}

/** Where the GitHub Deployments of such runs are. */
function seriesOf(course: Course) {
  const { event, target } = course;
  const { name, environment } = environmentOf(course);
  const number = numberOf(course);
  const isOfPull = number !== undefined;
  return {
    environment,
    key: `${name}/${isOfPull ? commentKey(target) : (projectOf(target) ?? '')}`,
    isPreview: isOfPull || event.kind === 'merge-group',
    pullRequest: number,
  };
}

/** Where the runs of a pull request write their comment and their GitHub Deployments; undefined if they do not. */
export function planLocations(course: Course, { identity }: RunContext) {
  const { values, target } = course;
  const { runId, runAttempt } = identity;
  const number = numberOf(course);
  return {
    comment:
      number === undefined || values.comment === 'false'
        ? undefined
        : { number, marker: { key: commentKey(target), runId, runAttempt } },
    deployment: values['github-deployment'] ? seriesOf(course) : undefined,
  };
}

/** The subject of a run's report. */
export const subjectIn = ({ values, pull, target }: Course, context: RunContext): Subject =>
  subjectOf({
    context,
    pullRequest: pull,
    environmentName: values['environment-name'],
    projectId: projectOf(target),
  });

/** The GitHub Deployment of a run in a series; undefined if there is none. */
function planDeployment(
  job: Work,
  { identity }: RunContext,
  series: ReturnType<typeof seriesOf>,
): PlannedDeployment | undefined {
  const { values, event, commit } = job;
  const ref = shaOf(commit.is);
  if (whyNotRecorded(job) !== undefined || ref === undefined) return undefined;
  return {
    ...series,
    ref,
    until: Date.now() + values.timeout,
    runId: isRunId(identity.runId) ? identity.runId : undefined,
    isByHand: isByHand(values['commit-sha'], event),
    mark: idempotencyKey(identity, 'record the deployment', ref),
  };
}

/** Decides what is recorded on GitHub, which does not know the HEAD of the project's repository. */
export function planRecording(job: Work, context: RunContext): RecordingPlan {
  const { values, target, commit } = job;
  const projectId = projectOf(target);
  const isPlan = values.mode === 'plan';
  const { comment, deployment: series } = planLocations(job, context);
  const deployment = series && planDeployment(job, context, series);
  const marker = comment && isPlan ? { key: planKey('deploy', comment.marker.key) } : {};
  return {
    runUrl: context.runUrl,
    commit: commit.is ?? null,
    subject: subjectIn(job, context),
    projectId,
    comment: comment && { ...comment, marker: { ...comment.marker, ...marker }, isPlan },
    deployment,
    notRecorded: deployment === undefined ? (whyNotRecorded(job) ?? 'head') : undefined,
    waits: readsHistory(job) || isUndecided(job),
  };
}
