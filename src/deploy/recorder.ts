import { type Commit, type Sha, sha } from '../contract/commit.ts';
import { previewUrl } from '../domains/model/connected-domain-report.ts';
import type { Recorded } from '../frame/action.ts';
import type { GracePeriod } from '../frame/grace-period.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import type { CommentContext } from '../recording/model/assemble.ts';
import type { LivePreview, Marker, MarkerSeal } from '../recording/model/marker.ts';
import { attemptWith, RunComment } from '../recording/run-comment.ts';
import type { GitHubAccess } from '../records/api.ts';
import type { SignedClaim } from '../records/model/claim.ts';
import type { RecordSeal } from '../records/model/record-seal.ts';
import type { DeployReport } from '../release/model/report.ts';
import type { Subject } from '../report/subject.ts';
import { hasDrift } from '../variables/result.ts';
import { leavesLive, type PlannedDeployment } from './deployment-state.ts';
import type { NotRecorded } from './intent.ts';
import { renderDeploying, renderOutcome } from './model/comment-body.ts';
import { stageOf } from './model/verdict.ts';
import { RunDeployment } from './run-deployment.ts';

/** How long our records are read at the end of a deployment that failed, in milliseconds. */
const longestQuestion = 10_000;

/** What of a run is to be recorded on GitHub. It can be kept as JSON for the post step. */
export interface RecordingPlan {
  runUrl: string;
  subject: Subject;
  /** `isPlan`: it is the comment of plans, which says nothing of what is live. */
  comment?: { number: number; marker: Marker; isPlan?: true };
  deployment?: PlannedDeployment;
  /** Why there is none; absent with one. */
  notRecorded?: NotRecorded;
  /**
   * True if the GitHub Deployment is not made at once: it holds the claim, and is made only once the preview may be
   * placed; or it first has to be decided whether anything is deployed.
   */
  waits?: boolean;
  /** Whose the preview's hostname is: what was read at the start, or what this run has taken since. */
  claim?: SignedClaim;
  /** True once the run itself has given the hostname to a project. */
  hasTaken?: true;
  /** Absent as long as none is leased. */
  projectId?: string;
  commit: Commit;
}

/** How a recorder reaches GitHub and its reader. */
export interface RecordingContext {
  access: GitHubAccess;
  /** Makes the seal of the comments on a pull request. */
  sealFor: (number: number) => MarkerSeal;
  /** The seal of our deployment records. */
  recordSeal: RecordSeal;
  /** The address of the run, and in it our signature that it has ended a claim of a pull request's preview. */
  claimEndUrl: (claim: SignedClaim, number: number) => string;
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Is told the id of the GitHub Deployment as soon as there is one. */
  onDeployment: (id: number) => void;
  /** Is told the id of our comment as soon as there is one. */
  onComment: (id: number) => void;
  /** Is told what is to be recorded as soon as that changes. */
  onPlan: (plan: RecordingPlan) => void;
}

/** What was recorded before: by the main step, for its post step. */
export interface KnownIds {
  deploymentId: number | undefined;
  commentId: number | undefined;
}

/** The preview that a run has brought live, if it did, and if its commit is known. */
function liveIn(report: DeployReport): LivePreview | undefined {
  const { commit = 'HEAD' } = report;
  const url = previewUrl(report);
  return url === '' || commit === 'HEAD'
    ? undefined
    : { url: unsafeText(url), commit: unsafeText(commit) };
}

/** True if a plan is worth a comment of its own: it changes something, or it failed. */
const isWorthTelling = ({ environment, otherChanges = [], error }: DeployReport): boolean =>
  otherChanges.length > 0 ||
  error !== undefined ||
  (environment !== undefined && hasDrift(environment));

/** True if a run surely left what was live before, and the domain, where it was looked at, is good. */
function leavesSite(report: DeployReport): boolean {
  const { preview } = report;
  const isServed = preview === undefined || preview.verification === 'good';
  return isServed && leavesLive(report);
}

/**
 * Tells GitHub of a run: the comment and the deployment, at the begin and at the end. GitHub is told, never
 * asked for permission: what fails is a warning, and the run goes on.
 */
