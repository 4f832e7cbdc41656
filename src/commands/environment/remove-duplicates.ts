import type { Variable } from '../../contract/environment.ts';
import type { ServiceClient } from '../../service/client.ts';

const newestFirst = (a: Variable, b: Variable): number =>
  (Date.parse(b.createdAt ?? '') || 0) - (Date.parse(a.createdAt ?? '') || 0);

async function removeAll(
  client: ServiceClient,
  projectId: string,
  names: ReadonlySet<string>,
  before: ReadonlySet<string>,
): Promise<void> {
  let environment = await client.getEnvironment(projectId);
  for (const name of names) {
    const same = environment.variables.filter((variable) => variable.name === name);
    const ours = same.filter(({ id }) => !before.has(id)).sort(newestFirst);
    for (const { id, version: expectedVersion } of ours.slice(0, same.length - 1)) {
      environment = await client.deleteVariable(projectId, id, { expectedVersion });
    }
  }
}

/**
 * Removes what a lost answer may have left twice: where a `create` went unanswered and was sent again, and
 * the service allows two variables of one name, the first can take effect after the second. Of those that
 * this run made, the oldest stays: both hold the same value.
 *
 * @param names variables with an unanswered `create`; without any, nothing is sent
 * @param before ids of the variables that were there before the run: never removed
 * @returns the error that stopped it, if one did
 */
export async function removeDuplicates(
  client: ServiceClient,
  projectId: string,
  names: ReadonlySet<string>,
  before: ReadonlySet<string>,
): Promise<{ error?: unknown }> {
  if (names.size === 0) return {};
  try {
    await removeAll(client, projectId, names, before);
    return {};
  } catch (error) {
    return { error };
  }
}
