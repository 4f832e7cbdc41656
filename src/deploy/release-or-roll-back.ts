import type { Environment } from '../contract/environment.ts';
import type { Ending } from '../frame/ending.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { ReleaseContext } from '../release/context.ts';
import { type ReleaseOptions, release } from './release.ts';
import type { RollbackContext } from './rollback.ts';

/** What the deployment of a run needs. */
export interface PreparedRelease extends ReleaseOptions {
  environment: Environment;
  /** The variables that this run has changed. */
  wrote: readonly SafeText[];
  /** How it could be rolled back; absent unless on-failed-checks is roll-back. */
  rollbackContext?: Omit<RollbackContext, 'results'> | undefined;
}

/** Releases the commit; if its checks fail and the inputs want a rollback, releases the earlier one. */
export async function releaseOrRollBack(
  run: ReleaseContext,
  prepared: PreparedRelease,
): Promise<Ending> {
  const { ending, failedChecks: results } = await release(run, prepared);
  const { rollbackContext } = prepared;
  const { error } = ending;
  if (rollbackContext === undefined || results === undefined || error === undefined) return ending;
  const { rollBack } = await import('./rollback.ts');
  return await rollBack(run, { ...ending, error }, { ...rollbackContext, results });
}
