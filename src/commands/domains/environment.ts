import type { Environment } from '../../contract/environment.ts';
import type { EnvironmentPlan } from '../../core/environment/plan.ts';
import type { ConflictPolicy } from '../../core/environment/variable-plan.ts';
import { describeConflicts } from '../environment/conflicts.ts';
import type { OpenLedger } from '../environment/ledger-keeper.ts';
import { planSync } from '../environment/plan.ts';
import { syncEnvironment } from '../environment/sync.ts';
import { EarlyEnd } from '../host.ts';
import type { Managing } from './run.ts';

/** The environment's part of the plan. */
export interface PlannedEnvironment {
  policy: ConflictPolicy;
  observed: Environment;
  ledger: OpenLedger;
  plan: EnvironmentPlan;
}

/** Plans the variables of the site file; undefined if it declares none. */
export async function planEnvironment({
  client,
  host,
  request,
}: Managing): Promise<PlannedEnvironment | undefined> {
  if (request.environment === undefined) return undefined;
  const { projectId, variables, ledgers, onConflict: policy } = request.environment;
  const [observed, ledger] = await Promise.all([
    client.getEnvironment(projectId),
    ledgers.open(projectId),
  ]);
  const common = { projectId, observed, variables, ledger };
  const plan = planSync(host, { ...common, policy, prune: false });
  return { policy, observed, ledger, plan };
}

/** Syncs the variables of the site file. @throws EarlyEnd or the error that a write failed with */
export async function syncVariables(
  run: Managing,
  { policy, plan, observed, ledger }: PlannedEnvironment,
): Promise<void> {
  const end = await syncEnvironment(run, { plan, observed, policy, ledger });
  run.report.environment = end.result;
  if (end.ledger !== undefined) ledger.save(end.ledger);
  if (end.error !== undefined) throw end.error;
  const conflicts = describeConflicts(end.result);
  if (conflicts === undefined) return;
  throw new EarlyEnd('conflict', `No domain was changed, because of ${conflicts}`);
}
