import { guardProject, listDomains } from '../domains/guard.ts';
import { type Ending, reportOn } from '../frame/ending.ts';
import { EarlyEnd, type Found, type Run } from '../frame/step.ts';
import {
  countChangedResources,
  type GatedPlan,
  type PlanGates,
  refusePlan,
} from '../kernel/change.ts';
import { reword } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import type { LedgerKeeper } from '../ledger/model/ledger.ts';
import type { VariablesRequest } from './intent.ts';
import type { SyncReport } from './model/sync-report.ts';
import type { EnvironmentPlan } from './plan.ts';
import { planSync, resultOfPlan, showPlan } from './plan-sync.ts';
import { describeRuntimes } from './render.ts';
import type { EnvironmentResult } from './result.ts';
import { observeVariables, syncVariables } from './sync.ts';

/** The validated request of the env-sync command. */
export interface EnvSyncRequest extends VariablesRequest {
  projectId: string;
  ledgers: LedgerKeeper;
  /** True: show what would change and write nothing. */
  planOnly: boolean;
  gates: PlanGates;
  /** True if the run's code is not merged, so that the run must not affect a site. */
  guarded: boolean;
}

type EnvSyncResult = Omit<SyncReport, keyof Ending | 'requests' | 'durationMs'>;

/** What the gates check. */
function gated(
  plan: EnvironmentPlan,
  { digest, changes }: Pick<EnvironmentResult, 'digest' | 'changes'>,
): GatedPlan {
  const size = plan.variables.length + plan.deletions.length;
  return { digest, changed: countChangedResources(changes), size };
}

/** Observes, plans and applies; or shows the plan if only that is requested or allowed. */
async function syncProject(
  run: Run,
  request: EnvSyncRequest,
  found: Found<EnvSyncResult>,
): Promise<Partial<EnvSyncResult> & Ending> {
  const { host } = run;
  const { projectId, ledgers, planOnly, gates } = request;
  const known = await observeVariables(run, projectId, ledgers);
  const syncing = await planSync(host, { ...request, ...known });
  const { plan } = syncing;
  const measured = gated(plan, resultOfPlan(plan, host));
  const refusal = refusePlan(measured, gates);
  if (planOnly || refusal !== undefined) {
    found({ environment: showPlan(host, syncing) });
    if (!planOnly && refusal) throw new EarlyEnd(refusal.outcome, refusal.diagnostic);
    if (refusal === undefined) return { outcome: 'planned' };
    const diagnostic = reword(refusal.diagnostic, (why) => safe`The plan would be refused. ${why}`);
    host.report({ type: 'warning', diagnostic });
    return { outcome: 'planned', refusal: diagnostic };
  }
  if (request.guarded && measured.changed > 0) {
    guardProject(host, projectId, (await listDomains(run)) ?? [], undefined);
  }
  await syncVariables(run, syncing, safe`Not all variables were synced.`, found);
  return { outcome: 'synced' };
}

/**
 * Syncs a project's variables, or shows what a sync would change.
 *
 * @returns the report; errors of the service or the run are in it, not thrown
 */
export async function envSync(run: Run, request: EnvSyncRequest): Promise<SyncReport> {
  const { projectId } = request;
  const begun: EnvSyncResult = { projectId };
  const report = await reportOn(run, begun, (found) => syncProject(run, request, found));
  const { environment } = report;
  for (const text of environment === undefined ? [] : describeRuntimes(environment)) {
    run.host.report({ type: 'note', text });
  }
  return report;
}
