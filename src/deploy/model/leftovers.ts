import { countFailed } from '../../checks/result.ts';
import type { Sha } from '../../contract/commit.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { DeployReport } from '../../release/model/report.ts';

/** A deployment, as far as its result is known. */
export interface LeftRelease extends Pick<DeployReport, 'isRequested' | 'deploymentEnd'> {
  /** Once accepted; its status is absent if it was not kept. */
  deployment?: { id: SafeText; status?: SafeText };
}

/** What is known of an interrupted run. */
export interface LeftRun extends LeftRelease, Pick<DeployReport, 'pushed' | 'checks'> {
  phases?: DeployReport['phases'];
  /** The rollback that it had begun; `damaged` if its kept state can't be read. */
  rollback?: (LeftRelease & { commit: Sha }) | 'damaged';
}

/** The state of a deployment without a known result, as a predicate. */
function describeOpen({ deployment }: LeftRelease): SafeText {
  if (deployment === undefined) return safe`was requested and may still go live.`;
  const { status } = deployment;
  const seen = status === undefined ? safe`was accepted` : safe`was last "${status}"`;
  return safe`${seen} and may still go live; the service has no way to cancel it.`;
}

function describeRollback(back: NonNullable<LeftRun['rollback']>): SafeText {
  const begun = safe`The deployment succeeded, but its checks failed.`;
  if (back === 'damaged') return safe`${begun} A rollback had begun; what is live is unknown.`;
  const { commit, deployment, deploymentEnd, isRequested } = back;
  const to = safe`${begun} The rollback to commit ${unsafeText(commit)}`;
  if (deploymentEnd === 'succeeded') {
    return safe`${to} is deployed, but its checks had not finished.`;
  }
  if (deploymentEnd === 'failed') return safe`${to} failed.`;
  if (deployment !== undefined) {
    return safe`${to} (deployment ${deployment.id}) ${describeOpen(back)}`;
  }
  return isRequested === true
    ? safe`${to} ${describeOpen(back)}`
    : safe`${to} had not been requested yet.`;
}

/**
 * What an interrupted or killed run leaves behind, as sentences; nothing if it had not begun to push.
 *
 * @param found what was found, or kept, until then
 */
export function describeLeftovers(found: LeftRun): SafeText {
  const { deployment, isRequested, deploymentEnd, phases = [], pushed, checks, rollback } = found;
  if (rollback !== undefined) return describeRollback(rollback);
  if (deploymentEnd === 'failed') return safe`The deployment failed.`;
  if (deploymentEnd !== undefined) {
    return countFailed(checks) > 0
      ? safe`The deployment succeeded, its checks failed, and nothing was rolled back.`
      : safe`The deployment succeeded.`;
  }
  if (deployment !== undefined) return safe`Deployment ${deployment.id} ${describeOpen(found)}`;
  if (isRequested === true) return safe`A deployment ${describeOpen(found)}`;
  if (pushed === true) return safe`The commit was pushed to the project's repository.`;
  const wasPushing = pushed === undefined && phases.some(({ name }) => name === 'push');
  return wasPushing ? safe`The commit may have been pushed to the project's repository.` : safe``;
}
