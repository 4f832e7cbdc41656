import type { DesiredVariable } from '../core/environment/desired.ts';
import type { EnvironmentPlan } from '../core/environment/plan.ts';
import type { ConflictPolicy } from '../core/environment/variable-plan.ts';
import { countChanged, type GatedPlan, type Gates, refusePlan } from '../core/gate.ts';
import type { EnvironmentResult } from '../core/report/environment.ts';
import { describeRuntimes } from '../core/report/runtime.ts';
import type { SyncReport } from '../core/report/sync-report.ts';
import { describeConflicts } from './environment/conflicts.ts';
import type { LedgerKeeper } from './environment/ledger-keeper.ts';
import { planSync, resultOfPlan, showPlan } from './environment/plan.ts';
import { syncEnvironment } from './environment/sync.ts';
import { guardProject, listDomains } from './guard.ts';
import { EarlyEnd } from './host.ts';
import type { Run } from './run.ts';
import { settle } from './settle.ts';

/** What the env-sync command is asked to do. Everything has been checked. */
export interface EnvSyncRequest {
  projectId: string;
  variables: readonly DesiredVariable[];
  onConflict: ConflictPolicy;
  /** Delete variables that we created and that are no longer declared. */
  prune: boolean;
  ledgers: LedgerKeeper;
  /** True: read, show what would change, and write nothing. */
  planOnly: boolean;
  gates: Gates;
  /** True if nothing of the run must reach a site: its code is not merged. */
  guarded: boolean;
}

type Report = Omit<SyncReport, 'requests' | 'durationMs'>;

/** What gates look at. */
function gated(
  plan: EnvironmentPlan,
  { digest, changes }: Pick<EnvironmentResult, 'digest' | 'changes'>,
): GatedPlan {
  const size = plan.variables.length + plan.deletions.length;
  return { digest, changed: countChanged(changes), size };
}

/** Observes, plans and applies; or shows the plan, if that is all that is asked or allowed. */
async function carryOut(run: Run, request: EnvSyncRequest, report: Report): Promise<void> {
  const { client, host } = run;
  const { projectId, variables, onConflict: policy, prune, ledgers, planOnly, gates } = request;
  const [observed, ledger] = await Promise.all([
    client.getEnvironment(projectId),
    ledgers.open(projectId),
  ]);
  const plan = planSync(host, { projectId, observed, variables, policy, prune, ledger });
  const measured = gated(plan, resultOfPlan(plan, host));
  const refusal = refusePlan(measured, gates);
  if (planOnly || refusal !== undefined) {
    report.environment = showPlan(host, plan, observed);
    if (!planOnly && refusal) throw new EarlyEnd(refusal.outcome, refusal.message);
    if (refusal)
      host.report({ type: 'warning', text: `It would not be applied. ${refusal.message}` });
    report.outcome = 'planned';
    return;
  }
  if (request.guarded && measured.changed > 0) {
    guardProject(host, projectId, (await listDomains(run)) ?? [], undefined);
  }
  const end = await syncEnvironment(run, { plan, observed, policy, ledger });
  report.environment = end.result;
  if (end.ledger !== undefined) ledger.save(end.ledger);
  if (end.error !== undefined) throw end.error;
  const conflicts = describeConflicts(end.result);
  if (conflicts !== undefined)
    throw new EarlyEnd('conflict', `Not everything was synced, because of ${conflicts}`);
  report.outcome = 'synced';
}

/**
 * Syncs a project's variables, or shows what a sync would change.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function envSync(run: Run, request: EnvSyncRequest): Promise<SyncReport> {
  const { client, host } = run;
  const started = host.clock.now();
  const report: Report = { outcome: 'failed', projectId: request.projectId };
  try {
    await carryOut(run, request, report);
  } catch (error) {
    Object.assign(report, settle(host, error));
  }
  for (const text of report.environment ? describeRuntimes(report.environment.runtime) : []) {
    host.report({ type: 'note', text });
  }
  return { ...report, requests: client.requests, durationMs: host.clock.now() - started };
}
