import { planSync } from '../environment/plan.ts';
import type { SyncRequest } from '../environment/sync.ts';
import { observeVariables } from '../environment/sync-variables.ts';
import type { Managing } from './run.ts';

/** Plans the variables of the site file; undefined if it declares none. */
export async function planEnvironment(run: Managing): Promise<SyncRequest | undefined> {
  if (run.request.environment === undefined) return undefined;
  const { projectId, variables, ledgers, onConflict: policy } = run.request.environment;
  const known = await observeVariables(run, projectId, ledgers);
  const plan = planSync(run.host, { ...known, projectId, variables, policy, prune: false });
  return { ...known, policy, plan };
}
