import type { Variable } from '../../contract/environment.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { ConflictPolicy, DesiredVariable, RemovalPlace, Targets } from '../intent.ts';
import { describeTargets } from './describe-targets.ts';
import type { ValueState } from './ledger-reader.ts';

/** One write that a plan asks for. */
export type VariableAction = 'create' | 'replace' | 'retarget';

/** What is to be done about one declared variable. */
export interface VariablePlan {
  desired: DesiredVariable;
  /** The variable as the service showed it; absent if it is to be created. */
  observed?: Variable;
  /** The writes, in order. Empty: nothing is to be done. */
  actions: readonly VariableAction[];
  /** Why, for a person. */
  reason: SafeText;
  /** Set if the policy leaves the variable alone, because it was changed elsewhere. */
  left?: 'kept' | 'conflict';
  /** True if somebody else changed it since this action wrote it, for all that is known. */
  changedElsewhere?: true;
}

/** What of a declared variable decides what is done about it: not its value. */
type Declared = Pick<DesiredVariable, 'kind' | keyof Targets>;

const sameTargets = (a: Targets, b: Targets): boolean =>
  a.preview === b.preview && a.production === b.production;

/** Why a value must be written; undefined if it need not be. */
function whyReplace(
  desired: Declared,
  observed: Variable,
  valueState: ValueState,
): SafeText | undefined {
  const { kind } = observed;
  const isOtherKind = kind !== undefined && kind !== null && kind !== desired.kind;
  if (valueState.kind === 'written') return undefined;
  if (isOtherKind) return safe`is of another kind, wanted: ${unsafeText(desired.kind)}`;
  if (valueState.kind !== 'ours') return safe`its value is unknown, so it is written again`;
  return valueState.sameValue ? undefined : safe`the declared value is not the one written last`;
}

/** In which way the service's variable is not the one that we left; undefined if it is, or if we left none. */
export function describeMove({ version }: Variable, valueState: ValueState): SafeText | undefined {
  if (valueState.kind === 'another') {
    return safe`changed elsewhere: the one written by this action (version ${valueState.version}) is gone, and another (version ${version}) is in its place`;
  }
  if (valueState.kind === 'foreign')
    return safe`created elsewhere, or by a request of ours that was carried out twice`;
  if (valueState.kind !== 'ours') return undefined;
  const doubt =
    valueState.isUnanswered === true
      ? safe`, or by this action: its last write was in doubt`
      : safe``;
  if (valueState.isTouched === true) {
    return safe`changed elsewhere${doubt}: its time is not that of this action's last write, and its version (${version}) does not move`;
  }
  if (valueState.version === version) return undefined;
  return safe`changed elsewhere${doubt}: this action wrote version ${valueState.version}, it has version ${version} now`;
}

const leftAs = { keep: 'kept', fail: 'conflict' } as const;

/**
 * Plans one variable (see "Environment" of the design). A value can never be read (section "Environment
 * variable"), so without memory of it a variable is written again, and said to be of unknown value rather
 * than changed.
 */
export function planVariable(
  desired: Declared,
  observed: Variable | undefined,
  valueState: ValueState,
  policy: ConflictPolicy,
): Omit<VariablePlan, 'desired'> {
  if (observed === undefined) {
    return { actions: ['create'], reason: safe`the service had none of this name` };
  }
  const moved = describeMove(observed, valueState);
  const elsewhere = moved !== undefined && { changedElsewhere: true as const };
  if (moved !== undefined && policy !== 'overwrite') {
    return { observed, actions: [], reason: moved, left: leftAs[policy], ...elsewhere };
  }
  const replace = moved ?? whyReplace(desired, observed, valueState);
  const retarget = sameTargets(desired, observed)
    ? undefined
    : safe`targets: ${describeTargets(observed)} → ${describeTargets(desired)}`;
  const reasons = [replace, retarget].filter((reason) => reason !== undefined);
  return {
    observed,
    actions: [
      ...(replace === undefined ? [] : ['replace' as const]),
      ...(retarget === undefined ? [] : ['retarget' as const]),
    ],
    reason: joinSafe(reasons, '; ') || safe`as this action left it (version ${observed.version})`,
    ...elsewhere,
  };
}

/** What is to be done about a variable that is to be deleted. */
export interface DeletionPlan {
  observed: Variable;
  /** Why, for a person. */
  reason: SafeText;
  /** Set if the policy leaves it alone, because it was changed elsewhere. */
  left?: 'kept' | 'conflict';
  /** True if somebody else changed it since this action wrote it, for all that is known. */
  changedElsewhere?: true;
}

const named: Readonly<Record<RemovalPlace, SafeText>> = {
  'env-remove': safe`named in env-remove`,
  config: safe`remove: true in the site file`,
};

/** Plans to delete a variable that was named for it. One that this action never wrote has not changed since. */
export function planDeletion(
  observed: Variable,
  place: RemovalPlace,
  written: ValueState,
  policy: ConflictPolicy,
): DeletionPlan {
  const moved = describeMove(observed, written);
  if (moved === undefined) return { observed, reason: named[place] };
  const reason = safe`${named[place]}, and ${moved}`;
  const plan = { observed, reason, changedElsewhere: true as const };
  return policy === 'overwrite' ? plan : { ...plan, left: policy === 'keep' ? 'kept' : 'conflict' };
}
