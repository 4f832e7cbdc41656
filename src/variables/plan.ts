import type { Environment, Variable } from '../contract/environment.ts';
import { byNameAndId } from '../kernel/by-name.ts';
import { digestOf, type PlannedChange } from '../kernel/change.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { ValueMarks } from '../ledger/model/value-marks.ts';
import type { ConflictPolicy, DesiredVariable, Removals } from './intent.ts';
import { isOpenValue } from './model/desired.ts';
import type { LedgerReader } from './model/ledger-reader.ts';
import {
  type DeletionPlan,
  planDeletion,
  planVariable,
  type VariablePlan,
} from './model/variable-plan.ts';

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
      ambiguous.push({ name: unsafeText(variable.name), reason });
    } else variables.push(planDeclared(variable, same[0], rules));
  }
  const others = observed.variables.filter(({ name }) => !declared.has(name)).toSorted(byNameAndId);
  const { projectId, marks } = rules;
  const plan = { projectId, variables, ambiguous, ...planUndeclared(others, rules) };
  return { ...plan, digest: planDigest(plan, marks) };
}

/**
 * The changes of a plan, in the order of names and writes; deletions come last.
 *
 * @param clean makes a name, which may be the service's, printable and free of secrets
 */
export function plannedChanges(
  { variables, deletions }: EnvironmentPlan,
  clean: Sanitize,
): PlannedChange[] {
  const change = (
    name: string,
    action: string,
    { reason, changedElsewhere }: { reason: SafeText; changedElsewhere?: true },
  ): PlannedChange => ({
    type: 'environment',
    resource: 'variable',
    name: clean(name),
    action,
    reason,
    ...(changedElsewhere && { changedElsewhere }),
  });
  const writes = variables.flatMap((plan) =>
    plan.actions.map((action) => change(plan.desired.name, action, plan)),
  );
  const deletes = deletions
    .filter(({ left }) => left === undefined)
    .map((plan) => change(plan.observed.name, 'delete', plan));
  return [...writes, ...deletes];
}

/** What a plan would do to a declared variable, its value as it is or by its mark. */
function writeFacts({ desired, observed, actions, left }: VariablePlan, marks: ValueMarks) {
  const { name, value, kind, preview, production, from } = desired;
  return [
    name,
    kind,
    preview,
    production,
    left ?? actions,
    observed?.id ?? null,
    observed?.version ?? null,
    from ?? null,
    isOpenValue(desired) ? ['value', value] : ['mark', marks.of(name, value)],
  ];
}

/**
 * A digest of what a plan would do: project, names, targets, kinds, actions, expected versions, sources and values.
 * A secret value has its mark in it, from which it cannot be guessed, and which needs the same key to be made again.
 */
export function planDigest(
  { projectId, variables, deletions }: Omit<EnvironmentPlan, 'digest'>,
  marks: ValueMarks,
): string {
  const written = variables.filter(
    ({ actions, left }) => actions.length > 0 || left === 'conflict',
  );
  const writes = written.map((one) => writeFacts(one, marks));
  const isKeyed = written.some(({ desired }) => !isOpenValue(desired));
  const deletes = deletions
    .filter(({ left }) => left !== 'kept')
    .map(({ observed: { name, id, version }, left }) => [name, left ?? 'delete', id, version]);
  const facts = ['environment', projectId, writes, deletes];
  return digestOf(facts, isKeyed ? marks.keyId : undefined);
}

/** True if nobody has written a variable since it was created, as far as its times show. */
export const isUntouched = ({ createdAt, updatedAt }: Variable): boolean =>
  typeof createdAt === 'string' && createdAt === updatedAt;

/**
 * True if a variable that this run created seems to have been written more than once: it was touched, and in this
 * service new ones are not, and have another version. Its own times prove nothing: they may differ from the start.
 *
 * @param known all variables of the environment that were seen
 */
export function seemsWrittenOver(created: Variable, known: readonly Variable[]): boolean {
  const untouched = known.filter(isUntouched);
  if (isUntouched(created) || untouched.length === 0) return false;
  return untouched.every(({ version }) => version !== created.version);
}

/** An error answer, as far as it decides whether a version was refused. */
export interface WriteRefusal {
  status?: number;
  code?: string;
  detail?: string;
}

const speaksOfVersion =
  /version|conflict|stale|mismatch|precondition|outdated|out.of.date|concurren|modified/i;
const speaksOfName = /exist|duplicate|taken|unique|in use|conflict/i;

/**
 * True if a write was refused because the variable is no longer as it was read (section "Environment
 * variables": the behaviour when `expectedVersion` does not match is not shown), or is not there any more.
 *
 * @param creating the write would have created it: then the refusal may speak of the name
 */
export function isConflict({ status, code, detail }: WriteRefusal, creating: boolean): boolean {
  if (status === 409 || status === 412) return true;
  if (status === 404) return !creating;
  const words = `${code ?? ''} ${detail ?? ''}`;
  const pattern = creating ? speaksOfName : speaksOfVersion;
  return (status === 400 || status === 422) && pattern.test(words);
}
