import type { Variable } from '../../contract/environment.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { ConflictPolicy, DesiredVariable, RemovalPlace, Targets } from '../intent.ts';
import { describeTargets } from './describe-targets.ts';
import type { ValueState } from './ledger-reader.ts';

/** One write of a plan. */
export type VariableAction = 'create' | 'replace' | 'retarget';

/** The plan for one declared variable. */
export interface VariablePlan {
  desired: DesiredVariable;
  /** The variable as read; absent if it is to be created. */
  observed?: Variable;
  /** The writes, in order; empty if there are none. */
  actions: readonly VariableAction[];
  reason: SafeText;
  /** Set if the variable was changed elsewhere and the policy doesn't overwrite it. */
  left?: 'kept' | 'conflict';
  /** True if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true;
}

type Declared = Pick<DesiredVariable, 'kind' | keyof Targets>;

const sameTargets = (a: Targets, b: Targets): boolean =>
  a.preview === b.preview && a.production === b.production;

/** Why a value must be written; undefined if it is up to date. */
function whyReplace(
  desired: Declared,
  observed: Variable,
  valueState: ValueState,
): SafeText | undefined {
  const { kind } = observed;
  const isOtherKind = kind !== undefined && kind !== null && kind !== desired.kind;
  if (valueState.kind === 'written') return undefined;
  if (isOtherKind) return safe`the kind changes to ${unsafeText(desired.kind)}`;
  if (valueState.kind !== 'ours') return safe`no record of its value, so it is written again`;
  return valueState.sameValue ? undefined : safe`the value changed since the last run`;
}

/** How a variable was changed elsewhere since this action wrote it; undefined if it was not. */
export function describeMove({ version }: Variable, valueState: ValueState): SafeText | undefined {
  if (valueState.kind === 'another') {
    return safe`changed elsewhere (deleted at version ${valueState.version}, created again at version ${version})`;
  }
  if (valueState.kind === 'foreign')
    return safe`created elsewhere, or by a request of this action that was applied twice`;
  if (valueState.kind !== 'ours') return undefined;
  const doubt =
    valueState.isUnanswered === true
      ? safe` or by a write of this action without a response`
      : safe``;
  if (valueState.isTouched === true) {
    return safe`changed elsewhere${doubt} (updated after this action's last write, still at version ${version})`;
  }
  if (valueState.version === version) return undefined;
  return safe`changed elsewhere${doubt} (now at version ${version}, this action wrote version ${valueState.version})`;
}

const leftAs = { keep: 'kept', fail: 'conflict' } as const;

/**
 * Plans one variable. The service never returns values (section "Environment variable"), so a variable without a
 * ledger entry is always written.
 */
export function planVariable(
  desired: Declared,
  observed: Variable | undefined,
  valueState: ValueState,
  policy: ConflictPolicy,
): Omit<VariablePlan, 'desired'> {
  if (observed === undefined) {
    return { actions: ['create'], reason: safe`not on the service yet` };
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
    reason: joinSafe(reasons, '; ') || safe`unchanged (version ${observed.version})`,
    ...elsewhere,
  };
}

/** The plan for one variable to delete. */
export interface DeletionPlan {
  observed: Variable;
  reason: SafeText;
  /** Set if it was changed elsewhere and the policy doesn't delete it. */
  left?: 'kept' | 'conflict';
  /** True if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true;
}

const named: Readonly<Record<RemovalPlace, SafeText>> = {
  'env-remove': safe`named in env-remove`,
  config: safe`remove: true in the site file`,
};

/** Plans the deletion of a variable. One that this action never wrote doesn't count as changed elsewhere. */
export function planDeletion(
  observed: Variable,
  place: RemovalPlace,
  written: ValueState,
  policy: ConflictPolicy,
): DeletionPlan {
  const moved = describeMove(observed, written);
  if (moved === undefined) return { observed, reason: named[place] };
  const reason = safe`${moved}; ${named[place]}`;
  const plan = { observed, reason, changedElsewhere: true as const };
  return policy === 'overwrite' ? plan : { ...plan, left: policy === 'keep' ? 'kept' : 'conflict' };
}
