import { describeSwapLeft } from '../blue-green/model/swap.ts';
import { countFailed } from '../checks/model/check-result.ts';
import { type Host, RunAborted } from '../frame/host.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { DeployFindings } from '../release/context.ts';
import type { WayBack } from '../release/report.ts';
import { ServiceError } from '../service/errors.ts';
import { countChanged } from '../variables/model/environment-result.ts';

/** What a run leaves behind that was cut off while it was being rolled back. */
function whatIsLeftOf({ commit, deploymentEnd, deployment, isRequested }: WayBack): SafeText {
  const begun = safe` The deployment itself succeeded, its checks had failed, and it was being rolled back to commit ${trusted(commit)}: `;
  if (deploymentEnd === 'succeeded') {
    return safe`${begun}that is deployed, and its checks had not come to their end.`;
  }
  if (deployment !== undefined) {
    return safe`${begun}that deployment, ${deployment.id}, was last seen as "${deployment.status}" and may still go live: the service shows no way to cancel it.`;
  }
  return isRequested === true
    ? safe`${begun}that deployment had been asked for, and may still go live.`
    : safe`${begun}that deployment had not been asked for yet.`;
}

/** What a run that was cut off leaves behind. */
function whatIsLeft({
  deployment,
  isRequested,
  deploymentEnd,
  phases,
  pushed,
  checks,
  wayBack,
}: DeployFindings): SafeText {
  if (wayBack !== undefined) return whatIsLeftOf(wayBack);
  if (deploymentEnd === 'failed') return safe` The deployment itself failed.`;
  if (deploymentEnd !== undefined && countFailed(checks) > 0) {
    return safe` The deployment itself succeeded, its checks had failed, and nothing had been rolled back.`;
  }
  if (deploymentEnd !== undefined) return safe` The deployment itself succeeded.`;
  if (deployment !== undefined) {
    return safe` The deployment ${deployment.id} was last seen as "${deployment.status}" and may still go live: the service shows no way to cancel it.`;
  }
  if (isRequested === true) return safe` A deployment had been asked for, and may still go live.`;
  if (pushed === true) return safe` The commit had been pushed to the project's repository.`;
  const wasPushing = pushed === undefined && phases.some(({ name }) => name === 'push');
  return wasPushing ? safe` The commit may have been pushed to the project's repository.` : safe``;
}

/** What was written of the variables, where no deployment takes it up, in words. */
function whatIsWritten(
  { environment, deployment, isRequested }: DeployFindings,
  error: unknown,
): SafeText {
  const isRefused = error instanceof ServiceError && !error.mayHaveArrived;
  if (deployment !== undefined || (isRequested === true && !isRefused)) return safe``;
  const written = environment === undefined ? 0 : countChanged(environment);
  if (written === 0) return safe``;
  return written === 1
    ? safe` (1 variable was written already; the next deployment takes it up.)`
    : safe` (${written} variables were written already; the next deployment takes them up.)`;
}

const isTimedOut = ({ signal: { reason } }: Host): boolean =>
  reason instanceof RunAborted && reason.outcome === 'timed-out';

/**
 * What a run leaves behind that did not end well, to be said behind its error.
 *
 * @param ended the error, and what was waited for when the time was up
 */
export function describeLeft(
  host: Host,
  findings: DeployFindings,
  { error, describeWait }: { error: unknown; describeWait: () => SafeText },
): SafeText {
  const cut = host.signal.aborted ? whatIsLeft(findings) : safe``;
  const why = isTimedOut(host) ? describeWait() : safe``;
  const swapped = host.signal.aborted ? describeSwapLeft(findings) : safe``;
  const said = safe`${cut}${swapped}${whatIsWritten(findings, error)}`;
  return why === '' ? said : safe`${said} ${why}`;
}
