import type { Environment, Variable } from '../contract/environment.ts';
import { digestOf, type PlannedChange } from '../kernel/change.ts';
import { byNameAndId } from '../kernel/names.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ValueMarks } from '../ledger/model/ledger.ts';
import type { ConflictPolicy, DesiredVariable, Removals } from './intent.ts';
import { isOpenValue } from './model/desired.ts';
import {
  type DeletionPlan,
  type LedgerReader,
  planDeletion,
  planVariable,
  type VariablePlan,
} from './model/variable-plan.ts';

/**
 * True if a required variable has no known value: it applies to no runtime, or was not changed since it was created.
 * The value itself can't be read.
 */
export const hasNoValue = (variable: Variable): boolean =>
  (!variable.preview && !variable.production) || isUntouched(variable);

/** A declared name that the service has more than once. */
export interface Ambiguity {
  name: SafeText;
  reason: SafeText;
}

/** The whole plan for a project's environment. */
export interface EnvironmentPlan {
  projectId: string;
  /** Sorted by name. */
  variables: readonly VariablePlan[];
  /** Sorted by name. */
  deletions: readonly DeletionPlan[];
  ambiguous: readonly Ambiguity[];
  /** Variables on the service that the workflow does not declare; they are kept. Sorted by name. */
  undeclared: readonly Variable[];
  /** Those of them that the service requires and that have no known value. */
  requiredMissing: readonly Variable[];
  /** See {@link planDigest}. */
  digest: string;
}

/** What decides how a plan treats each variable. */
export interface PlanRules {
  projectId: string;
  policy: ConflictPolicy;
  remove: Removals;
  ledgerReader: LedgerReader;
  /** Replace secret values in the digest. */
  marks: ValueMarks;
}

/** Plans one declared variable that the service has at most once. */
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
  return former === undefined
    ? plan
    : { ...plan, reason: safe`deleted outside this action, which wrote version ${former}` };
}

/** Plans the variables on the service that are not declared. */
function planUndeclared(
  undeclared: readonly Variable[],
  { remove, policy, ledgerReader }: PlanRules,
): Pick<EnvironmentPlan, 'deletions' | 'undeclared' | 'requiredMissing'> {
  const deletions: DeletionPlan[] = [];
  const left: Variable[] = [];
  for (const variable of undeclared) {
    const source = remove.get(variable.name);
    if (source === undefined) left.push(variable);
    else
      deletions.push(planDeletion(variable, source, ledgerReader.writeStateOf(variable), policy));
  }
  const requiredMissing = left.filter(
    (variable) =>
      variable.required === true && hasNoValue(variable) && !ledgerReader.isWritten(variable),
  );
  return { deletions, undeclared: left, requiredMissing };
}

/** Plans all variables, declared or not, from the environment as read. Pure. */
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
      const reason = safe`the service has ${same.length} variables with this name: delete all but one`;
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
    { reason, changedElsewhere }: { reason: SafeText; changedElsewhere?: true | undefined },
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

/** What a plan would do to a declared variable, with its value or its mark. */
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
 * A secret value is replaced by its mark: an HMAC, which only the same key can compute.
 */
function planDigest(
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

/** True if a variable's times show no write since it was created. */
export const isUntouched = ({ createdAt, updatedAt }: Variable): boolean =>
  typeof createdAt === 'string' && createdAt === updatedAt;

/** The parts of an error response that show whether a version was rejected. */
export interface WriteRefusal {
  status?: number | undefined;
  code?: string | undefined;
  detail?: string | undefined;
}

const versionPattern =
  /version|conflict|stale|mismatch|precondition|outdated|out.of.date|concurren|modified/i;
const namePattern = /exist|duplicate|taken|unique|in use|conflict/i;

/**
 * True if a write was rejected because the variable changed since it was read, or no longer exists. (The section
 * "Environment variables" doesn't show the behavior if `expectedVersion` doesn't match.)
 *
 * @param creating the write would have created it: then the error may be about the name
 */
export function isConflict({ status, code, detail }: WriteRefusal, creating: boolean): boolean {
  if (status === 409 || status === 412) return true;
  if (status === 404) return !creating;
  const words = `${code ?? ''} ${detail ?? ''}`;
  const pattern = creating ? namePattern : versionPattern;
  return (status === 400 || status === 422) && pattern.test(words);
}

/** True if a write may have been rejected so, in whatever words, or in none: a read shows it. */
export const mayBeConflict = (refusal: WriteRefusal, creating: boolean): boolean =>
  isConflict(refusal, creating) || refusal.status === 400 || refusal.status === 422;
