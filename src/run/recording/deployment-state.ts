import type { Outcome } from '../../core/outcome.ts';
import { titleOf } from '../../core/report/closing.ts';
import type { DeployReport } from '../../core/report/report.ts';
import { describeRun } from '../../core/report/title.ts';
import type { GitHubAccess } from '../../github/api.ts';
import type { DeploymentRequest } from '../../github/deployment.ts';
import type { DeploymentState } from '../../github/deployment-status.ts';
import type { GitHubAttempt } from './attempt.ts';

/** GitHub's state for each outcome. */
export const deploymentStates: Readonly<Record<Outcome, DeploymentState>> = {
  succeeded: 'success',
  failed: 'failure',
  'rolled-back': 'failure',
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

/** What its status says: of a preview that was ended, what the next run knows that by. */
export const describeStatus = (report: DeployReport): string =>
  report.outcome === 'cleaned-up' ? titleOf(report.outcome) : describeRun(report);

/** What a run's GitHub Deployment rests on. */
export interface DeploymentContext {
  request: DeploymentRequest;
  runUrl: string;
  access: GitHubAccess;
  attempt: GitHubAttempt;
  /** Is told its id as soon as there is one. */
  onDeployment: (id: number) => void;
}
