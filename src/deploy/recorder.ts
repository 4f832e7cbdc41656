import type { CommentContext } from '../comments/model/assemble.ts';
import type { LivePreview, MarkerSigner } from '../comments/model/marker.ts';
import { attemptWith, type GitHubAttempt, RunComment } from '../comments/run-comment.ts';
import { type Sha, sha, shaOf } from '../contract/commit.ts';
import { previewUrl } from '../domains/model/connected-domain-report.ts';
import type { GitHubAccess } from '../github/client.ts';
import type { DeploymentSeries } from '../github/deployments.ts';
import type { RecordSigner } from '../github/model/record-signer.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import type { LiveBefore } from '../releases/decisions.ts';
import { endRecords, OwnRecord, type PlannedDeployment } from '../releases/own-record.ts';
import { Series } from '../releases/series.ts';
import type { Subject } from '../report/closing.ts';
import type { Clock } from '../service/clock.ts';
import type { Recorded } from '../step/end-step.ts';
import type { GracePeriod } from '../step/run-outcome.ts';
import { hasDrift } from '../variables/result.ts';
import type { DeployReport, DeployState } from './model/report.ts';
import { recordedEnd } from './model/title.ts';
import { leavesLive, stageOf } from './model/verdict.ts';
import type { RecordingPlan } from './recording-plan.ts';
import { renderDeploying, renderOutcome } from './render.ts';

/** How long the records may take to read after a failed deployment, in milliseconds. */
const longestQuestion = 10_000;

/** How long a run waits for its own record, in milliseconds. */
const longestCreation = 10_000;

interface RecordingContext {
  access: GitHubAccess;
  /** The signer of the comments on a pull request. */
  commentSignerFor: (number: number) => MarkerSigner;
  /** The signer of the GitHub Deployments. */
  recordSigner: RecordSigner;
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Saves what the post step needs if the step is killed: each id and change of the plan at once, the report so far. */
  journal: (part: {
    deploymentId?: number;
    commentId?: number;
    plan?: RecordingPlan;
    found?: DeployState;
  }) => void;
  /** The records of earlier runs; undefined if none are made. A plan reads them, and makes none. */
  series?: DeploymentSeries | undefined;
  /** The environment of a run that turns out to go to production. */
  production?: string;
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

  /** What was live before a run of production; undefined if not known. It waits as long as {@link finish} does. */
  async findLiveBefore(): Promise<LiveBefore | undefined> {
    const isProduction = this.#plan.deployment?.isPreview === false;
    return isProduction ? await this.#deployment?.findLiveBefore() : undefined;
  }

  /** Begins to write the comment, in parallel with the run and until the grace period of {@link finish} is over. */
  beginComment(): void {
    const { signal } = this.#start;
    const { subject, commit } = this.#plan;
    const render = (context: CommentContext, live: LivePreview | undefined) =>
      renderDeploying({ subject, commit }, { ...context, live });
    const writing = this.#comment?.write({ render, mayCreate: true }, signal);
    this.#started = Promise.all([this.#started, writing]);
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

  /** Creates the GitHub Deployment, once. @returns a promise that resolves once that is done, or its failure was reported */
  async ensureCreated(): Promise<void> {
    const creating = this.#deployment?.ensureCreated(this.#start.signal);
    this.#started = Promise.all([this.#started, creating]);
    await creating;
  }

  /**
   * Creates the GitHub Deployment, once, and waits for it, so that other runs can read it: at most 10 s, then the run
   * goes on without.
   */
  async awaitCreated(clock: Clock): Promise<void> {
    const waiting = new AbortController();
    const limit = clock.sleep(longestCreation, waiting.signal);
    void this.ensureCreated();
    await Promise.race([this.#deployment?.exists, limit.catch(() => undefined)]);
    waiting.abort();
  }

  #change(plan: RecordingPlan): void {
    this.#plan = plan;
    this.#context.journal({ plan });
  }

  /** Saves the report so far in the journal, for a step that is killed. */
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
      // Corrected by the recorded deployments: a comment may have failed.
      const commit = judged.earlier ?? previous?.commit;
      const kept = stays && previous && commit ? { ...previous, commit } : undefined;
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
