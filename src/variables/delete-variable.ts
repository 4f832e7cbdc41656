import type { Environment, Variable } from '../contract/environment.ts';
import { operations } from '../contract/operations.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { unproven } from '../service/errors.ts';
import { wasWritten } from './evaluate.ts';
import type { ConflictPolicy } from './intent.ts';
import type { DeletionPlan } from './model/variable-plan.ts';
import {
  canRecover,
  confirm,
  readAgain,
  refreshEnvironment,
  type WriteContext,
} from './perform.ts';
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
  safe`changed outside this action during the run (now version ${version})`;

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

const newestFirst = (a: Variable, b: Variable): number =>
  (Date.parse(b.createdAt ?? '') || 0) - (Date.parse(a.createdAt ?? '') || 0);

/** A variable with a `create` whose response was lost. */
interface UnansweredCreate {
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
