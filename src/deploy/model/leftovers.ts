import { countFailed } from '../../checks/result.ts';
import type { Sha } from '../../contract/commit.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { DeployReport } from '../../release/model/report.ts';

/** A deployment, as far as is known what became of it. */
export interface LeftRelease extends Pick<DeployReport, 'isRequested' | 'deploymentEnd'> {
  /** Once it was accepted; its status is absent where that was not kept. */
  deployment?: { id: SafeText; status?: SafeText };
}

/** What was found of a run until it was cut off. */
export interface LeftRun extends LeftRelease, Pick<DeployReport, 'pushed' | 'checks'> {
  phases?: DeployReport['phases'];
  /** The way back that it had begun, or that what was kept of it cannot be read. */
  rollback?: (LeftRelease & { commit: Sha }) | 'damaged';
}

/** What may still become of a deployment that is not known to have ended. */
function describeOpen({ deployment }: LeftRelease): SafeText {
  if (deployment === undefined) return safe`had been asked for, and may still go live.`;
  const { status } = deployment;
  const seen = status === undefined ? safe`had been accepted` : safe`was last seen as "${status}"`;
  return safe`${seen} and may still go live: the service shows no way to cancel it.`;
}

function describeRollback(back: NonNullable<LeftRun['rollback']>): SafeText {
  const begun = safe`The deployment itself succeeded, its checks had failed, and it was being rolled back`;
  if (back === 'damaged') return safe`${begun}. What is live is not known.`;
  const { commit, deployment, deploymentEnd, isRequested } = back;
  const to = safe`${begun} to commit ${unsafeText(commit)}: that`;
  if (deploymentEnd === 'succeeded') {
    return safe`${to} is deployed, and its checks had not come to their end.`;
  }
  if (deploymentEnd === 'failed') return safe`${to} deployment failed.`;
  if (deployment !== undefined) {
    return safe`${to} deployment, ${deployment.id}, ${describeOpen(back)}`;
  }
  return isRequested === true
    ? safe`${to} deployment ${describeOpen(back)}`
    : safe`${to} deployment had not been asked for yet.`;
}

/**
 * What a run leaves behind that was cut off or killed, in sentences; nothing if it had not come to the push.
 *
 * @param found what was found, or kept, until then
 */
export function describeLeftovers(found: LeftRun): SafeText {
  const { deployment, isRequested, deploymentEnd, phases = [], pushed, checks, rollback } = found;
  if (rollback !== undefined) return describeRollback(rollback);
  if (deploymentEnd === 'failed') return safe`The deployment itself failed.`;
  if (deploymentEnd !== undefined) {
    return countFailed(checks) > 0
      ? safe`The deployment itself succeeded, its checks had failed, and nothing had been rolled back.`
      : safe`The deployment itself succeeded.`;
  }
  if (deployment !== undefined) return safe`The deployment ${deployment.id} ${describeOpen(found)}`;
  if (isRequested === true) return safe`A deployment ${describeOpen(found)}`;
  if (pushed === true) return safe`The commit had been pushed to the project's repository.`;
  const wasPushing = pushed === undefined && phases.some(({ name }) => name === 'push');
  return wasPushing ? safe`The commit may have been pushed to the project's repository.` : safe``;
}
