import type { Environment } from '../../contract/environment.ts';
import { describeConflicts } from '../environment/conflicts.ts';
import type { OpenLedger } from '../environment/ledger-keeper.ts';
import { nameClean, type PlannedSync, planSync } from '../environment/plan.ts';
import { syncEnvironment } from '../environment/sync.ts';
import { EarlyEnd } from '../host.ts';
import type { Run } from './context.ts';

/** What is known before the variables are synced. */
export interface Known {
  observed: Environment;
  ledger: OpenLedger;
}

/** Plans the sync of a run. */
export async function planVariables(run: Run, { observed, ledger }: Known): Promise<PlannedSync> {
  const { host, request, report } = run;
  const { variables, onConflict: policy, prune } = request;
  return await planSync(host, {
    projectId: report.projectId,
    observed,
    variables,
    policy,
    prune,
    ledger,
  });
}

/** Plans the sync of a run, and ends it before anything is written if it cannot be right. */
export async function prepareVariables(run: Run, known: Known): Promise<PlannedSync> {
  const plan = await planVariables(run, known);
  guardRequired(run, plan);
  return plan;
}

/** Ends the run if the service requires a variable that nobody gives: new code would go live without it. */
function guardRequired({ request }: Run, { named: { missing } }: PlannedSync): void {
  if (missing.length === 0 || !request.deploy) return;
  const message = `Nothing was written or deployed: the service requires ${nameClean(missing)}, this workflow gives no value, and nothing shows that there is one. Add it to env-from, or set it on the service.`;
  throw new EarlyEnd('failed', message);
}

/** Syncs the variables. Gives the metadata as last seen; a conflict ends the run. */
export async function syncVariables(
  { client, host, request, report }: Run,
  known: Known,
  plan: PlannedSync,
): Promise<Environment> {
  const end = await syncEnvironment(client, host, { ...known, plan, policy: request.onConflict });
  report.environment = end.result;
  if (end.ledger !== undefined) known.ledger.save(end.ledger);
  if (end.error !== undefined) throw end.error;
  const conflicts = describeConflicts(end.result);
  if (conflicts === undefined) return end.environment;
  throw new EarlyEnd('conflict', `Nothing was deployed, because of ${conflicts}`);
}
