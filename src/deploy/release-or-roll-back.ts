import type { Environment } from '../contract/environment.ts';
import type { Ending } from '../frame/ending.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { ReleaseContext } from '../release/context.ts';
import { type ReleaseOptions, release } from './release.ts';
import type { RollbackContext } from './rollback-guard.ts';

/** What the deployment of a run rests on. */
export interface Prepared extends ReleaseOptions {
  environment: Environment;
  /** The variables that this run has changed. */
  wrote: readonly SafeText[];
  /** How it could be rolled back; absent unless that is asked for. */
  rollbackContext?: Omit<RollbackContext, 'results'> | undefined;
}

/** Releases the commit, and where its checks fail and that is asked for, the one that was live before. */
export async function releaseOrRollBack(run: ReleaseContext, prepared: Prepared): Promise<Ending> {
  const { ending, failedChecks: results } = await release(run, prepared);
  const { rollbackContext } = prepared;
  const { error } = ending;
  if (rollbackContext === undefined || results === undefined || error === undefined) return ending;
  const { rollBack } = await import('./rollback.ts');
  return await rollBack(run, { ...ending, error }, { ...rollbackContext, results });
}
