import type { Variable } from '../../contract/environment.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';
import { type SafeText, safe } from '../text/safe.ts';
import type { ConflictPolicy } from './variable-plan.ts';

/** What is to be done about a variable that we created and that is no longer declared. */
export interface DeletionPlan {
  observed: Variable;
  /** Why, for a person. */
  reason: SafeText;
  /** Set if the policy leaves it alone, because it was changed elsewhere. */
  left?: 'kept' | 'conflict';
  /** True if somebody else changed it since this action wrote it, for all that is known. */
  changedElsewhere?: true;
}

/** Plans to delete a variable that only this action has made: see `env-prune`. */
export function planDeletion(
  observed: Variable,
  { version, doubt }: LedgerEntry,
  policy: ConflictPolicy,
): DeletionPlan {
  if (observed.version === version) {
    return { observed, reason: safe`created by this action, and no longer declared` };
  }
  const orOurs =
    doubt === 'unanswered' ? safe`, or by this action: its last write was in doubt` : safe``;
  const moved = safe`no longer declared, and changed elsewhere${orOurs}: this action wrote version ${version}, it has version ${observed.version} now`;
  const plan = { observed, reason: moved, changedElsewhere: true as const };
  return policy === 'overwrite' ? plan : { ...plan, left: policy === 'keep' ? 'kept' : 'conflict' };
}
