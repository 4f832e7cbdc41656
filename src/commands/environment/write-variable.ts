import { recover } from '../../core/environment/recovery.ts';
import type { Action, VariablePlan } from '../../core/environment/variable-plan.ts';
import { smallestStep } from '../../core/environment/version-step.ts';
import type { ServiceError } from '../../service/errors.ts';
import { canRecover, perform, readAgain, type WriteContext } from './perform.ts';
import { beginWriting, finish, note, type Writing, type WrittenVariable } from './writing.ts';

/** How often one variable is planned again before its error stands. */
export const mostReplans = 3;

/** Looks again after an interrupted write. Gives how the variable ended, if it must be left alone. */
async function lookAgain(
  context: WriteContext,
  writing: Writing,
  action: Action,
  error: ServiceError,
): Promise<'kept' | 'conflict' | undefined> {
  writing.unanswered ||= error.mayHaveArrived;
  writing.mayBeTwice ||= error.mayHaveArrived && action === 'create';
  const environment = await readAgain(context, error);
  const { plan, valueDone, unanswered } = writing;
  const now = environment.variables.find(({ name }) => name === plan.desired.name);
  const { policy } = context;
  const recovery = recover({ plan, action, valueDone, unanswered, now, policy });
  writing.now = now;
  writing.reason = recovery.reason ?? writing.reason;
  if (recovery.kind !== 'continue') return recovery.kind;
  if (recovery.accepted) {
    writing.done.push(action);
    writing.isSure = false;
  }
  writing.plan = recovery.plan;
  writing.valueDone = recovery.valueDone;
  return undefined;
}

/** Sends the next write. Gives how the variable ended, if it must be settled by somebody. */
async function writeNext(
  context: WriteContext,
  writing: Writing,
  action: Action,
): Promise<'conflict' | undefined> {
  if (action === 'create') writing.creates += 1;
  const step = smallestStep(writing.steps, undefined) ?? context.versionStep;
  return note(writing, action, await perform(context, action, writing.plan, step));
}

/**
 * Carries out what is planned for one variable, one write after the other, each with the version that the
 * last one gave. After a refused version or a lost answer it looks again, and goes on as the policy says.
 *
 * @throws ServiceError if a write failed for good, or the run's signal's reason
 */
export async function writeVariable(
  context: WriteContext,
  planned: VariablePlan,
): Promise<WrittenVariable> {
  const writing = beginWriting(planned);
  if (planned.left !== undefined) return finish(writing, planned.left);
  for (let replans = 0; ; ) {
    const [action] = writing.plan.actions;
    if (action === undefined) return finish(writing);
    try {
      const ended = await writeNext(context, writing, action);
      if (ended !== undefined) return finish(writing, ended);
    } catch (error) {
      if (!canRecover(error, action === 'create') || replans >= mostReplans) throw error;
      replans += 1;
      const ended = await lookAgain(context, writing, action, error);
      if (ended !== undefined) return finish(writing, ended);
    }
  }
}
