import { reword } from '../core/catalogue/coded.ts';
import type { Removals } from '../core/environment/deletion.ts';
import type { DesiredVariable } from '../core/environment/desired.ts';
import type { EnvironmentPlan } from '../core/environment/plan-environment.ts';
import type { ConflictPolicy } from '../core/environment/variable-plan.ts';
import { countChanged, type GatedPlan, type Gates, refusePlan } from '../core/gate.ts';
import type { EnvironmentResult } from '../core/report/environment-result.ts';
import { describeRuntimes } from '../core/report/runtime.ts';
import type { SyncReport } from '../core/report/sync-report.ts';
import { safe } from '../core/text/safe.ts';
import { type Ending, reportOn } from './ending.ts';
import type { LedgerKeeper } from './environment/ledger-keeper.ts';
import { planSync, resultOfPlan, showPlan } from './environment/plan-sync.ts';
import { observeVariables, syncVariables } from './environment/sync-variables.ts';
import { guardProject, listDomains } from './guard.ts';
import { EarlyEnd } from './host.ts';
import type { Found, Run } from './run.ts';

/** What the env-sync command is asked to do. Everything has been checked. */
export interface EnvSyncRequest {
  projectId: string;
  variables: readonly DesiredVariable[];
  onConflict: ConflictPolicy;
  removals: Removals;
  ledgers: LedgerKeeper;
  /** True: read, show what would change, and write nothing. */
  planOnly: boolean;
  gates: Gates;
  /** True if nothing of the run must reach a site: its code is not merged. */
  guarded: boolean;
}

type EnvSyncFindings = Omit<SyncReport, keyof Ending | 'requests' | 'durationMs'>;

/** What gates look at. */
function gated(
  plan: EnvironmentPlan,
  { digest, changes }: Pick<EnvironmentResult, 'digest' | 'changes'>,
): GatedPlan {
  const size = plan.variables.length + plan.deletions.length;
  return { digest, changed: countChanged(changes), size };
}

/** Observes, plans and applies; or shows the plan, if that is all that is asked or allowed. */
async function carryOut(
  run: Run,
  request: EnvSyncRequest,
  found: Found<EnvSyncFindings>,
): Promise<Partial<EnvSyncFindings> & Ending> {
  const { host } = run;
  const { projectId, ledgers, planOnly, gates } = request;
  const known = await observeVariables(run, projectId, ledgers);
  const syncing = await planSync(host, { ...request, ...known });
  const { plan } = syncing;
  const measured = gated(plan, resultOfPlan(plan, host));
  const refusal = refusePlan(measured, gates);
  if (planOnly || refusal !== undefined) {
    found({ environment: showPlan(host, syncing) });
    if (!planOnly && refusal) throw new EarlyEnd(refusal.outcome, refusal.message);
    if (refusal === undefined) return { outcome: 'planned' };
    const text = reword(refusal.message, (why) => safe`It would not be applied. ${why}`);
    host.report({ type: 'warning', text });
    return { outcome: 'planned', refusal: text };
  }
  if (request.guarded && measured.changed > 0) {
    guardProject(host, projectId, (await listDomains(run)) ?? [], undefined);
  }
  await syncVariables(run, syncing, safe`Not everything was synced`, found);
  return { outcome: 'synced' };
}

/**
 * Syncs a project's variables, or shows what a sync would change.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function envSync(run: Run, request: EnvSyncRequest): Promise<SyncReport> {
  const { projectId } = request;
  const begun: EnvSyncFindings = { projectId };
  const report = await reportOn(run, begun, (found) => carryOut(run, request, found));
  const { environment } = report;
  for (const text of environment === undefined ? [] : describeRuntimes(environment)) {
    run.host.report({ type: 'note', text });
  }
  return report;
}
