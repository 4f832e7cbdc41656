import type { GitHubAttempt } from '../recording/run-comment.ts';
import type { GitHubAccess } from '../records/api.ts';
import type { DeploymentRequest } from '../records/github-deployment.ts';
import type { SignedClaim } from '../records/model/claim.ts';
import type { RecordSeal, ReleaseEnd, ReleaseFacts } from '../records/model/record-seal.ts';
import type { DeployReport } from '../release/model/report.ts';
import { titleOf } from '../report/closing.ts';
import { describeRun } from './model/title.ts';
import { isVoid, verdict } from './model/verdict.ts';

/** The description of its GitHub status; later runs read the fixed one of an ended preview. */
export const describeStatus = (report: DeployReport): string =>
  report.outcome === 'cleaned-up' ? titleOf(report.outcome) : describeRun(report);

/** True if what was live before surely still is: no deployment was requested, or it failed and an earlier one is known. */
export function leavesLive(report: DeployReport): boolean {
  const { stage, serves } = verdict(report);
  return stage === 'not-requested' || (stage === 'failed' && serves !== 'unknown');
}

/**
 * The result of a release, for later runs. `good`: the deployment and each check succeeded. `rolled-back`: the older
 * commit is live again, or may be, also after an interruption or failed checks. `undeployed`: the service reported a
 * failure, or nothing was requested.
 */
function endOf(report: DeployReport): ReleaseEnd {
  const { outcome, checks = [], rollback } = report;
  const projectId = report.projectId?.toLowerCase();
  if (projectId !== undefined && rollback !== undefined && !isVoid(rollback)) {
    const isSeen = verdict(report).serves === 'earlier';
    return { kind: 'rolled-back', projectId, restored: rollback.commit, isSeen };
  }
  if (outcome !== 'succeeded' || projectId === undefined) {
    return { kind: isVoid(report) ? 'undeployed' : 'ended' };
  }
  const isChecked = checks.length > 0 && checks.every(({ held }) => held === true);
  return { kind: 'good', projectId, isChecked };
}

/** A GitHub Deployment to record, before it is signed. */
export type PlannedDeployment = Omit<DeploymentRequest, 'record' | 'claim'> & ReleaseFacts;

/** What a run's GitHub Deployment is created with. */
export interface DeploymentContext {
  request: PlannedDeployment;
  /** Signs the record and its result. */
  recordSeal: RecordSeal;
  runUrl: string;
  access: GitHubAccess;
  attempt: GitHubAttempt;
  /** The URL with the signature that a run has ended a preview's claim. */
  claimEndUrl: (claim: SignedClaim, number: number) => string;
  /** Receives its id as soon as there is one. */
  onDeployment: (id: number) => void;
}

/**
 * The URL of the run, with the signed result of the record in its fragment.
 *
 * @param before the good record before it; undefined if not known
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
