import type { Environment } from '../contract/environment.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { OpenLedger } from '../ledger/model/ledger.ts';
import { cleanEach } from '../step/clean.ts';
import { EarlyEnd, type Host } from '../step/step.ts';
import type { ConflictPolicy, VariablesRequest } from './intent.ts';
import { readLedger, unmasks } from './model/variable-plan.ts';
import { type EnvironmentPlan, planEnvironment, plannedChanges } from './plan.ts';
import { doneLines, type PlannedCounts, planLines, variableLines } from './render.ts';
import {
  type EnvironmentResult,
  plannedDeletion,
  plannedResult,
  type RuntimeState,
  type VariableResult,
} from './result.ts';

interface PlanRequest extends VariablesRequest {
  projectId: string;
  observed: Environment;
  ledger: OpenLedger;
}

/** A plan, with the cleaned names of variables that the workflow does not declare. */
export interface PlannedSync extends EnvironmentPlan {
  named: {
    undeclared: readonly SafeText[];
    /** Those of them that the service requires and that have no known value. */
    missing: readonly SafeText[];
  };
}

/** True if a plan has no changes and no conflicts. */
export const isNothing = ({ variables, deletions, ambiguous }: EnvironmentPlan): boolean =>
  variables.every(({ actions, left }) => actions.length === 0 && left === undefined) &&
  deletions.length === 0 &&
  ambiguous.length === 0;

/** Names as a part of a sentence. */
export const listCleanNames = (names: readonly SafeText[]): SafeText =>
  listNames(names, (name) => name);

/** The state of the runtimes (section "Environment metadata response"). */
export const runtimeState = ({ preview, production }: Environment): RuntimeState => ({
  stale: preview?.stale ?? undefined,
  pending: production?.pending ?? undefined,
});

/** The parts of a result that depend on the plan alone. */
export function resultOfPlan(
  plan: PlannedSync,
  host: Host,
): Pick<EnvironmentResult, 'ambiguous' | 'undeclared' | 'requiredMissing' | 'changes' | 'digest'> {
  return {
    ambiguous: plan.ambiguous,
    undeclared: plan.named.undeclared,
    requiredMissing: plan.named.missing,
    changes: plannedChanges(plan, host.clean),
    digest: plan.digest,
  };
}

/** A plan to apply, and what it was made from. */
export interface SyncRequest {
  plan: PlannedSync;
  observed: Environment;
  policy: ConflictPolicy;
  ledger: OpenLedger;
}

/**
 * Plans a sync and logs its counts. It sends nothing.
 *
 * @throws EarlyEnd if the plan would delete variables that the service requires, or the input `env` would make secret
 * ones plain; the run's signal's reason
 */
export async function planSync(host: Host, request: PlanRequest): Promise<SyncRequest> {
  const { projectId, observed, variables, onConflict: policy, removals, ledger } = request;
  const ledgerReader = readLedger(ledger.ledger, ledger.fingerprint);
  const { marks } = ledger;
  const rules = { projectId, policy, remove: removals, ledgerReader, marks };
  const plan = planEnvironment(variables, observed, rules);

  const needed = plan.deletions.filter((one) => one.observed.required === true);
  if (needed.length > 0) {
    const names = listNames(
      needed.map((one) => one.observed.name),
      host.clean,
    );
    const text = safe`The service requires ${names}; nothing was written or deleted. Remove the name from env-remove, or the line \`remove: true\` from the site file.`;
    throw new EarlyEnd('failed', diagnose('SD4014', text));
  }
  const unmasked = plan.variables.filter((one) => unmasks(one.desired, one.observed));
  if (unmasked.length > 0) {
    const names = listCleanNames(unmasked.map((one) => host.clean(one.desired.name)));
    const text = safe`The service has ${names} as secret, and env would make it plain; nothing was written. Use env-from, which keeps it secret.`;
    throw new EarlyEnd('failed', diagnose('SD4015', text));
  }

  const withoutValue = new Set(plan.requiredMissing);
  const others = await cleanEach(host, plan.undeclared, (variable) => ({
    name: host.clean(variable.name),
    isRequired: variable.required === true,
    isMissing: withoutValue.has(variable),
  }));
  const undeclared = others.map(({ name }) => name);
  const required = others.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const missing = others.filter(({ isMissing }) => isMissing).map(({ name }) => name);
  const counts: PlannedCounts = {
    writes: plan.variables.filter(({ actions }) => actions.length > 0).length,
    deletions: plan.deletions.filter(({ left }) => left === undefined).length,
    unchanged: plan.variables.filter(({ actions, left }) => actions.length === 0 && !left).length,
    left: [...plan.variables, ...plan.deletions].filter(({ left }) => left !== undefined).length,
    ambiguous: plan.ambiguous.length,
    undeclared,
  };
  host.report({ type: 'lines', entries: planLines(counts) });
  if (required.length > 0) {
    const text =
      missing.length === 0
        ? safe`The service requires ${listCleanNames(required)}, but this workflow gives no value. Check that the service has one.`
        : safe`The service requires ${listCleanNames(missing)}, and no value is known. Add it to env-from, or set it on the service.`;
    host.report({ type: 'warning', diagnostic: diagnose('SD4004', text) });
  }
  return { plan: { ...plan, named: { undeclared, missing } }, observed, policy, ledger };
}

/** A variable that is not written because a declared name is ambiguous. */
export const withoutWrites = ({ name, outcome, ...rest }: VariableResult): VariableResult =>
  outcome === 'unchanged'
    ? { name, outcome, ...rest }
    : {
        name,
        outcome: 'not-reached',
        retargeted: false,
        reason: safe`nothing is written while the service has duplicates of a declared name`,
      };

/** Logs the declared names that the service has more than once. */
export function logAmbiguous(host: Host, { ambiguous }: EnvironmentPlan, isPlanned: boolean): void {
  for (const { name, reason } of ambiguous) {
    const result: VariableResult = { name, outcome: 'conflict', retargeted: false, reason };
    host.report({ type: 'lines', entries: variableLines(result, isPlanned) });
  }
}

/** Logs what a plan would do. */
export function showVariablesPlan(host: Host, { plan, observed }: SyncRequest): EnvironmentResult {
  const deletions = plan.deletions.map((one) => plannedDeletion(one, host.clean));
  const planned = [...plan.variables.map(plannedResult), ...deletions];
  const variables = plan.ambiguous.length === 0 ? planned : planned.map(withoutWrites);
  logAmbiguous(host, plan, true);
  for (const result of variables) {
    host.report({ type: 'lines', entries: variableLines(result, true) });
  }
  host.report({ type: 'lines', entries: doneLines(0, isNothing(plan)) });
  return {
    isPlanned: true,
    variables,
    runtime: runtimeState(observed),
    ...resultOfPlan(plan, host),
  };
}
