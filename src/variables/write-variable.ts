import { mayHaveArrived, type ServiceError } from '../service/errors.ts';
import { recover } from './model/recovery.ts';
import type { VariableAction, VariablePlan } from './model/variable-plan.ts';
import { smallestStep } from './model/version-step.ts';
import { canRecover, perform, readAgain, type WriteContext } from './perform.ts';
import {
  finish,
  type InterruptedWrites,
  interrupt,
  note,
  type Writing,
  type WrittenVariable,
} from './writing.ts';

/** A variable of which nothing is written yet. */
function beginWriting(plan: VariablePlan): Writing {
  const valueDone = plan.actions.every((action) => action === 'retarget');
  return {
    plan,
    done: [],
    valueDone,
    unanswered: false,
    creates: 0,
    mayBeTwice: false,
    value: valueDone ? 'ours' : 'doubtful',
    created: false,
    isRepeated: false,
    isUnknowable: false,
    now: undefined,
    isMaybeOurs: false,
    steps: [],
    reason: plan.reason,
  };
}

/** How far one write moves a version, as far as is known. */
const stepOf = (context: WriteContext, { steps }: Writing): number =>
  smallestStep(steps, undefined) ?? context.versionStep;

/** Looks again after an interrupted write. Gives how the variable ended, if it must be left alone. */
async function lookAgain(
  context: WriteContext,
  writing: Writing,
  action: VariableAction,
  error: ServiceError,
): Promise<'kept' | 'conflict' | undefined> {
  writing.unanswered ||= error.mayHaveArrived;
  writing.mayBeTwice ||= error.mayHaveArrived && action === 'create';
  const environment = await readAgain(context, error);
  const { plan, valueDone, unanswered } = writing;
  const now = environment.variables.find(({ name }) => name === plan.desired.name);
  const { policy } = context;
  const step = stepOf(context, writing);
  const recovery = recover({ plan, action, valueDone, unanswered, now, policy, step });
  writing.now = now;
  writing.reason = recovery.reason ?? writing.reason;
  if (recovery.kind !== 'continue') {
    writing.isMaybeOurs = recovery.isMaybeOurs;
    return recovery.kind;
  }
  if (recovery.accepted) {
    writing.done.push(action);
    writing.value = 'doubtful';
  }
  writing.plan = recovery.plan;
  writing.valueDone = recovery.valueDone;
  return undefined;
}

/** Sends the next write. Gives how the variable ended, if it must be settled by somebody. */
async function writeNext(
  context: WriteContext,
  writing: Writing,
  action: VariableAction,
): Promise<'conflict' | undefined> {
  if (action === 'create') writing.creates += 1;
  const { plan, isRepeated } = writing;
  const step = stepOf(context, writing);
  return note(writing, action, await perform(context, action, plan, { step, isRepeated }));
}

/**
 * Carries out what is planned for one variable, one write after the other, each with the version that the
 * last one gave. After a refused version, a lost answer, or a success that nothing shows, it looks again, and goes
 * on as the policy says.
 *
 * @returns how it ended; with the error, if a write failed for good or the run ended. It does not throw
 */
export async function writeVariable(
  context: WriteContext,
  planned: VariablePlan,
): Promise<WrittenVariable | InterruptedWrites> {
  const writing = beginWriting(planned);
  if (planned.left !== undefined) return finish(writing, planned.left);
  try {
    return await carryOut(context, writing);
  } catch (error) {
    return interrupt(writing, error, mayHaveArrived(error));
  }
}

/** @throws ServiceError if a write failed for good, or the run's signal's reason */
async function carryOut(context: WriteContext, writing: Writing): Promise<WrittenVariable> {
  for (let replans = 0; ; ) {
    const [action] = writing.plan.actions;
    if (action === undefined) return finish(writing);
    try {
      const ended = await writeNext(context, writing, action);
      if (ended !== undefined) return finish(writing, ended);
    } catch (error) {
      const tries = { replans, isRepeated: writing.isRepeated };
      if (!canRecover(error, tries, action === 'create')) throw error;
      replans += 1;
      writing.isRepeated ||= error.fault === 'unproven';
      const ended = await lookAgain(context, writing, action, error);
      if (ended !== undefined) return finish(writing, ended);
    }
  }
}
