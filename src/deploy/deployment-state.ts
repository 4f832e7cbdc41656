import type { GitHubAttempt } from '../recording/run-comment.ts';
import type { GitHubAccess } from '../records/api.ts';
import type { DeploymentRequest } from '../records/github-deployment.ts';
import type { SignedClaim } from '../records/model/claim.ts';
import type { RecordSeal, ReleaseEnd, ReleaseFacts } from '../records/model/record-seal.ts';
import type { DeployReport } from '../release/model/report.ts';
import { titleOf } from '../report/closing.ts';
import { describeRun } from './model/title.ts';
import { isVoid, verdict } from './model/verdict.ts';

/** What its status says: of a preview that was ended, what the next run knows that by. */
export const describeStatus = (report: DeployReport): string =>
  report.outcome === 'cleaned-up' ? titleOf(report.outcome) : describeRun(report);

/** True if what was live before is known to be: a release was not asked for, or it failed and an earlier one is known. */
export function leavesLive(report: DeployReport): boolean {
  const { stage, serves } = verdict(report);
  return stage === 'not-asked' || (stage === 'failed' && serves !== 'unknown');
}

/**
 * How a run's release ended, for later runs to believe: it was good if the service, and each check, said so; undone if
 * the older commit is live again, or may be, also where the run was cut off or that commit's checks failed; and it
 * deployed nothing if the service said that it failed, whether or not anybody knows what is live then.
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