export class Recorder {
  #plan: RecordingPlan;
  readonly #onPlan: RecordingContext['onPlan'];
  readonly #beginning = new AbortController();
  #begun: Promise<unknown> = Promise.resolve();
  /** The making of the GitHub Deployment, once it has begun. */
  #recording: Promise<void> | undefined;
  readonly #context: RecordingContext;
  #deployment: RunDeployment | undefined;
  readonly #comment: RunComment | undefined;

  constructor(plan: RecordingPlan, context: RecordingContext, known?: KnownIds) {
    this.#plan = plan;
    this.#context = context;
    this.#onPlan = context.onPlan;
    const { deployment: request, comment, runUrl } = plan;
    const common = { ...context, runUrl, attempt: attemptWith(context.warn) };
    this.#deployment = request && new RunDeployment({ ...common, request }, known);
    const seal = comment && context.sealFor(comment.number);
    this.#comment = seal && new RunComment({ ...common, ...comment, seal }, known?.commentId);
  }

  /** Begins to record, beside the run and until the grace period of {@link finish} is over. */
  begin(): void {
    const { signal } = this.#beginning;
    const { subject, commit, waits, claim } = this.#plan;
    const render = (context: CommentContext, previous: LivePreview | undefined) =>
      renderDeploying(
        { subject, commit, ...(previous && { previousPreview: previous }) },
        { ...context, live: previous },
      );
    if (waits !== true) this.#recording = this.#record(signal);
    this.#begun = Promise.all([
      this.#comment?.write({ render, claim, mayCreate: true, keepsClaim: true }, signal),
      this.#recording,
    ]);
  }

  /** Has the GitHub Deployment that waits made as another one. */
  planDeployment(request: PlannedDeployment): void {
    const { runUrl } = this.#plan;
    const attempt = attemptWith(this.#context.warn);
    this.#deployment = new RunDeployment({ ...this.#context, runUrl, attempt, request });
    this.#plan = { ...this.#plan, deployment: request };
    this.#onPlan(this.#plan);
  }

  /** Notes whose the preview's hostname is from now on. */
  take(claim: SignedClaim): void {
    this.#plan = { ...this.#plan, claim, hasTaken: true };
    this.#onPlan(this.#plan);
  }

  /** Makes no GitHub Deployment: it was told already why that would fail. */
  forgoDeployment(): void {
    const { deployment: _, ...plan } = this.#plan;
    this.#plan = plan;
    this.#onPlan(plan);
    this.#deployment = undefined;
  }

  /**
   * Makes the GitHub Deployment that has waited, once.
   *
   * @returns a promise that resolves once it is there, or it was warned that it is not
   */
  beginDeployment(): Promise<void> {
    if (this.#recording !== undefined || this.#plan.waits !== true) return this.recorded;
    this.#recording = this.#record(this.#beginning.signal);
    this.#begun = Promise.all([this.#begun, this.#recording]);
    return this.#recording;
  }

  /** Resolves once the GitHub Deployment that was begun is there, or it was warned that it is not. */
  get recorded(): Promise<void> {
    return this.#recording ?? Promise.resolve();
  }

  async #record(signal: AbortSignal): Promise<void> {
    await this.#deployment?.begin(signal, this.#plan.claim);
  }

  /**
   * Begins to look whether the GitHub Deployment was overtaken, beside what else is asked for at the end. What has not
   * been recorded yet is looked at then.
   */
  look(signal: AbortSignal): void {
    this.#deployment?.look(signal);
  }

  /**
   * The commit that our records say is still live, where the deployment of a run failed.
   *
   * @returns undefined if no deployment failed, or they do not say it, or cannot be read in time
   */
  async findEarlier(report: DeployReport, run: AbortSignal): Promise<Sha | undefined> {
    const { projectId } = report;
    const isAsked = stageOf(report) === 'failed' && report.swap === undefined;
    if (!isAsked || projectId === undefined) return undefined;
    const signal = AbortSignal.any([run, AbortSignal.timeout(longestQuestion)]);
    const { deployment, projectId: given } = this.#plan;
    // Previews that have no project of their own replace each other there, whatever their keys name.
    const isShared = deployment?.isPreview === true && given !== undefined;
    // What cannot be read is told as not known.
    return await this.#deployment?.findEarlier(projectId, isShared, signal).catch(() => undefined);
  }

  /** Records the end. A preview that stays, because its pull request is open again, keeps its comment too. */
  async finish(report: DeployReport, { beginning, whole }: GracePeriod): Promise<Recorded> {
    await this.#endBeginning(beginning);
    if (this.#plan.comment?.isPlan === true) return await this.#finishPlan(report, whole);
    const { outcome, skippedReason } = report;
    const isOver = outcome === 'cleaned-up' || skippedReason === 'pull-request-closed';
    const mayCreate = outcome !== 'cleaned-up';
    // A run that was skipped before it took the hostname leaves the preview, and what says whose it is, to the close.
    const isEnded = outcome === 'cleaned-up' || (isOver && this.#plan.hasTaken === true);
    const claim = isEnded ? undefined : this.#plan.claim;
    const { subject } = this.#plan;
    const render = (context: CommentContext, previous: LivePreview | undefined) => {
      const isBack =
        report.outcome === 'rolled-back' && previous?.commit === report.rollback?.commit;
      const live = liveIn(report);
      const judged = this.#judgeByComment(report, previous);
      const stays = live === undefined && !isOver && (isBack || leavesSite(judged));
      const kept = stays ? this.#ofRecords(judged, previous) : undefined;
      const shown = { subject, ...judged, ...(kept && { previousPreview: kept }) };
      return renderOutcome(shown, { ...context, live: live ?? kept });
    };
    await Promise.all([
      skippedReason !== 'pull-request-open' &&
        this.#comment?.write({ render, claim, mayCreate, keepsClaim: !isEnded }, whole),
      this.#deployment?.end(report, whole, isEnded ? this.#plan.claim : undefined),
    ]);
    this.#tellOfNewer();
    const deploymentId = String(this.#deployment?.id ?? '');
    return { commentUrl: this.#comment?.url ?? '', deploymentId };
  }

  /** What the comment calls live, which our records may know better: not every comment could be written. */
  #ofRecords(
    { earlier }: DeployReport,
    previous: LivePreview | undefined,
  ): LivePreview | undefined {
    if (previous === undefined || earlier === undefined) return previous;
    return { ...previous, commit: unsafeText(earlier) };
  }

  /** What a run came to, where the comment is the only record of what was live before its deployment failed. */
  #judgeByComment(report: DeployReport, previous: LivePreview | undefined): DeployReport {
    const isOnlyRecord = this.#deployment === undefined && previous !== undefined;
    return isOnlyRecord && stageOf(report) === 'failed'
      ? { ...report, earlier: sha(previous.commit) }
      : report;
  }

  /** Tells that a repeated run, which is as old as it was, has left the comment of a newer one. */
  #tellOfNewer(): void {
    const attempt = Number(this.#plan.comment?.marker.runAttempt ?? 1);
    if (this.#comment?.isNewer !== true || attempt < 2) return;
    const text = safe`The comment stays as a newer run wrote it, because this run repeats an older one. Push a commit, and the comment says what is live again.`;
    this.#context.warn(diagnose('SD8009', text));
  }

  async #finishPlan(report: DeployReport, signal: AbortSignal): Promise<Recorded> {
    const shown = { subject: this.#plan.subject, ...report };
    const render = (context: CommentContext) => renderOutcome(shown, context);
    await this.#comment?.write({ render, mayCreate: isWorthTelling(report) }, signal);
    return { commentUrl: this.#comment?.url ?? '', deploymentId: '' };
  }

  async #endBeginning(gracePeriod: AbortSignal): Promise<void> {
    const end = () => this.#beginning.abort();
    gracePeriod.addEventListener('abort', end, { once: true });
    if (gracePeriod.aborted) end();
    await this.#begun;
  }
}
