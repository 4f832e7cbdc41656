import type { PlannedChange } from '../kernel/change.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { Targets } from './intent.ts';
import { describeTargets } from './model/describe-targets.ts';
import type { DeletionPlan, VariablePlan } from './model/variable-plan.ts';
import type { Ambiguity } from './plan.ts';

/** What became of a variable. */
export type VariableOutcome =
  | 'created'
  | 'replaced'
  | 'retargeted'
  | 'deleted'
  | 'unchanged'
  | 'kept'
  | 'conflict'
  | 'failed'
  /** The run ended before it was this variable's turn. */
  | 'not-reached';

/** One variable after a run, or, of a plan, as it would be. */
export interface VariableResult {
  name: SafeText;
  outcome: VariableOutcome;
  /** The runtimes that it was written for; absent where it was not written. */
  targets?: Targets;
  /** True if its targets were changed too, beside its value. */
  retargeted: boolean;
  /** Why, in words without a value. */
  reason: SafeText;
  /** Of a plan: true if somebody else changed it since this action wrote it, for all that is known. */
  changedElsewhere?: true;
}

/** What the service says of its runtimes (section "Environment metadata response"); its revisions mean nothing to a reader. */
export interface RuntimeState {
  /** True if what was written is not applied to the preview runtime yet; undefined if that is not said. */
  stale: boolean | undefined;
  /** True if what was written is not published to the production runtime yet; undefined if that is not said. */
  pending: boolean | undefined;
}

/** What a sync did to a project's environment, or what it would do. */
export interface EnvironmentResult {
  /** True if nothing was written: `mode: plan`, or a plan that was refused. */
  isPlanned: boolean;
  variables: readonly VariableResult[];
  /** Declared variables that the service has more than once. */
  ambiguous: readonly Ambiguity[];
  /** Names of variables that are on the service and not declared. */
  undeclared: readonly SafeText[];
  /** Those of them that the service requires, and of which nothing shows that they have a value. */
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

/** An outcome in words: of a plan, what is intended. */
export function describeOutcome(outcome: VariableOutcome, isPlanned: boolean): string {
  return (isPlanned ? intentions[outcome] : undefined) ?? outcome.replace('-', ' ');
}

/** What a plan would make of a declared variable. */
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
  const elsewhere = changedElsewhere && { changedElsewhere };
  return { name: unsafeText(desired.name), outcome, retargeted, reason, ...elsewhere };
}

/** For which runtimes a variable was written, behind what was done to it; empty if it was not. */
export const describeWhere = (targets: Targets | undefined): SafeText =>
  targets === undefined ? safe`` : safe` for ${describeTargets(targets)}`;

/**
 * What a plan would make of a variable that is no longer declared.
 *
 * @param clean makes its name, which is the service's, printable
 */
export function plannedDeletion(
  { observed, left, reason, changedElsewhere }: DeletionPlan,
  clean: Sanitize,
): VariableResult {
  const elsewhere = changedElsewhere && { changedElsewhere };
  const outcome = left ?? 'deleted';
  return { name: clean(observed.name), outcome, retargeted: false, reason, ...elsewhere };
}

/** The counts of the output `env-summary`. */
export interface EnvironmentCounts {
  created: number;
  replaced: number;
  retargeted: number;
  deleted: number;
  unchanged: number;
  kept: number;
  conflicts: number;
  failed: number;
  'not-reached': number;
  undeclared: number;
}

/** Counts what became of the variables. A variable that was replaced and retargeted counts as both. */
export function countVariables(result: EnvironmentResult | undefined): EnvironmentCounts {
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

/** True if there is nothing to tell: nothing declared, and nothing else on the service. */
export function isBlank({ variables, ambiguous, undeclared }: EnvironmentResult): boolean {
  return variables.length === 0 && ambiguous.length === 0 && undeclared.length === 0;
}

/** The counts that are not zero, in words: `2 created, 1 replaced`. */
export function describeCounts(result: EnvironmentResult | undefined): string {
  const counts = Object.entries(countVariables(result));
  const word = (name: string, count: number) =>
    name === 'conflicts' && count === 1 ? 'conflict' : name.replace('-', ' ');
  const told = counts
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${word(name, count)}`);
  const counted = told.length === 0 ? 'nothing declared' : told.join(', ');
  return result?.isPlanned === true ? `planned: ${counted}` : counted;
}

const undone: ReadonlySet<VariableOutcome> = new Set(['conflict', 'kept', 'failed', 'not-reached']);

/** True if the service is not as declared: a plan has something to write, or something was left as it was. */
export function hasDrift({ isPlanned, changes, variables, ambiguous }: EnvironmentResult): boolean {
  const isLeft = variables.some(({ outcome }) => undone.has(outcome));
  return (isPlanned && changes.length > 0) || ambiguous.length > 0 || isLeft;
}

/** How many variables somebody else changed, for all that is known: of a plan, or left as they are. */
export function countElsewhere({ variables }: EnvironmentResult): number {
  return variables.filter(
    ({ outcome, changedElsewhere }) =>
      changedElsewhere === true || outcome === 'kept' || outcome === 'conflict',
  ).length;
}

const written: readonly VariableOutcome[] = ['created', 'replaced', 'retargeted', 'deleted'];

/** The variables that were written or deleted. */
export const listChanged = ({ variables }: EnvironmentResult): SafeText[] =>
  variables.filter(({ outcome }) => written.includes(outcome)).map(({ name }) => name);

/** How many variables were written or deleted. */
export const countChanged = (environment: EnvironmentResult): number =>
  listChanged(environment).length;
