import { countFailed } from '../../checks/result.ts';
import { type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { DeployState, Release, Rollback } from '../../release/model/report.ts';

/** What is known of an interrupted run. */
export interface Interrupted
  extends Pick<DeployState, 'release' | 'checks' | 'pushed'>,
    Partial<Pick<DeployState, 'phases'>> {
  /** The rollback that it had begun; `damaged` if its kept state can't be read. */
  rollback?: Rollback | 'damaged';
}

/** The state of a deployment without a known result, as a predicate. */
function describeOpen({ deployment }: Release): SafeText {
  if (deployment === undefined) return safe`was requested and may still go live.`;
  const { status } = deployment;
  const seen = status === undefined ? safe`was accepted` : safe`was last "${status}"`;
  return safe`${seen} and may still go live; the service has no way to cancel it.`;
}

function describeRollback(rollback: NonNullable<Interrupted['rollback']>): SafeText {
  const begun = safe`The deployment succeeded, but its checks failed.`;
  if (rollback === 'damaged') return safe`${begun} A rollback had begun; what is live is unknown.`;
  const { commit, release } = rollback;
  const to = safe`${begun} The rollback to commit ${unsafeText(commit)}`;
  if (release === undefined) return safe`${to} had not been requested yet.`;
  const { stage, deployment } = release;
  if (stage === 'succeeded') return safe`${to} is deployed, but its checks had not finished.`;
  if (stage === 'failed') return safe`${to} failed.`;
  const which = deployment === undefined ? safe`` : safe` (deployment ${deployment.id})`;
  return safe`${to}${which} ${describeOpen(release)}`;
}

/**
 * What an interrupted or killed run leaves behind, as sentences; nothing if it had not begun to push.
 *
 * @param known what was known, or kept, until then
 */
export function describeLeftovers(known: Interrupted): SafeText {
  const { release, phases = [], pushed, checks, rollback } = known;
  if (rollback !== undefined) return describeRollback(rollback);
  if (release !== undefined) {
    const { stage, deployment } = release;
    if (stage === 'failed') return safe`The deployment failed.`;
    if (stage === 'succeeded') {
      return countFailed(checks) > 0
        ? safe`The deployment succeeded, its checks failed, and nothing was rolled back.`
        : safe`The deployment succeeded.`;
    }
    const which = deployment === undefined ? safe`A deployment` : safe`Deployment ${deployment.id}`;
    return safe`${which} ${describeOpen(release)}`;
  }
  if (pushed === true) return safe`The commit was pushed to the project's repository.`;
  const wasPushing = pushed === undefined && phases.some(({ name }) => name === 'push');
  return wasPushing ? safe`The commit may have been pushed to the project's repository.` : safe``;
}
