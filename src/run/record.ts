import { renderDeploying, renderOutcome } from '../core/comment/body.ts';
import type { Marker } from '../core/comment/marker.ts';
import type { Outcome } from '../core/outcome.ts';
import { titleOf } from '../core/report/closing.ts';
import { previewUrl } from '../core/report/domain.ts';
import type { DeployReport } from '../core/report/report.ts';
import { type GitHubAccess, openOctokit } from '../github/api.ts';
import { writeComment } from '../github/comment.ts';
import {
  createDeployment,
  type DeploymentState,
  retireDeployments,
  setDeploymentStatus,
} from '../github/deployment.ts';
import { describeTrouble, type Permission } from '../github/trouble.ts';

/** What of a run is to be recorded on GitHub. It can be kept as JSON for the post step. */
export interface RecordPlan {
  runUrl: string;
  comment?: { number: number; marker: Marker };
  deployment?: { ref: string; environment: string; isPreview: boolean };
  projectId: string;
  commit: string;
}

/** What was recorded. */
export interface Recorded {
  commentUrl: string;
  deploymentId: string;
}

/** How a recorder reaches GitHub and its reader. */
export interface RecordContext {
  access: GitHubAccess;
  warn: (text: string) => void;
  /** Is told the id of the GitHub Deployment as soon as there is one. */
  onDeployment: (id: number) => void;
}

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

/**
 * Tells GitHub of a run: the comment and the deployment, at the begin and at the end. GitHub is told, never
 * asked for permission: what fails is a warning, and the run goes on.
 */
export class Recorder {
  readonly #plan: RecordPlan;
  readonly #context: RecordContext;
  readonly #warned = new Set<string>();
  #begun: Promise<unknown> = Promise.resolve();
  #deploymentId: number | undefined;
  #commentUrl = '';

  constructor(plan: RecordPlan, context: RecordContext, deploymentId?: number) {
    this.#plan = plan;
    this.#context = context;
    this.#deploymentId = deploymentId;
  }

  /** Begins to record, beside the run. */
  begin(signal: AbortSignal): void {
    const { projectId, commit } = this.#plan;
    this.#begun = Promise.all([
      this.#comment(
        ({ marker, runUrl }) => renderDeploying({ projectId, commit }, { marker, runUrl }),
        signal,
        true,
      ),
      this.#createDeployment(signal),
    ]);
  }

  /** Records the end. */
  async finish(report: DeployReport, signal: AbortSignal): Promise<Recorded> {
    await this.#begun;
    const mayCreate = report.outcome !== 'cleaned-up';
    await Promise.all([
      this.#comment((context) => renderOutcome(report, context), signal, mayCreate),
      this.#endDeployment(report, signal),
    ]);
    const deploymentId = this.#deploymentId === undefined ? '' : String(this.#deploymentId);
    return { commentUrl: this.#commentUrl, deploymentId };
  }

  async #comment(
    render: (context: { marker: Marker; runUrl: string }) => string,
    signal: AbortSignal,
    mayCreate: boolean,
  ): Promise<void> {
    const { comment, runUrl } = this.#plan;
    if (comment === undefined) return;
    const { number, marker } = comment;
    const body = render({ marker, runUrl });
    await this.#try('write the comment', 'pull-requests: write', async () => {
      const octokit = await openOctokit(this.#context.access);
      const written = await writeComment(octokit, { number, marker, body, mayCreate, signal });
      this.#commentUrl = written?.url ?? '';
    });
  }

  async #createDeployment(signal: AbortSignal): Promise<void> {
    const { deployment, runUrl } = this.#plan;
    if (deployment === undefined) return;
    await this.#try('record the deployment', 'deployments: write', async () => {
      const octokit = await openOctokit(this.#context.access);
      const id = await createDeployment(octokit, { ...deployment, signal });
      this.#deploymentId = id;
      this.#context.onDeployment(id);
      await setDeploymentStatus(octokit, id, {
        state: 'in_progress',
        description: 'Deploying',
        logUrl: runUrl,
        environmentUrl: '',
        signal,
      });
    });
  }

  async #endDeployment(report: DeployReport, signal: AbortSignal): Promise<void> {
    const { deployment, runUrl } = this.#plan;
    const { outcome } = report;
    const isCleanUp = outcome === 'cleaned-up';
    if (deployment === undefined || (this.#deploymentId === undefined && !isCleanUp)) return;
    await this.#try('record the end of the deployment', 'deployments: write', async () => {
      const octokit = await openOctokit(this.#context.access);
      const id = this.#deploymentId;
      const description = titleOf(outcome);
      const status = { description, logUrl: runUrl, signal };
      if (id !== undefined) {
        const environmentUrl = previewUrl(report);
        await setDeploymentStatus(octokit, id, {
          ...status,
          state: states[outcome],
          environmentUrl,
        });
      }
      if (isCleanUp || outcome === 'succeeded') {
        await retireDeployments(octokit, deployment.environment, id, status);
      }
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
