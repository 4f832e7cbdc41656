import type { Environment } from '../../contract/environment.ts';
import { plannedChanges } from '../../core/environment/changes.ts';
import type { DesiredVariable } from '../../core/environment/desired.ts';
import { recollect } from '../../core/environment/memory.ts';
import { type EnvironmentPlan, planEnvironment } from '../../core/environment/plan.ts';
import type { ConflictPolicy } from '../../core/environment/variable-plan.ts';
import {
  type EnvironmentResult,
  plannedDeletion,
  plannedResult,
  type RuntimeState,
  type VariableResult,
} from '../../core/report/environment.ts';
import type { Host } from '../host.ts';
import type { OpenLedger } from './ledger-keeper.ts';

/** What to plan for, and from what. */
export interface PlanRequest {
  projectId: string;
  /** What the service showed of the environment. */
  observed: Environment;
  variables: readonly DesiredVariable[];
  policy: ConflictPolicy;
  /** Delete what we created and what is no longer declared. */
  prune: boolean;
  ledger: OpenLedger;
}

/** The service's variables that are required, not declared, and without a sign of a value. Names are clean. */
export function requiredMissing(
  { requiredMissing: missing }: EnvironmentPlan,
  host: Host,
): string[] {
  return missing.map(({ name }) => host.clean(name));
}

function warnOfRequired(plan: EnvironmentPlan, host: Host): void {
  const required = plan.undeclared.filter(({ required }) => required === true);
  if (required.length === 0) return;
  const names = required.map(({ name }) => host.clean(name)).join(', ');
  const missing = requiredMissing(plan, host);
  const doubt =
    missing.length === 0
      ? 'Whether the service holds one cannot be read.'
      : `Nothing shows that ${missing.join(', ')} ever got one: add it to env-from, or set it on the service.`;
  const text = `The service marks ${names} as required, and this workflow gives no value. ${doubt}`;
  host.report({ type: 'warning', text });
}

/** What the service says of its runtimes (section "Environment metadata response"). */
export function runtimeState({ preview, production }: Environment): RuntimeState {
  return {
    stale: preview?.stale ?? undefined,
    pending: production?.pending ?? undefined,
    preview: { revision: preview?.revision, applied: preview?.appliedRevision },
    production: { revision: production?.revision, applied: production?.publishedRevision },
  };
}

/** The parts of a result that follow from the plan alone. */
export function resultOfPlan(
  plan: EnvironmentPlan,
  host: Host,
): Pick<EnvironmentResult, 'ambiguous' | 'undeclared' | 'requiredMissing' | 'changes' | 'digest'> {
  return {
    ambiguous: plan.ambiguous,
    undeclared: plan.undeclared.map(({ name }) => host.clean(name)),
    requiredMissing: requiredMissing(plan, host),
    changes: plannedChanges(plan).map((change) => ({ ...change, name: host.clean(change.name) })),
    digest: plan.digest,
  };
}

/** Plans a sync, and tells how much there is to do. It sends nothing. */
export function planSync(host: Host, request: PlanRequest): EnvironmentPlan {
  const { projectId, observed, variables, policy, prune, ledger } = request;
  const recollection = recollect(ledger.ledger, ledger.fingerprint, ledger.scope);
  const { marks } = ledger;
  const rules = { projectId, policy, prune, recollection, marks };
  const plan = planEnvironment(variables, observed, rules);
  const writes = plan.variables.filter(({ actions }) => actions.length > 0).length;
  host.report({
    type: 'environment-planned',
    writes,
    deletions: plan.deletions.filter(({ left }) => left === undefined).length,
    unchanged: plan.variables.filter(({ actions, left }) => actions.length === 0 && !left).length,
    left: [...plan.variables, ...plan.deletions].filter(({ left }) => left !== undefined).length,
    ambiguous: plan.ambiguous.length,
    undeclared: plan.undeclared.map(({ name }) => host.clean(name)),
  });
  warnOfRequired(plan, host);
  return plan;
}

/** A variable that is left as it is because others are in doubt. */
export const waiting = ({ name, outcome, ...rest }: VariableResult): VariableResult =>
  outcome === 'unchanged'
    ? { name, outcome, ...rest }
    : {
        name,
        outcome: 'not-reached',
        retargeted: false,
        reason: 'nothing is written while the service has a declared name twice',
      };

/** Tells which declared names the service has more than once. */
export function tellAmbiguous(
  host: Host,
  { ambiguous }: EnvironmentPlan,
  isPlanned: boolean,
): void {
  for (const { name, reason } of ambiguous) {
    const result: VariableResult = { name, outcome: 'conflict', retargeted: false, reason };
    host.report({ type: 'variable', result, isPlanned });
  }
}

/** Tells what a plan would do, without doing it. */
export function showPlan(
  host: Host,
  plan: EnvironmentPlan,
  observed: Environment,
): EnvironmentResult {
  const deletions = plan.deletions.map((one) => plannedDeletion(one, host.clean));
  const planned = [...plan.variables.map(plannedResult), ...deletions];
  const variables = plan.ambiguous.length === 0 ? planned : planned.map(waiting);
  tellAmbiguous(host, plan, true);
  for (const result of variables) host.report({ type: 'variable', result, isPlanned: true });
  host.report({ type: 'environment-done', milliseconds: 0 });
  return {
    isPlanned: true,
    variables,
    runtime: runtimeState(observed),
    ...resultOfPlan(plan, host),
  };
}
