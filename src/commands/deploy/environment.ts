import type { EnvironmentPlan } from '../../core/environment/plan.ts';
import { planSync, requiredMissing } from '../environment/plan.ts';
import type { Known } from '../environment/sync-variables.ts';
import { EarlyEnd } from '../host.ts';
import type { Deploying } from './context.ts';

/** Plans the sync of a run. */
export function planVariables({ host, request }: Deploying, known: Known): EnvironmentPlan {
  const { projectId, variables, onConflict: policy, prune } = request;
  return planSync(host, { ...known, projectId, variables, policy, prune });
}

/** Plans the sync of a run, and ends it before anything is written if it cannot be right. */
export function prepareVariables(run: Deploying, known: Known): EnvironmentPlan {
  const plan = planVariables(run, known);
  guardRequired(run, plan);
  return plan;
}

/** Ends the run if the service requires a variable that nobody gives: new code would go live without it. */
function guardRequired({ request, host }: Deploying, plan: EnvironmentPlan): void {
  const missing = requiredMissing(plan, host);
  if (missing.length === 0 || !request.deploy) return;
  const message = `Nothing was written or deployed: the service requires ${missing.join(', ')}, this workflow gives no value, and nothing shows that there is one. Add it to env-from, or set it on the service.`;
  throw new EarlyEnd('failed', message);
}
