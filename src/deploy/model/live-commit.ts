import { swapCommit, swapUrl } from '../../blue-green/model/swap.ts';
import type { CheckResult } from '../../checks/model/check-result.ts';
import type { Sha } from '../../contract/commit.ts';
import { previewUrl } from '../../domains/model/domain.ts';
import type { DeployReport } from '../../release/report.ts';

/** True if a run found its commit live, and so did not deploy it again. */
export const isLiveAlready = ({ skippedReason }: Pick<DeployReport, 'skippedReason'>): boolean =>
  skippedReason === 'not-needed';

/** The address that serves what a run has deployed, or found live; empty if that is not known. */
export function servedUrl(report: DeployReport): string {
  if (report.outcome !== 'succeeded' && !isLiveAlready(report)) return '';
  if (report.swap !== undefined) return swapUrl(report);
  return report.preview === undefined ? (report.address ?? '') : previewUrl(report);
}

/** True if a check that names the commit saw something else. */
export const lacksCommit = (checks: readonly CheckResult[] = []): boolean =>
  checks.some((check) => check.lacksCommit === true);

/** The commit that is live at the end of a run, as far as it was seen; undefined if that is not known. */
export function liveCommit(report: DeployReport): Sha | undefined {
  const { outcome, commit = 'HEAD', deploymentEnd, checks, wayBack, isOvertaken } = report;
  if (report.swap !== undefined) return lacksCommit(checks) ? undefined : swapCommit(report);
  if (isLiveAlready(report) && commit !== 'HEAD') return commit;
  // A preview that was closed meanwhile is served nowhere.
  if (isOvertaken === true || outcome === 'skipped') return undefined;
  if (wayBack?.deploymentEnd === 'succeeded') {
    return lacksCommit(wayBack.checks) ? undefined : wayBack.commit;
  }
  if (wayBack?.isRequested === true && wayBack.deploymentEnd !== 'failed') return undefined;
  const isSeen = deploymentEnd === 'succeeded' && !lacksCommit(checks);
  return isSeen && commit !== 'HEAD' ? commit : undefined;
}
