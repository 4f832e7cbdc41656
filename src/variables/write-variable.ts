import type { Variable } from '../contract/environment.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { mayHaveArrived, type ServiceError } from '../service/errors.ts';
import { recover, smallestStep, type VersionStep } from './evaluate.ts';
import type { VariableAction, VariablePlan } from './model/variable-plan.ts';
import {
  canRecover,
  type Performed,
  perform,
  readAgain,
  type ValueCertainty,
  type WriteContext,
} from './perform.ts';
import type { VariableOutcome, VariableResult } from './result.ts';

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
    return await writeSteps(context, writing);
  } catch (error) {
    return interrupt(writing, error, mayHaveArrived(error));
  }
}

/** @throws ServiceError if a write failed for good, or the run's signal's reason */
async function writeSteps(context: WriteContext, writing: Writing): Promise<WrittenVariable> {
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

/** A variable as our own writes left it. */
export interface ConfirmedWrite {
  variable: Variable;
  /** True if this run created it. */
  created: boolean;
  /** False if its version does not tell our value from another. */
  isTraceable: boolean;
}

/**
 * What is to be remembered of a variable that is not surely as we left it: it was left to somebody else, our own
 * last write of it is in doubt, or either.
 */
export type Uncertainty = 'foreign' | 'unanswered' | 'either';

/** A variable after its writes. */
export interface WrittenVariable {
  result: VariableResult;
  /** How many times a `create` was sent, if an answer to one was lost: it may take effect late, beside another. */
  lostCreates: number;
  /** Absent if it was left alone, or if somebody else's write may be the last one. */
  confirmed?: ConfirmedWrite;
  /** The variable that somebody else's write, or an unanswered one of ours, left. */
  doubtful?: { variable: Variable; doubt: Uncertainty };
  /** How far each write moved the version. */
  steps: readonly VersionStep[];
  /** True if nobody can know whether a write of it was carried out. */
  isUnknowable?: boolean;
}

/** One variable, on its way. */
export interface Writing {
  plan: VariablePlan;
  done: VariableAction[];
  valueDone: boolean;
  /** A write was sent whose answer was lost. */
  unanswered: boolean;
  /** How many times a `create` was sent. */
  creates: number;
  /** The answer to one of them was lost. */
  mayBeTwice: boolean;
  /** What is known of its value. */
  value: ValueCertainty;
  created: boolean;
  /** The write under way was answered with success before, and nothing showed it. */
  isRepeated: boolean;
  isUnknowable: boolean;
  /** The variable as a second look showed it. */
  now: Variable | undefined;
  /** True if what is left to somebody else may be our own write. */
  isMaybeOurs: boolean;
  steps: VersionStep[];
  reason: SafeText;
}

/** What became of a variable. `ended` says how, if it was left alone. */
export function finish(writing: Writing, ended?: VariableOutcome): WrittenVariable {
  const { plan, done, creates, mayBeTwice, reason, steps, isUnknowable } = writing;
  const { preview, production } = plan.desired;
  const [name, targets] = [unsafeText(plan.desired.name), { preview, production }];
  const retargeted = done.includes('retarget');
  const written = done.includes('replace') ? 'replaced' : retargeted ? 'retargeted' : 'unchanged';
  const outcome = ended ?? (done.includes('create') || mayBeTwice ? 'created' : written);
  return {
    result: { name, ...(done.length > 0 && { targets }), outcome, retargeted, reason },
    lostCreates: mayBeTwice ? creates : 0,
    steps,
    isUnknowable,
    ...(ended === undefined ? knowledge(writing) : leftAlone(writing)),
  };
}

/** What a run may remember of a variable that it left to somebody else. */
function leftAlone({ plan, now, isMaybeOurs }: Writing): Pick<WrittenVariable, 'doubtful'> {
  const variable = now ?? plan.observed;
  const doubt = isMaybeOurs ? 'either' : 'foreign';
  return variable === undefined ? {} : { doubtful: { variable, doubt } };
}

/** What a run may remember of a variable that it has written. */
function knowledge({
  plan: { observed: variable },
  value,
  done,
  created,
  unanswered,
}: Writing): Pick<WrittenVariable, 'confirmed' | 'doubtful'> {
  if (variable === undefined) return {};
  const isTraceable = value === 'ours';
  const isDoubtful = unanswered || (value === 'doubtful' && done.length > 0);
  return {
    ...(value !== 'doubtful' && { confirmed: { variable, created, isTraceable } }),
    // What our own write may have done, now or later, must not be taken for somebody else's.
    ...(isDoubtful && { doubtful: { variable, doubt: 'unanswered' } }),
  };
}

/** Writes of a variable that ended in an error, and what is known of it nevertheless. */
export interface InterruptedWrites
  extends Pick<WrittenVariable, 'confirmed' | 'doubtful' | 'steps' | 'lostCreates'> {
  error: unknown;
}

/**
 * What is known of a variable whose writes ended in an error: what was answered before it, and whether the last
 * write may have taken effect.
 *
 * @param mayHaveArrived the write that ended so may have taken effect
 */
export function interrupt(
  writing: Writing,
  error: unknown,
  mayHaveArrived: boolean,
): InterruptedWrites {
  const { done, unanswered, steps, creates, mayBeTwice } = writing;
  const { confirmed, doubtful } = knowledge({
    ...writing,
    unanswered: unanswered || mayHaveArrived,
  });
  return {
    error,
    steps,
    lostCreates: mayBeTwice ? creates : 0,
    ...(confirmed && done.length > 0 && { confirmed }),
    ...(doubtful && { doubtful }),
  };
}

const twice = safe`the service has two variables of this name now, where it had none: somebody else created one in the same moment, or our request was carried out twice: remove all but one`;

const unknowable = safe`whether the service took it cannot be known: it answered with success, and neither the version nor the time of a variable moves there`;

/**
 * Notes what a write left. Gives how the variable ended, if it must be settled by somebody.
 */
export function note(
  writing: Writing,
  action: VariableAction,
  { variable, value, isTwice, isUnknowable }: Performed,
): 'conflict' | undefined {
  const { plan, mayBeTwice } = writing;
  const before = plan.observed;
  writing.plan = { ...plan, actions: plan.actions.slice(1), observed: variable };
  writing.done.push(action);
  writing.valueDone ||= action !== 'retarget';
  writing.value = action === 'retarget' && writing.value !== 'ours' ? writing.value : value;
  writing.isRepeated = false;
  writing.isUnknowable ||= isUnknowable;
  // Its id was not there when the creation was decided on: nobody else can have made it but in the same moment.
  if (action === 'create') writing.created = !isTwice;
  if (isUnknowable) writing.reason = safe`${writing.reason}; ${unknowable}`;
  // After a lost answer the second one may be our own, which is removed at the end.
  const isLeft = isTwice && !mayBeTwice;
  if (isLeft) writing.reason = twice;
  writing.isMaybeOurs ||= isLeft;
  if (before !== undefined) {
    writing.steps.push({ name: plan.desired.name, step: variable.version - before.version });
  }
  return isLeft ? 'conflict' : undefined;
}
