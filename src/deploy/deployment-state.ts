import type { Outcome } from '../kernel/outcome.ts';
import type { GitHubAttempt } from '../recording/attempt.ts';
import type { GitHubAccess } from '../records/api.ts';
import type { DeploymentRequest } from '../records/deployment.ts';
import type { DeploymentState } from '../records/deployment-status.ts';
import type { SignedClaim } from '../records/model/claim.ts';
import type { RecordSeal, ReleaseEnd, ReleaseFacts } from '../records/model/record-seal.ts';
import type { DeployReport } from '../release/report.ts';
import { titleOf } from '../report/closing.ts';
import { describeRun } from './model/title.ts';

/** GitHub's state for each outcome. */
export const deploymentStates: Readonly<Record<Outcome, DeploymentState>> = {
  succeeded: 'success',
  failed: 'failure',
  // The commit that it is about is not live, and the earlier one keeps its own success.
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

/** True if a run surely changed nothing of what was live: it asked for no deployment, or the service said it failed. */
export const leftLive = ({
  isRequested,
  deploymentEnd,
}: Pick<DeployReport, 'isRequested' | 'deploymentEnd'>): boolean =>
  isRequested !== true || deploymentEnd === 'failed';

/**
 * How a run's release ended, for later runs to believe: it was good if the service, and each check, said so; and undone
 * if the older commit is live again, or may be, also where the run was cut off or that commit's checks failed.
 */
function endOf(report: DeployReport): ReleaseEnd {
  const { outcome, checks = [], wayBack } = report;
  const projectId = report.projectId?.toLowerCase();
  if (projectId !== undefined && wayBack?.isRequested === true && !leftLive(wayBack)) {
    const isSeen = wayBack.deploymentEnd === 'succeeded';
    return { kind: 'rolled-back', projectId, restored: wayBack.commit, isSeen };
  }
  if (outcome !== 'succeeded' || projectId === undefined) {
    return { kind: leftLive(report) ? 'undeployed' : 'ended' };
  }
  const isChecked = checks.length > 0 && checks.every(({ held }) => held === true);
  return { kind: 'good', projectId, isChecked };
}

/** A GitHub Deployment to record, before it is signed. */
export type PlannedDeployment = Omit<DeploymentRequest, 'record' | 'claim'> & ReleaseFacts;

/** What a run's GitHub Deployment rests on. */
export interface DeploymentContext {
  request: PlannedDeployment;
  /** Signs the record, and how it ended. */
  recordSeal: RecordSeal;
  runUrl: string;
  access: GitHubAccess;
  attempt: GitHubAttempt;
  /** The address that says that a run has ended a preview's claim. */
  claimEndUrl: (claim: SignedClaim, number: number) => string;
  /** Is told its id as soon as there is one. */
  onDeployment: (id: number) => void;
}

/**
 * The address of the run, and in it, where nobody reads, our signature that it has ended the record, and how.
 *
 * @param before the good record before it; undefined if that is not known
 */
export function endUrl(
  { request, recordSeal, runUrl }: DeploymentContext,
  id: number,
  report: DeployReport,
  before: number | undefined,
): string {
  const record = { commit: request.ref, ...request };
  const end = { ...endOf(report), ...(before !== undefined && { before }) };
  return `${runUrl}${recordSeal.signEnd(id, record, end)}`;
}
