import { type CommentContext, renderDeploying, renderOutcome } from '../core/comment/body.ts';
import type { Outcome } from '../core/outcome.ts';
import type { SignedClaim } from '../core/preview/claim.ts';
import { titleOf } from '../core/report/closing.ts';
import { previewUrl } from '../core/report/domain.ts';
import type { DeployReport } from '../core/report/report.ts';
import { type Octokit, openOctokit } from '../github/api.ts';
import { writeComment } from '../github/comment.ts';
import {
  createDeployment,
  type DeploymentRequest,
  type DeploymentState,
  endDeployments,
  isInactive,
  listDeployments,
  retireDeployments,
  setDeploymentStatus,
} from '../github/deployment.ts';
import { describeTrouble, type Permission } from '../github/trouble.ts';
import type { Patience } from './patience.ts';
import type { Known, RecordContext, Recorded, RecordPlan } from './record-request.ts';

const states: Readonly<Record<Outcome, DeploymentState>> = {
  succeeded: 'success',
  failed: 'failure',
  conflict: 'failure',
  'timed-out': 'error',
  cancelled: 'error',
  // Nobody saw it live, and it must not look as if it were under way for ever.
  unconfirmed: 'inactive',
  accepted: 'inactive',
  planned: 'inactive',
  synced: 'inactive',
  skipped: 'inactive',
  'cleaned-up': 'inactive',
};

/** What a comment is to say. */
interface Words {
  render: (context: CommentContext) => string;
  claim: SignedClaim | undefined;
  signal: AbortSignal;
  mayCreate: boolean;
  /** False once the preview is over: then nobody's claim stays. */
  keepsClaim: boolean;
}

/**
 * Tells GitHub of a run: the comment and the deployment, at the begin and at the end. GitHub is told, never
 * asked for permission: what fails is a warning, and the run goes on.
 */
export class Recorder {
  #plan: RecordPlan;
  readonly #context: RecordContext;
  readonly #warned = new Set<string>();
  readonly #beginning = new AbortController();
  #begun: Promise<unknown> = Promise.resolve();
  #deploymentId: number | undefined;
  #commentId: number | undefined;
  #commentUrl = '';

  constructor(plan: RecordPlan, context: RecordContext, known?: Known) {
    this.#plan = plan;
    this.#context = context;
    this.#deploymentId = known?.deploymentId;
    this.#commentId = known?.commentId;
  }

