import type { Variable } from '../contract/environment.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { deleteVariable } from './delete-variable.ts';
import { look, type WriteContext } from './perform.ts';

const newestFirst = (a: Variable, b: Variable): number =>
  (Date.parse(b.createdAt ?? '') || 0) - (Date.parse(a.createdAt ?? '') || 0);

/** A variable with an unanswered `create`. */
export interface UnansweredCreate {
  name: SafeText;
  /** How many times a `create` of it was sent. */
  creates: number;
  /** The id of the one that was surely answered as ours, and is remembered so; undefined if none was. */
  kept: string | undefined;
}

async function removeAll(
  given: WriteContext,
  doubtful: readonly UnansweredCreate[],
  before: ReadonlySet<string>,
): Promise<SafeText[]> {
  // One that somebody has changed meanwhile is left to them.
  const context: WriteContext = { ...given, policy: 'keep' };
  const { variables } = await look(context);
  const left: SafeText[] = [];
  for (const { name, creates, kept } of doubtful) {
    const same = variables.filter((variable) => variable.name === name);
    const recent = same.filter(({ id }) => !before.has(id)).sort(newestFirst);
    const surplus = Math.min(creates - 1, same.length - 1);
    // More than this run can have made: one of them is somebody else's, and which cannot be told.
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
 * Removes what a lost answer may have left twice: where a `create` went unanswered and was sent again, and
 * the service allows two variables of one name, the first can take effect after the second. At most as many
 * are removed as this run sent too many, the newest first, but never the one that it remembers as its own; and none
 * if there are more new ones than this run sent.
 * Somebody else's of the same name, made in the same moment where the lost one never arrived, cannot be told apart.
 *
 * @param doubtful without any, nothing is sent
 * @param before ids of the variables that were there before the run: never removed
 * @returns the names that the service still has twice, and the error that stopped it, if one did
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
