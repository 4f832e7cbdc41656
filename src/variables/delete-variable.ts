import type { Environment } from '../contract/environment.ts';
import { operations } from '../contract/operations.ts';
import { safe } from '../kernel/text/safe.ts';
import { unproven } from '../service/errors.ts';
import { wasWritten } from './evaluate.ts';
import type { ConflictPolicy } from './intent.ts';
import type { DeletionPlan } from './model/variable-plan.ts';
import { canRecover, confirm, readAgain, type WriteContext } from './perform.ts';
import type { VariableOutcome, VariableResult } from './result.ts';

const leftAs = { keep: 'kept', fail: 'conflict' } as const;

/** Sends one deletion and checks that the variable is gone. @throws ServiceError if it failed */
async function send(
  context: WriteContext,
  { id, version: expectedVersion }: DeletionPlan['observed'],
): Promise<void> {
  const { client, projectId, environmentMatcher } = context;
  const find = ({ variables }: Environment) => variables.find((one) => one.id === id);
  environmentMatcher.willDelete(id);
  const { environment, isDone } = await confirm(
    context,
    operations.deleteVariable,
    client.deleteVariable(projectId, id, { expectedVersion }),
    (shown) => find(shown) === undefined,
  );
  if (isDone) return;
  const version = find(environment)?.version ?? safe`unknown`;
  throw unproven(operations.deleteVariable, safe`the variable is still there (version ${version})`);
}

/** What reading again means for an interrupted deletion: done, skipped, or to be sent again. */
function afterRead(
  { observed }: DeletionPlan,
  now: DeletionPlan['observed'] | undefined,
  policy: ConflictPolicy,
): VariableOutcome | DeletionPlan['observed'] {
  if (now === undefined) return 'deleted';
  if (!wasWritten(observed, now) || policy === 'overwrite') return now;
  return leftAs[policy];
}

/** Skips a variable that changed meanwhile, according to the response to another write of this run. */
function beforeSending(
  { latest, policy }: WriteContext,
  plan: DeletionPlan,
):
  | { observed: DeletionPlan['observed'] }
  | { left: VariableOutcome; now: DeletionPlan['observed'] } {
  const now = latest.variables.find(({ id }) => id === plan.observed.id);
  // A response without the variable doesn't prove that it is gone.
  if (now === undefined) return plan;
  const next = afterRead(plan, now, policy);
  return typeof next === 'string' ? { left: next, now } : { observed: next };
}

const changedTo = ({ version }: DeletionPlan['observed']) =>
  safe`changed elsewhere during the run (now at version ${version})`;

/**
 * Deletes a variable. After a rejected version, a lost response or an unconfirmed success, it reads the environment
 * again and continues as the policy says.
 *
 * @throws ServiceError if the deletion failed for good, or the run's signal's reason
 */
export async function deleteVariable(
  context: WriteContext,
  planned: DeletionPlan,
): Promise<Omit<VariableResult, 'name'>> {
  const end = (outcome: VariableOutcome, now?: DeletionPlan['observed']) => ({
    outcome,
    retargeted: false,
    reason: now === undefined ? planned.reason : changedTo(now),
  });
  if (planned.left !== undefined) return end(planned.left);
  let plan = planned;
  let isRepeated = false;
  for (let replans = 0; ; replans += 1) {
    const before = beforeSending(context, plan);
    if ('left' in before) return end(before.left, before.now);
    try {
      await send(context, before.observed);
      return end('deleted');
    } catch (error) {
      if (!canRecover(error, { replans, isRepeated }, false)) throw error;
      isRepeated ||= error.fault === 'unproven';
      const environment = await readAgain(context, error);
      const now = environment.variables.find(({ id }) => id === plan.observed.id);
      const next = afterRead(plan, now, context.policy);
      if (typeof next === 'string') return end(next, now);
      plan = { ...plan, observed: next };
    }
  }
}
