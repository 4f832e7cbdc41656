import { type CommentContext, renderDeploying, renderOutcome } from '../core/comment/body.ts';
import type { SignedClaim } from '../core/preview/claim.ts';
import type { DeployReport } from '../core/report/report.ts';
import { openOctokit } from '../github/api.ts';
import { writeComment } from '../github/comment.ts';
import { describeTrouble, type Permission } from '../github/trouble.ts';
import type { Patience } from './patience.ts';
import { type DeploymentContext, DeploymentRecord } from './record-deployment.ts';
import type { Known, RecordContext, Recorded, RecordPlan } from './record-request.ts';

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
  readonly #deployment: DeploymentRecord | undefined;
  #commentId: number | undefined;
  #commentUrl = '';

  constructor(plan: RecordPlan, context: RecordContext, known?: Known) {
    this.#plan = plan;
    this.#context = context;
    this.#commentId = known?.commentId;
    const { deployment: request, runUrl } = plan;
    const attempt: DeploymentContext['attempt'] = (...trying) => this.#try(...trying);
    this.#deployment =
      request && new DeploymentRecord({ ...context, request, runUrl, attempt }, known);
  }

  /** Begins to record, beside the run and until {@link finish} loses its patience. */
  begin(): void {
    const { signal } = this.#beginning;
    const { projectId, commit, waits, claim } = this.#plan;
    const render = (context: CommentContext) => renderDeploying({ projectId, commit }, context);
    this.#begun = Promise.all([
      this.#comment({ render, claim, signal, mayCreate: true, keepsClaim: true }),
      waits !== true && this.#deployment?.begin(signal, claim),
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
    const making = this.#deployment?.begin(this.#beginning.signal, this.#plan.claim);
    this.#begun = Promise.all([this.#begun, making]);
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
      this.#deployment?.end(report, whole),
    ]);
    const deploymentId = String(this.#deployment?.id ?? '');
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
