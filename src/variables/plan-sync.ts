import type { Environment } from '../contract/environment.ts';
import { cleanEach } from '../frame/clean.ts';
import { EarlyEnd, type Host } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { OpenLedger } from '../ledger/model/ledger.ts';
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
  /** The environment as read. */
  observed: Environment;
  ledger: OpenLedger;
}

/** A plan, with the cleaned names of variables that aren't declared. */
export interface PlannedSync extends EnvironmentPlan {
  named: UndeclaredNames;
}

/** Names of variables on the service that the workflow does not declare. */
interface UndeclaredNames {
  undeclared: readonly SafeText[];
  /** Those of them that the service requires. */
  required: readonly SafeText[];
  /** Those of these that have no known value. */
  missing: readonly SafeText[];
}

async function nameUndeclared(host: Host, plan: EnvironmentPlan): Promise<UndeclaredNames> {
  const missing = new Set(plan.requiredMissing);
  const undeclared = await cleanEach(host, plan.undeclared, (variable) => ({
    name: host.clean(variable.name),
    isRequired: variable.required === true,
    isMissing: missing.has(variable),
  }));
  const namesOf = (some: typeof undeclared) => some.map(({ name }) => name);
  return {
    undeclared: namesOf(undeclared),
    required: namesOf(undeclared.filter(({ isRequired }) => isRequired)),
    missing: namesOf(undeclared.filter(({ isMissing }) => isMissing)),
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

function warnOfRequired({ required, missing }: UndeclaredNames, host: Host): void {
  if (required.length === 0) return;
  const text =
    missing.length === 0
      ? safe`The service requires ${listCleanNames(required)}, but this workflow gives no value. Check that the service has one.`
      : safe`The service requires ${listCleanNames(missing)}, and no value is known. Add it to env-from, or set it on the service.`;
  host.report({ type: 'warning', diagnostic: diagnose('SD4004', text) });
}

/** The state of the runtimes (section "Environment metadata response"). */
export function runtimeState({ preview, production }: Environment): RuntimeState {
  return {
    stale: preview?.stale ?? undefined,
    pending: production?.pending ?? undefined,
  };
}

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

/** @throws EarlyEnd if the plan would delete variables that the service requires */
function refuseRequired({ deletions }: EnvironmentPlan, host: Host): void {
  const required = deletions.filter(({ observed }) => observed.required === true);
  if (required.length === 0) return;
  const names = listNames(
    required.map(({ observed: { name } }) => name),
    host.clean,
  );
  const text = safe`The service requires ${names}; nothing was written or deleted. Remove the name from env-remove, or the line \`remove: true\` from the site file.`;
  throw new EarlyEnd('failed', diagnose('SD4014', text));
}

/** @throws EarlyEnd if the input `env` would make secret variables plain */
function refuseSecrets({ variables }: EnvironmentPlan, host: Host): void {
  const secret = variables.filter(({ desired, observed }) => unmasks(desired, observed));
  if (secret.length === 0) return;
  const names = listCleanNames(secret.map(({ desired: { name } }) => host.clean(name)));
  const text = safe`The service has ${names} as secret, and env would make it plain; nothing was written. Use env-from, which keeps it secret.`;
  throw new EarlyEnd('failed', diagnose('SD4015', text));
}

/** Plans a sync and logs its counts. It sends nothing. @throws the run's signal's reason */
export async function planSync(host: Host, request: PlanRequest): Promise<SyncRequest> {
  const { projectId, observed, variables, onConflict: policy, removals, ledger } = request;
  const ledgerReader = readLedger(ledger.ledger, ledger.fingerprint);
  const { marks } = ledger;
  const rules = { projectId, policy, remove: removals, ledgerReader, marks };
  const plan = planEnvironment(variables, observed, rules);
  refuseRequired(plan, host);
  refuseSecrets(plan, host);
  const named = await nameUndeclared(host, plan);
  const writes = plan.variables.filter(({ actions }) => actions.length > 0).length;
  const counts: PlannedCounts = {
    writes,
    deletions: plan.deletions.filter(({ left }) => left === undefined).length,
    unchanged: plan.variables.filter(({ actions, left }) => actions.length === 0 && !left).length,
    left: [...plan.variables, ...plan.deletions].filter(({ left }) => left !== undefined).length,
    ambiguous: plan.ambiguous.length,
    undeclared: named.undeclared,
  };
  host.report({ type: 'lines', entries: planLines(counts) });
  warnOfRequired(named, host);
  return { plan: { ...plan, named }, observed, policy, ledger };
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
