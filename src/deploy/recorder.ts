import type { CommentContext } from '../comments/model/assemble.ts';
import type { LivePreview, Marker, MarkerSeal } from '../comments/model/marker.ts';
import { attemptWith, RunComment } from '../comments/run-comment.ts';
import { type RunCommit, type Sha, sha, shaOf } from '../contract/commit.ts';
import { previewUrl } from '../domains/model/connected-domain-report.ts';
import type { Recorded } from '../frame/action.ts';
import type { GracePeriod } from '../frame/ending.ts';
import type { GitHubAccess } from '../github-api/client.ts';
import type { RecordSeal } from '../github-api/model/record-seal.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import type { DeployReport } from '../release/model/report.ts';
import type { Subject } from '../report/closing.ts';
import { hasDrift } from '../variables/result.ts';
import type { NotRecorded } from './intent.ts';
import { stageOf } from './model/verdict.ts';
import { renderDeploying, renderOutcome } from './render.ts';
import { leavesLive, type PlannedDeployment, RunDeployment } from './run-deployment.ts';

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
  /** The seal of the comments on a pull request. */
  sealFor: (number: number) => MarkerSeal;
  /** The seal of the GitHub Deployments. */
  recordSeal: RecordSeal;
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Receives the id of the GitHub Deployment as soon as there is one. */
  onDeployment: (id: number) => void;
  /** Receives the id of the comment as soon as there is one. */
  onComment: (id: number) => void;
  /** Receives each change of the plan. */
  onPlan: (plan: RecordingPlan) => void;
}

/** What was recorded before: by the main step, for its post step. */
export interface KnownIds {
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
  /** The creation of the GitHub Deployment, once it was requested. */
  #recording: Promise<void> | undefined;
  readonly #context: RecordingContext;
  #deployment: RunDeployment | undefined;
  readonly #comment: RunComment | undefined;

  constructor(plan: RecordingPlan, context: RecordingContext, known?: KnownIds) {
    this.#plan = plan;
    this.#context = context;
    this.#onPlan = context.onPlan;
    const { deployment: request, comment, runUrl } = plan;
    const common = { ...context, runUrl, attempt: attemptWith(context.warn, context.access) };
    this.#deployment = request && new RunDeployment({ ...common, request }, known);
    const seal = comment && context.sealFor(comment.number);
    this.#comment = seal && new RunComment({ ...common, ...comment, seal }, known?.commentId);
  }

  /** Begins to record, in parallel with the run and until the grace period of {@link finish} is over. */
  begin(): void {
    const { signal } = this.#start;
    const { subject, commit, waits } = this.#plan;
    const render = (context: CommentContext, live: LivePreview | undefined) =>
      renderDeploying({ subject, commit }, { ...context, live });
    if (waits !== true) this.#recording = this.#record(signal);
    this.#started = Promise.all([
      this.#comment?.write({ render, mayCreate: true }, signal),
      this.#recording,
    ]);
  }

  /** Replaces the GitHub Deployment that is created later. */
  planDeployment(request: PlannedDeployment): void {
    const { runUrl } = this.#plan;
    const attempt = attemptWith(this.#context.warn, this.#context.access);
    this.#deployment = new RunDeployment({ ...this.#context, runUrl, attempt, request });
    this.#plan = { ...this.#plan, deployment: request };
    this.#onPlan(this.#plan);
  }

  /**
   * Creates no GitHub Deployment, because why it would fail was already reported. One whose creation was requested is
   * ended with the run.
   */
  forgoDeployment(): void {
    if (this.#recording !== undefined) return;
    const { deployment: _, ...plan } = this.#plan;
    this.#plan = plan;
    this.#onPlan(plan);
    this.#deployment = undefined;
  }

  /**
   * Creates the GitHub Deployment that has waited, once.
   *
   * @returns a promise that resolves once it exists, or its failure was reported
   */
  beginDeployment(): Promise<void> {
    if (this.#recording !== undefined || this.#plan.waits !== true) return this.recorded;
    this.#recording = this.#record(this.#start.signal);
    this.#started = Promise.all([this.#started, this.#recording]);
    return this.#recording;
  }

  /** Resolves once the GitHub Deployment exists, if it was requested, or its failure was reported. */
  get recorded(): Promise<void> {
    return this.#recording ?? Promise.resolve();
  }

  async #record(signal: AbortSignal): Promise<void> {
    await this.#deployment?.begin(signal);
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
    const { subject } = this.#plan;
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
      this.#deployment?.end(report, whole),
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
    return { ...previous, commit: unsafeText(earlier) };
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
