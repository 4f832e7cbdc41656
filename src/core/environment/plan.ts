import { createHash } from 'node:crypto';
import type { Environment, Variable } from '../../contract/environment.ts';
import type { DesiredVariable, Targets } from './desired.ts';

/** One write that a plan asks for. */
export type Action = 'create' | 'replace' | 'retarget';

/** What is to be done about one declared variable. */
export interface VariablePlan {
  desired: DesiredVariable;
  /** The variable as the service showed it; absent if it is to be created. */
  observed?: Variable;
  /** The writes, in order. Empty: nothing is to be done. */
  actions: readonly Action[];
  /** Why, for a person. */
  reason: string;
}

/** A variable that cannot be planned for. */
export interface Ambiguity {
  name: string;
  reason: string;
}

/** The whole plan for a project's environment. */
export interface EnvironmentPlan {
  /** Sorted by name. */
  variables: readonly VariablePlan[];
  /** Declared variables of which the service shows more than one. */
  ambiguous: readonly Ambiguity[];
  /** Variables of the service that the workflow does not declare: left in place. */
  undeclared: readonly Variable[];
}

const sameTargets = (a: Targets, b: Targets): boolean =>
  a.preview === b.preview && a.production === b.production;

/** The names of the runtimes that a variable applies to. */
export function describeTargets({ preview, production }: Targets): string {
  if (preview && production) return 'preview and production';
  if (preview) return 'preview';
  return production ? 'production' : 'no runtime';
}

/**
 * Plans one variable. Its value can never be read (section "Environment variable"), so a variable that the
 * service has is written again, and said to be of unknown value rather than changed.
 *
 * @param written true if this run has written the value already, so that only the targets are left to do
 */
export function planVariable(
  desired: DesiredVariable,
  observed: Variable | undefined,
  written = false,
): VariablePlan {
  if (observed === undefined) {
    return { desired, actions: ['create'], reason: 'not on the service yet' };
  }
  const retarget = !sameTargets(desired, observed);
  const retargeted = `applies to ${describeTargets(observed)}, wanted: ${describeTargets(desired)}`;
  if (written) {
    return { desired, observed, actions: retarget ? ['retarget'] : [], reason: retargeted };
  }
  const { kind } = observed;
  const otherKind = kind !== undefined && kind !== null && kind !== desired.kind;
  const reason = otherKind
    ? `is of another kind, wanted: ${desired.kind}`
    : 'its value is unknown, so it is written again';
  if (!retarget) return { desired, observed, actions: ['replace'], reason };
  return {
    desired,
    observed,
    actions: ['replace', 'retarget'],
    reason: `${reason}; ${retargeted}`,
  };
}

/** Plans every declared variable against what the service shows. Pure, and sorted by name. */
export function planEnvironment(
  desired: readonly DesiredVariable[],
  observed: Environment,
): EnvironmentPlan {
  const byName = Map.groupBy(observed.variables, ({ name }) => name);
  const declared = new Set(desired.map(({ name }) => name));
  const ambiguous: Ambiguity[] = [];
  const variables: VariablePlan[] = [];
  for (const variable of desired.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const same = byName.get(variable.name) ?? [];
    if (same.length > 1) {
      const reason = `the service has ${same.length} variables of this name: remove all but one`;
      ambiguous.push({ name: variable.name, reason });
    } else variables.push(planVariable(variable, same[0]));
  }
  const undeclared = observed.variables.filter(({ name }) => !declared.has(name));
  return { variables, ambiguous, undeclared };
}

/** One change, as the output `plan` shows it. */
export interface PlannedChange {
  type: 'environment';
  resource: 'variable';
  name: string;
  action: Action;
  reason: string;
}

/** The changes of a plan, in the order of names and writes. */
export function plannedChanges(plan: EnvironmentPlan): PlannedChange[] {
  return plan.variables.flatMap(({ desired, actions, reason }) =>
    actions.map((action) => ({
      type: 'environment' as const,
      resource: 'variable' as const,
      name: desired.name,
      action,
      reason,
    })),
  );
}

/**
 * A digest of what a plan would do: names, targets, kinds, actions and expected versions, never values.
 *
 * @returns 64 hex digits
 */
export function planDigest(plan: EnvironmentPlan): string {
  const facts = plan.variables
    .filter(({ actions }) => actions.length > 0)
    .map(({ desired: { name, kind, preview, production }, observed, actions }) => [
      name,
      kind,
      preview,
      production,
      actions,
      observed?.id ?? null,
      observed?.version ?? null,
    ]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
