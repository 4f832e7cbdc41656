import type { DeletionPlan } from '../../core/environment/deletion.ts';
import type { ConflictPolicy } from '../../core/environment/variable-plan.ts';
import type { VariableOutcome, VariableResult } from '../../core/report/environment.ts';
import { ServiceError } from '../../service/errors.ts';
import { canRecover, readAgain, type WriteContext } from './perform.ts';
import { mostReplans } from './write-variable.ts';

const leftAs = { keep: 'kept', fail: 'conflict' } as const;

/** Sends one deletion. A success with a body that cannot be used is a success. */
async function send(
  { client, projectId, onEnvironment }: WriteContext,
  { id, version: expectedVersion }: DeletionPlan['observed'],
): Promise<void> {
  try {
    onEnvironment(await client.deleteVariable(projectId, id, { expectedVersion }));
  } catch (error) {
    if (!(error instanceof ServiceError && error.fault === 'body')) throw error;
    onEnvironment(await client.getEnvironment(projectId));
  }
}

/** What a second look means for an interrupted deletion: it is done, left alone, or to be sent again. */
function afterLook(
  { observed }: DeletionPlan,
  now: DeletionPlan['observed'] | undefined,
  policy: ConflictPolicy,
): VariableOutcome | DeletionPlan['observed'] {
  if (now === undefined) return 'deleted';
  if (now.version === observed.version || policy === 'overwrite') return now;
  return leftAs[policy];
}

/**
 * Deletes a variable that we created and that is no longer declared. After a refused version or a lost answer
 * it looks again, and goes on as the policy says.
 *
 * @throws ServiceError if the deletion failed for good, or the run's signal's reason
 */
export async function deleteVariable(
  context: WriteContext,
  planned: DeletionPlan,
): Promise<Omit<VariableResult, 'name'>> {
  let { reason } = planned;
  const end = (outcome: VariableOutcome) => ({ outcome, retargeted: false, reason });
  if (planned.left !== undefined) return end(planned.left);
  let plan = planned;
  for (let replans = 0; ; replans += 1) {
    try {
      await send(context, plan.observed);
      return end('deleted');
    } catch (error) {
      if (!canRecover(error, false) || replans >= mostReplans) throw error;
      const environment = await readAgain(context, error);
      const now = environment.variables.find(({ id }) => id === plan.observed.id);
      const next = afterLook(plan, now, context.policy);
      if (typeof next === 'string') {
        if (next !== 'deleted')
          reason = `changed elsewhere during the run: version ${now?.version} now`;
        return end(next);
      }
      plan = { ...plan, observed: next };
    }
  }
}
