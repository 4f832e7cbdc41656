import type { Variable } from '../contract/environment.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { deleteVariable } from './delete-variable.ts';
import { refreshEnvironment, type WriteContext } from './perform.ts';

const newestFirst = (a: Variable, b: Variable): number =>
  (Date.parse(b.createdAt ?? '') || 0) - (Date.parse(a.createdAt ?? '') || 0);

/** A variable with a `create` whose response was lost. */
export interface UnansweredCreate {
  name: SafeText;
  /** How many times a `create` was sent. */
  creates: number;
  /** The id of the one that is confirmed and in the ledger, if any. */
  kept: string | undefined;
}

async function removeAll(
  given: WriteContext,
  doubtful: readonly UnansweredCreate[],
  before: ReadonlySet<string>,
): Promise<SafeText[]> {
  // A duplicate that changed meanwhile is kept.
  const context: WriteContext = { ...given, policy: 'keep' };
  const { variables } = await refreshEnvironment(context);
  const left: SafeText[] = [];
  for (const { name, creates, kept } of doubtful) {
    const same = variables.filter((variable) => variable.name === name);
    const recent = same.filter(({ id }) => !before.has(id)).sort(newestFirst);
    const surplus = Math.min(creates - 1, same.length - 1);
    // More than this run can have created: at least one comes from elsewhere, and it is unknown which.
    const isClear = recent.length <= creates;
    let remaining = same.length;
    const removable = recent.filter(({ id }) => id !== kept);
    for (const observed of isClear ? removable.slice(0, surplus) : []) {
      const { outcome } = await deleteVariable(context, { observed, reason: safe`` });
      if (outcome === 'deleted') remaining -= 1;
    }
    if (remaining > 1) left.push(name);
  }
  return left;
}

/**
 * Removes duplicates that a lost response may have caused: if a `create` was sent again and the service allows two
 * variables of one name, both can take effect. Removes at most as many as this run sent too many, the newest first,
 * never the confirmed one, and none if there are more new ones than this run sent.
 * A variable of the same name that another client created at the same time can't be distinguished.
 *
 * @param doubtful if empty, nothing is sent
 * @param before ids of the variables that existed before the run; these are never removed
 * @returns the names that the service still has twice, and the error that stopped the removal, if any
 */
export async function removeDuplicates(
  context: WriteContext,
  doubtful: readonly UnansweredCreate[],
  before: ReadonlySet<string>,
): Promise<{ left: SafeText[]; error?: unknown }> {
  if (doubtful.length === 0) return { left: [] };
  try {
    return { left: await removeAll(context, doubtful, before) };
  } catch (error) {
    return { left: [], error };
  }
}
