import type { Environment, Variable } from '../../contract/environment.ts';
import { byNameAndId } from '../../kernel/by-name.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { ValueMarks } from '../../ledger/model/value-marks.ts';
import { planDigest } from './changes.ts';
import { type DeletionPlan, planDeletion, type Removals } from './deletion.ts';
import type { DesiredVariable } from './desired.ts';
import { isUntouched } from './fresh.ts';
import type { LedgerReader } from './ledger-reader.ts';
import { type ConflictPolicy, planVariable, type VariablePlan } from './variable-plan.ts';

/**
 * True if nothing shows that a variable which the service requires ever got a value: it applies to no runtime,
 * or it was never changed since it was created. A value itself can never be seen.
 */
export function hasNoValue(variable: Variable): boolean {
  if (!variable.preview && !variable.production) return true;
  return isUntouched(variable);
}

/** A variable that cannot be planned for. */
export interface Ambiguity {
  name: SafeText;
  reason: SafeText;
}

/** The whole plan for a project's environment: data, without a value in what it shows. */
export interface EnvironmentPlan {
  projectId: string;
  /** Sorted by name. */
  variables: readonly VariablePlan[];
  /** Sorted by name. */
  deletions: readonly DeletionPlan[];
  /** Declared variables of which the service shows more than one. */
  ambiguous: readonly Ambiguity[];
  /** Variables of the service that the workflow does not declare: left in place. Sorted by name. */
  undeclared: readonly Variable[];
  /** Those of them that the service requires, and of which nothing shows that they have a value. */
  requiredMissing: readonly Variable[];
  /** What it would do, in one word: see {@link planDigest}. */
  digest: string;
}

/** How to plan. */
export interface PlanRules {
  projectId: string;
  policy: ConflictPolicy;
  /** The names of the variables to delete, and where each is named. */
  remove: Removals;
  ledgerReader: LedgerReader;
  /** What stands for secret values in the digest. */
  marks: ValueMarks;
}

/** Plans one declared variable of which the service has one at most. */
function planDeclared(
  desired: DesiredVariable,
  observed: Variable | undefined,
  { policy, ledgerReader }: PlanRules,
): VariablePlan {
  const valueState =
    observed === undefined
      ? { kind: 'unknown' as const }
      : ledgerReader.valueStateOf(desired, observed);
  const plan = { desired, ...planVariable(desired, observed, valueState, policy) };
  const former = observed === undefined ? ledgerReader.lastVersionOf(desired.name) : undefined;
  if (former === undefined) return plan;
  return {
    ...plan,
    reason: safe`removed elsewhere: this action wrote version ${former}, it is gone now`,
  };
}

/** Plans what is on the service and not declared. */
function planUndeclared(
  undeclared: readonly Variable[],
  { remove, policy, ledgerReader }: PlanRules,
): Pick<EnvironmentPlan, 'deletions' | 'undeclared' | 'requiredMissing'> {
  const deletions: DeletionPlan[] = [];
  const left: Variable[] = [];
  for (const variable of undeclared) {
    const place = remove.get(variable.name);
    if (place === undefined) left.push(variable);
    else deletions.push(planDeletion(variable, place, ledgerReader.writeStateOf(variable), policy));
  }
  const requiredMissing = left.filter(
    (variable) =>
      variable.required === true && hasNoValue(variable) && !ledgerReader.isWritten(variable),
  );
  return { deletions, undeclared: left, requiredMissing };
}

/** Plans every declared variable, and what is not declared, against what the service shows. Pure. */
export function planEnvironment(
  desired: readonly DesiredVariable[],
  observed: Environment,
  rules: PlanRules,
): EnvironmentPlan {
  const onService = Map.groupBy(observed.variables, ({ name }) => name);
  const declared = new Set(desired.map(({ name }) => name));
  const ambiguous: Ambiguity[] = [];
  const variables: VariablePlan[] = [];
  for (const variable of desired.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const same = onService.get(variable.name) ?? [];
    if (same.length > 1) {
      const reason = safe`the service has ${same.length} variables of this name: remove all but one`;
      ambiguous.push({ name: trusted(variable.name), reason });
    } else variables.push(planDeclared(variable, same[0], rules));
  }
  const others = observed.variables.filter(({ name }) => !declared.has(name)).toSorted(byNameAndId);
  const { projectId, marks } = rules;
  const plan = { projectId, variables, ambiguous, ...planUndeclared(others, rules) };
  return { ...plan, digest: planDigest(plan, marks) };
}
