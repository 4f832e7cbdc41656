import type { CommentContext } from '../comments/model/assemble.ts';
import type { LivePreview, Marker, MarkerSigner } from '../comments/model/marker.ts';
import { attemptWith, type GitHubAttempt, RunComment } from '../comments/run-comment.ts';
import { type RunCommit, type Sha, sha, shaOf } from '../contract/commit.ts';
import { previewUrl } from '../domains/model/connected-domain-report.ts';
import type { GitHubAccess } from '../github/client.ts';
import type { DeploymentSeries } from '../github/deployments.ts';
import type { RecordSigner } from '../github/model/record-signer.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { endRecords, OwnRecord, type PlannedDeployment } from '../releases/own-record.ts';
import { Series } from '../releases/series.ts';
import type { Subject } from '../report/closing.ts';
import type { GracePeriod } from '../step/ending.ts';
import type { Recorded } from '../step/step.ts';
import { hasDrift } from '../variables/result.ts';
import type { NotRecorded } from './job.ts';
import { recordedEnd } from './model/recorded-end.ts';
import type { DeployReport } from './model/report.ts';
import { leavesLive, stageOf } from './model/verdict.ts';
import { renderDeploying, renderOutcome } from './render.ts';

/** How long the records may take to read after a failed deployment, in milliseconds. */
const longestQuestion = 10_000;

/** What is recorded of a run on GitHub. It can be kept as JSON for the post step. */
export interface RecordingPlan {
  runUrl: string;
  subject: Subject;
  /** `isPlan`: the comment of plans, which does not show what is live. */
  comment?: { number: number; marker: Marker; isPlan?: true };
  deployment?: PlannedDeployment;
  /** Why there is none; absent with one. */
  notRecorded?: NotRecorded;
  /** True if the GitHub Deployment is created later: once it is known whether anything is deployed, and where. */
  waits?: boolean;
  /** Absent until one is leased. */
  projectId?: string;
  commit: RunCommit;
}

interface RecordingContext {
  access: GitHubAccess;
  /** The signer of the comments on a pull request. */
  commentSignerFor: (number: number) => MarkerSigner;
  /** The signer of the GitHub Deployments. */
  recordSigner: RecordSigner;
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Receives the id of the GitHub Deployment as soon as there is one. */
  onDeployment: (id: number) => void;
  /** Receives the id of the comment as soon as there is one. */
  onComment: (id: number) => void;
  /** Receives each change of the plan. */
  onPlan: (plan: RecordingPlan) => void;
}

/** What was recorded before: by the main step, for its post step. */
interface KnownIds {
  deploymentId: number | undefined;
  commentId: number | undefined;
}

/** The preview that a run has deployed live, if its commit is known. */
function liveIn(report: DeployReport): LivePreview | undefined {
  const commit = shaOf(report.commit);
  const url = previewUrl(report);
  return url === '' || commit === undefined
    ? undefined
    : { url: unsafeText(url), commit: unsafeText(commit) };
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
  readonly #onPlan: RecordingContext['onPlan'];
  readonly #start = new AbortController();
  #started: Promise<unknown> = Promise.resolve();
  readonly #context: RecordingContext;
  readonly #attempt: GitHubAttempt;
  readonly #series = new Map<string, Series>();
  #deployment: OwnRecord | undefined;
  readonly #comment: RunComment | undefined;

  constructor(plan: RecordingPlan, context: RecordingContext, known?: KnownIds) {
    this.#plan = plan;
    this.#context = context;
    this.#onPlan = context.onPlan;
    const { deployment: request, comment, runUrl } = plan;
    const attempt = attemptWith(context.warn, context.access);
    this.#attempt = attempt;
    this.#deployment = request && this.#recordOf(request, known);
    const signer = comment && context.commentSignerFor(comment.number);
    const common = { ...context, runUrl, attempt };
    this.#comment = signer && new RunComment({ ...common, ...comment, signer }, known?.commentId);
  }

  #recordOf(request: PlannedDeployment, known?: KnownIds): OwnRecord {
    return new OwnRecord({ ...this.#recording(request), request }, known);
  }

  #recording(of: DeploymentSeries) {
    const { runUrl } = this.#plan;
    return { ...this.#context, runUrl, attempt: this.#attempt, series: this.seriesOf(of) };
  }

  /** What the run is about. */
  get subject(): Subject {
    return this.#plan.subject;
  }

  /** The records of a series, the same for all who ask: each is read once. */
  seriesOf({ environment, key }: DeploymentSeries): Series {
    const { access, recordSigner: signer } = this.#context;
    const name = JSON.stringify([environment, key]);
    const own = this.#plan.deployment?.mark;
    const series =
      this.#series.get(name) ?? new Series({ access, signer, own }, { environment, key });
    this.#series.set(name, series);
    return series;
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

  /** Replaces the GitHub Deployment that is created later. */
  replaceDeployment(request: PlannedDeployment): void {
    this.#deployment = this.#recordOf(request);
    this.#change({ ...this.#plan, deployment: request });
  }

  /**
   * Creates no GitHub Deployment, because why it would fail was already reported. One whose creation was requested is
   * ended with the run.
   */
  giveUp(): void {
    if (this.#deployment?.giveUp() !== true) return;
    const { deployment: _, ...plan } = this.#plan;
    this.#deployment = undefined;
    this.#change(plan);
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
    this.#onPlan(plan);
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
        ? planned && endRecords(this.#recording(planned), planned.runId, whole)
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
