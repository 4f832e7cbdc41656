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

/** The state before the first write. */
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
    isMaybeOwn: false,
    steps: [],
    reason: plan.reason,
  };
}

/** How far one write increases a version, as far as is known. */
const stepOf = (context: WriteContext, { steps }: Writing): number =>
  smallestStep(steps, undefined) ?? context.versionStep;

/** Reads the environment after an interrupted write. Returns the outcome if the variable must not be written. */
async function recoverWrite(
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
    writing.isMaybeOwn = recovery.isMaybeOwn;
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

/** Sends the next write. Returns `conflict` if a user must resolve one. */
async function writeNext(
  context: WriteContext,
  writing: Writing,
  action: VariableAction,
): Promise<'conflict' | undefined> {
  if (action === 'create') writing.creates += 1;
  const { plan, isRepeated } = writing;
  const step = stepOf(context, writing);
  return record(writing, action, await perform(context, action, plan, { step, isRepeated }));
}

/**
 * Applies the plan of one variable, one write after the other, each with the version that the last one returned. After
 * a rejected version, a lost response or an unconfirmed success, it reads the environment again and continues as the
 * policy says.
 *
 * @returns the result, or the error if a write failed or the run ended. It does not throw
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

/** @throws ServiceError if a write failed, or the run's signal's reason */
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
      const ended = await recoverWrite(context, writing, action, error);
      if (ended !== undefined) return finish(writing, ended);
    }
  }
}

/** A variable as this run's own writes left it. */
interface ConfirmedWrite {
  variable: Variable;
  /** True if this run created it. */
  created: boolean;
  /** False if its version doesn't distinguish the written value from another. */
  isTraceable: boolean;
}

/**
 * Why a variable may not be as this run wrote it: it was changed elsewhere and kept, the response to its last write
 * was lost, or one of both.
 */
type Uncertainty = 'foreign' | 'unanswered' | 'either';

/** A variable after its writes. */
export interface WrittenVariable {
  result: VariableResult;
  /** How many times a `create` was sent, if a response was lost: it may take effect late, as a duplicate. */
  lostCreates: number;
  /** Absent if nothing was written, or if another write may be the last one. */
  confirmed?: ConfirmedWrite;
  /** The variable after a change elsewhere or a lost response. */
  doubtful?: { variable: Variable; doubt: Uncertainty };
  /** How far each write increased the version. */
  steps: readonly VersionStep[];
  /** True if a write of it can't be confirmed. */
  isUnknowable?: boolean;
}

/** The writes of one variable in progress. */
interface Writing {
  plan: VariablePlan;
  done: VariableAction[];
  valueDone: boolean;
  /** The response to a write was lost. */
  unanswered: boolean;
  /** How many times a `create` was sent. */
  creates: number;
  /** The response to one of them was lost. */
  mayBeTwice: boolean;
  value: ValueCertainty;
  created: boolean;
  /** The current write succeeded before without being confirmed. */
  isRepeated: boolean;
  isUnknowable: boolean;
  /** The variable as read after an interruption. */
  now: Variable | undefined;
  /** True if a change that is kept may be this run's own write. */
  isMaybeOwn: boolean;
  steps: VersionStep[];
  reason: SafeText;
}

/** The result of a variable. @param ended the outcome, if it was not written */
function finish(writing: Writing, ended?: VariableOutcome): WrittenVariable {
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
    ...(ended === undefined ? knowledge(writing) : keptKnowledge(writing)),
  };
}

/** What the ledger gets to know about a variable that was changed elsewhere and kept. */
function keptKnowledge({ plan, now, isMaybeOwn }: Writing): Pick<WrittenVariable, 'doubtful'> {
  const variable = now ?? plan.observed;
  const doubt = isMaybeOwn ? 'either' : 'foreign';
  return variable === undefined ? {} : { doubtful: { variable, doubt } };
}

/** What the ledger gets to know about a variable that was written. */
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
    // A late effect of this run's own write must not count as a change made elsewhere.
    ...(isDoubtful && { doubtful: { variable, doubt: 'unanswered' } }),
  };
}

/** Writes of a variable that failed, with what is known about it. */
export interface InterruptedWrites
  extends Pick<WrittenVariable, 'confirmed' | 'doubtful' | 'steps' | 'lostCreates'> {
  error: unknown;
}

/**
 * What is known about a variable whose writes failed.
 *
 * @param mayHaveArrived the failed write may have taken effect
 */
function interrupt(writing: Writing, error: unknown, mayHaveArrived: boolean): InterruptedWrites {
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

const twice = safe`the service now has two variables with this name: delete all but one`;

const unknowable = safe`not confirmed: the service returned success, but neither the version nor the time changed`;

/** Records the result of a write. Returns `conflict` if a user must resolve one. */
function record(
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
  // Its id is new since the plan, so that only a creation at the same time can be another client's.
  if (action === 'create') writing.created = !isTwice;
  if (isUnknowable) writing.reason = safe`${writing.reason}; ${unknowable}`;
  // After a lost response the second one may be this run's own, which is removed at the end.
  const isLeft = isTwice && !mayBeTwice;
  if (isLeft) writing.reason = twice;
  writing.isMaybeOwn ||= isLeft;
  if (before !== undefined) {
    writing.steps.push({ name: plan.desired.name, step: variable.version - before.version });
  }
  return isLeft ? 'conflict' : undefined;
}
