import type { Variable } from '../../contract/environment.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import type { ValueState } from './ledger-reader.ts';
import { type ConflictPolicy, describeMove } from './variable-plan.ts';

/** Where a variable is named as one to delete. */
export type RemovalPlace = 'env-remove' | 'config';

/** The names of the variables to delete. */
export type Removals = ReadonlyMap<string, RemovalPlace>;

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
