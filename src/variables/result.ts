import type { Environment } from '../contract/environment.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import { planOutput } from '../report/outputs.ts';
import type { Targets } from './intent.ts';
import { type DeletionPlan, describeTargets, type VariablePlan } from './model/variable-plan.ts';
import type { EnvSyncOutputs, variableOutputs } from './outputs.ts';
import type { Ambiguity } from './plan.ts';

/** The result of a variable. */
export type VariableOutcome =
  | 'created'
  | 'replaced'
  | 'retargeted'
  | 'deleted'
  | 'unchanged'
  | 'kept'
  | 'conflict'
  | 'failed'
  /** Not written: the run ended first, or another variable prevented it. */
  | 'not-reached';

/** The result, or planned result, of one variable. */
export interface VariableResult {
  name: SafeText;
  outcome: VariableOutcome;
  /** The runtimes that it was written for; absent if it was not written. */
  targets?: Targets | undefined;
  retargeted: boolean;
  /** Never has a value in it. */
  reason: SafeText;
  /** In a plan: true if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true | undefined;
}

/** The state of the runtimes (section "Environment metadata response"), without revisions. */
export interface RuntimeState {
  /** True if changes are not applied to the preview runtime yet; undefined if unknown. */
  stale: boolean | undefined;
  /** True if changes are not published to the production runtime yet; undefined if unknown. */
  pending: boolean | undefined;
}

/**
 * The state of the runtimes (rule 4 of section "States and transitions"). Only the booleans count: the meaning of the other
 * counters is not documented.
 */
export const runtimeState = (environment: Environment | undefined): RuntimeState => ({
  stale: environment?.preview?.stale ?? undefined,
  pending: environment?.production?.pending ?? undefined,
});

/** The result of a sync, or of the plan of one. */
export interface EnvironmentResult {
  /** True if nothing was written: `mode: plan`, or a refused plan. */
  isPlanned: boolean;
  variables: readonly VariableResult[];
  /** Declared variables that the service has more than once. */
  ambiguous: readonly Ambiguity[];
  /** Names of variables that are on the service and not declared. */
  undeclared: readonly SafeText[];
  /** Those of them that the service requires and that have no known value. */
  requiredMissing: readonly SafeText[];
  changes: readonly PlannedChange[];
  digest: string;
  runtime: RuntimeState;
}

const intentions: Readonly<Partial<Record<VariableOutcome, string>>> = {
  created: 'to create',
  replaced: 'to replace',
  retargeted: 'to retarget',
  deleted: 'to delete',
  kept: 'to keep',
};

/** An outcome for people; in a plan, the intention. */
export function describeOutcome(outcome: VariableOutcome, isPlanned: boolean): string {
  return (isPlanned ? intentions[outcome] : undefined) ?? outcome.replace('-', ' ');
}

/** The planned result of a declared variable. */
export function plannedResult({
  desired,
  actions,
  left,
  reason,
  changedElsewhere,
}: VariablePlan): VariableResult {
  const [first] = actions;
  const words = { create: 'created', replace: 'replaced', retarget: 'retargeted' } as const;
  const outcome = left ?? (first === undefined ? 'unchanged' : words[first]);
  const retargeted = actions.includes('retarget');
  return { name: unsafeText(desired.name), outcome, retargeted, reason, changedElsewhere };
}

/** The runtime that a variable was written for, to follow its outcome; empty if it is for both, or none is known. */
export const describeWhere = (targets: Targets | undefined): SafeText =>
  targets === undefined || (targets.preview && targets.production)
    ? safe``
    : safe` for ${describeTargets(targets)}`;

/**
 * The planned result of a variable to delete.
 *
 * @param clean makes the service's name printable
 */
export function plannedDeletion(
  { observed, left, reason, changedElsewhere }: DeletionPlan,
  clean: Sanitize,
): VariableResult {
  const outcome = left ?? 'deleted';
  return { name: clean(observed.name), outcome, retargeted: false, reason, changedElsewhere };
}

/** Counts the results, as the output `env-summary` has them. A variable that was replaced and retargeted counts as both. */
export function countVariables(result: EnvironmentResult | undefined) {
  const variables = result?.variables ?? [];
  const count = (outcome: VariableOutcome) =>
    variables.filter((variable) => variable.outcome === outcome).length;
  return {
    created: count('created'),
    replaced: count('replaced'),
    retargeted: variables.filter(({ retargeted }) => retargeted).length,
    deleted: count('deleted'),
    unchanged: count('unchanged'),
    kept: count('kept'),
    conflicts: count('conflict') + (result?.ambiguous.length ?? 0),
    failed: count('failed'),
    'not-reached': count('not-reached'),
    undeclared: result?.undeclared.length ?? 0,
  };
}

/** True if no variable is declared and none is on the service. */
export function isBlank({ variables, ambiguous, undeclared }: EnvironmentResult): boolean {
  return variables.length === 0 && ambiguous.length === 0 && undeclared.length === 0;
}

/** The counts that are not zero: `2 created, 1 replaced`. */
export function describeCounts(result: EnvironmentResult | undefined): string {
  const counts = Object.entries(countVariables(result));
  const isPlanned = result?.isPlanned === true;
  const word = (name: string, count: number) => {
    if (name === 'conflicts' && count === 1) return 'conflict';
    if (name === 'undeclared') return 'only on the service';
    return describeOutcome(name as VariableOutcome, isPlanned);
  };
  const listed = counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${word(name, count)}`);
  return listed.length === 0 ? 'nothing declared' : listed.join(', ');
}

const notDone: ReadonlySet<VariableOutcome> = new Set([
  'conflict',
  'kept',
  'failed',
  'not-reached',
]);

/** True if the service differs from the declared state: a plan has changes, or something was not written. */
export function hasDrift({ isPlanned, changes, variables, ambiguous }: EnvironmentResult): boolean {
  const isLeft = variables.some(({ outcome }) => notDone.has(outcome));
  return (isPlanned && changes.length > 0) || ambiguous.length > 0 || isLeft;
}

/** The variables that were probably changed elsewhere. */
export const listElsewhere = ({ variables }: EnvironmentResult): SafeText[] =>
  variables
    .filter(
      ({ outcome, changedElsewhere }) =>
        changedElsewhere === true || outcome === 'kept' || outcome === 'conflict',
    )
    .map(({ name }) => name);

const written: readonly VariableOutcome[] = ['created', 'replaced', 'retargeted', 'deleted'];

/** The variables that were written or deleted. */
export const listChanged = ({ variables }: EnvironmentResult): SafeText[] =>
  variables.filter(({ outcome }) => written.includes(outcome)).map(({ name }) => name);

/** How many variables were written or deleted. */
export const countChanged = (environment: EnvironmentResult): number =>
  listChanged(environment).length;

/**
 * The outputs of a sync.
 *
 * @param others the planned changes of other resources
 */
export function environmentOutputs(
  environment: EnvironmentResult | undefined,
  others: readonly PlannedChange[] = [],
): Pick<EnvSyncOutputs, 'plan' | keyof typeof variableOutputs> {
  if (environment === undefined) {
    return { plan: undefined, 'env-summary': undefined, drift: undefined };
  }
  const { digest, changes } = environment;
  return {
    plan: planOutput(digest, [...changes, ...others]),
    'env-summary': countVariables(environment),
    drift: hasDrift(environment) || others.length > 0,
  };
}