  /** Begins to record, beside the run and until {@link finish} loses its patience. */
  begin(): void {
    const { signal } = this.#beginning;
    const { projectId, commit, waits, claim } = this.#plan;
    const render = (context: CommentContext) => renderDeploying({ projectId, commit }, context);
    this.#begun = Promise.all([
      this.#comment({ render, claim, signal, mayCreate: true, keepsClaim: true }),
      waits !== true && this.#createDeployment(signal),
    ]);
  }

  /** Notes whose the preview's hostname is from now on. */
  take(claim: SignedClaim): void {
    this.#plan = { ...this.#plan, claim };
    this.#context.onPlan(this.#plan);
  }

  /** Makes the GitHub Deployment that has waited until the preview may be placed. */
  beginDeployment(): void {
    if (this.#plan.waits !== true) return;
    this.#begun = Promise.all([this.#begun, this.#createDeployment(this.#beginning.signal)]);
  }

  /** Records the end. A preview that stays, because its pull request is open again, keeps its comment too. */
  async finish(report: DeployReport, { beginning, whole }: Patience): Promise<Recorded> {
    await this.#endBeginning(beginning);
    const { outcome, skippedReason } = report;
    const isOver = outcome === 'cleaned-up' || skippedReason === 'pull-request-closed';
    const mayCreate = outcome !== 'cleaned-up';
    const claim = isOver ? undefined : this.#plan.claim;
    const render = (context: CommentContext) => renderOutcome(report, context);
    await Promise.all([
      skippedReason !== 'pull-request-open' &&
        this.#comment({ render, claim, signal: whole, mayCreate, keepsClaim: !isOver }),
      this.#endDeployment(report, whole),
    ]);
    const deploymentId = this.#deploymentId === undefined ? '' : String(this.#deploymentId);
    return { commentUrl: this.#commentUrl, deploymentId };
  }

  async #endBeginning(patience: AbortSignal): Promise<void> {
    const end = () => this.#beginning.abort();
    patience.addEventListener('abort', end, { once: true });
    if (patience.aborted) end();
    await this.#begun;
  }

  async #comment({ render, claim, signal, mayCreate, keepsClaim }: Words): Promise<void> {
    const { comment, runUrl } = this.#plan;
    if (comment === undefined) return;
    const { number, marker } = comment;
    const body = render({ marker, runUrl, claim });
    await this.#try('write the comment', 'pull-requests: write', async () => {
      const octokit = await openOctokit(this.#context.access, signal);
      const known = this.#commentId;
      const seal = this.#context.sealFor(number);
      const wanted = { number, marker, seal, body, mayCreate, keepsClaim, known };
      const written = await writeComment(octokit, wanted);
      this.#commentUrl = written?.url ?? '';
      this.#commentId = written?.id;
      if (written !== undefined) this.#context.onComment(written.id);
    });
  }

  async #createDeployment(signal: AbortSignal): Promise<void> {
    const { deployment, runUrl, claim } = this.#plan;
    if (deployment === undefined) return;
    await this.#try('record the deployment', 'deployments: write', async () => {
      const octokit = await openOctokit(this.#context.access, signal);
      const id = await createDeployment(octokit, { ...deployment, ...(claim && { claim }) });
      this.#deploymentId = id;
      this.#context.onDeployment(id);
      await setDeploymentStatus(octokit, id, {
        state: 'in_progress',
        description: 'Deploying',
        logUrl: runUrl,
        environmentUrl: '',
      });
    });
  }

  async #endDeployment(report: DeployReport, signal: AbortSignal): Promise<void> {
    const { deployment, runUrl } = this.#plan;
    const id = this.#deploymentId;
    const isCleanUp = report.outcome === 'cleaned-up';
    if (deployment === undefined || (id === undefined && !isCleanUp)) return;
    await this.#try('record the end of the deployment', 'deployments: write', async () => {
      const octokit = await openOctokit(this.#context.access, signal);
      if (id !== undefined) await this.#setEnd(octokit, id, report, deployment);
      else await endDeployments(octokit, await listDeployments(octokit, deployment), runUrl);
    });
  }

  /** Sets the last state of our deployment; a success takes the place of the earlier ones, never of a newer one. */
  async #setEnd(
    octokit: Octokit,
    id: number,
    report: DeployReport,
    deployment: DeploymentRequest,
  ): Promise<void> {
    const { outcome } = report;
    const state = states[outcome];
    const [description, logUrl] = [titleOf(outcome), this.#plan.runUrl];
    const status = { state, description, logUrl, environmentUrl: previewUrl(report) };
    if (state !== 'success') return await setDeploymentStatus(octokit, id, status);
    const listed = await listDeployments(octokit, deployment);
    if (listed.some((other) => other > id) || (await isInactive(octokit, id))) {
      return await setDeploymentStatus(octokit, id, { ...status, state: 'inactive' });
    }
    await setDeploymentStatus(octokit, id, status);
    const earlier = listed.filter((other) => other < id);
    await this.#retire(octokit, earlier, report);
  }

  async #retire(octokit: Octokit, ids: readonly number[], report: DeployReport): Promise<void> {
    const status = { description: titleOf(report.outcome), logUrl: this.#plan.runUrl };
    await retireDeployments(octokit, ids, status);
  }

  async #try(doing: string, permission: Permission, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!this.#warned.has(permission)) {
        this.#context.warn(describeTrouble(doing, error, permission));
      }
      this.#warned.add(permission);
    }
  }
}
