import type { ReleaseEnd } from '../../github/model/record-signer.ts';
import { outcomes } from '../../kernel/outcome.ts';
import type { DeployReport } from './report.ts';
import { describeRun } from './title.ts';
import { isVoid, verdict } from './verdict.ts';

/**
 * The result of a release, for later runs. `good`: the deployment and each check succeeded. `rolled-back`: the older
 * commit is live again, or may be, also after an interruption or failed checks. `undeployed`: the service reported a
 * failure, or nothing was requested.
 */
function releaseEnd(report: DeployReport): ReleaseEnd {
  const { outcome, checks = [], rollback } = report;
  const projectId = report.projectId?.toLowerCase();
  if (projectId !== undefined && rollback !== undefined && !isVoid(rollback)) {
    const isConfirmed = verdict(report).serves === 'earlier';
    return { kind: 'rolled-back', projectId, restored: rollback.commit, isConfirmed };
  }
  if (outcome !== 'succeeded' || projectId === undefined) {
    return { kind: isVoid(report) ? 'undeployed' : 'ended' };
  }
  const isChecked = checks.length > 0 && checks.every(({ passed }) => passed === true);
  return { kind: 'good', projectId, isChecked };
}

/** How a run's GitHub deployment tells its end. */
export const recordedEnd = (report: DeployReport) => ({
  state: outcomes[report.outcome].gitHub,
  description: describeRun(report),
  environmentUrl: verdict(report).url,
  end: releaseEnd(report),
});
