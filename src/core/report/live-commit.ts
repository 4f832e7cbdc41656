import type { Sha } from '../../contract/commit.ts';
import type { DeployReport } from './report.ts';
import { swapCommit } from './swap.ts';

/** True if a run found its commit live, and so did not deploy it again. */
export const isLiveAlready = ({ skippedReason }: Pick<DeployReport, 'skippedReason'>): boolean =>
  skippedReason === 'not-needed';

/** The commit that is live at the end of a run, as far as it was seen; undefined if that is not known. */
export function liveCommit(report: DeployReport): Sha | undefined {
  const { outcome, commit = 'HEAD', deploymentEnd, wayBack, isOvertaken } = report;
  if (report.swap !== undefined) return swapCommit(report);
  if (isLiveAlready(report) && commit !== 'HEAD') return commit;
  // A preview that was closed meanwhile is served nowhere.
  if (isOvertaken === true || outcome === 'skipped') return undefined;
  if (wayBack?.deploymentEnd === 'succeeded') return wayBack.commit;
  if (wayBack?.isRequested === true && wayBack.deploymentEnd !== 'failed') return undefined;
  return deploymentEnd === 'succeeded' && commit !== 'HEAD' ? commit : undefined;
}
