import type { Variable } from '../../contract/environment.ts';
import type { ServiceClient } from '../../service/client.ts';

const newestFirst = (a: Variable, b: Variable): number =>
  (Date.parse(b.createdAt ?? '') || 0) - (Date.parse(a.createdAt ?? '') || 0);

/** A variable with an unanswered `create`. */
export interface Doubtful {
  name: string;
  /** How many times a `create` of it was sent. */
  creates: number;
}

async function removeAll(
  client: ServiceClient,
  projectId: string,
  doubtful: readonly Doubtful[],
  before: ReadonlySet<string>,
): Promise<string[]> {
  let environment = await client.getEnvironment(projectId);
  const left: string[] = [];
  for (const { name, creates } of doubtful) {
    const same = environment.variables.filter((variable) => variable.name === name);
    const recent = same.filter(({ id }) => !before.has(id)).sort(newestFirst);
    const surplus = Math.min(creates - 1, same.length - 1);
    // More than this run can have made: one of them is somebody else's, and which cannot be told.
    const isClear = recent.length <= creates;
    for (const { id, version: expectedVersion } of isClear ? recent.slice(0, surplus) : []) {
      environment = await client.deleteVariable(projectId, id, { expectedVersion });
    }
    const remaining = environment.variables.filter((variable) => variable.name === name);
    if (remaining.length > 1) left.push(name);
  }
  return left;
}

/**
 * Removes what a lost answer may have left twice: where a `create` went unanswered and was sent again, and
 * the service allows two variables of one name, the first can take effect after the second. At most as many
 * are removed as this run sent too many, the newest first, and none if there are more new ones than this run sent.
 * Somebody else's of the same name, made in the same moment where the lost one never arrived, cannot be told apart.
 *
 * @param doubtful without any, nothing is sent
 * @param before ids of the variables that were there before the run: never removed
 * @returns the names that the service still has twice, and the error that stopped it, if one did
 */
export async function removeDuplicates(
  client: ServiceClient,
  projectId: string,
  doubtful: readonly Doubtful[],
  before: ReadonlySet<string>,
): Promise<{ left: string[]; error?: unknown }> {
  if (doubtful.length === 0) return { left: [] };
  try {
    return { left: await removeAll(client, projectId, doubtful, before) };
  } catch (error) {
    return { left: [], error };
  }
}
