import type { Environment, Variable } from '../contract/environment.ts';
import { operations } from '../contract/operations.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { wasWritten } from '../ledger/model/ledger.ts';
import type { ServiceClient } from '../service/client.ts';
import { notShown, ServiceError, unproven } from '../service/errors.ts';
import { Stop } from '../step/step.ts';
import type { ConflictPolicy } from './intent.ts';
import {
  type DeletionPlan,
  leftAs,
  planVariable,
  unmasks,
  type VariableAction,
  type VariablePlan,
} from './model/variable-plan.ts';
import { isConflict, isUntouched, mayBeConflict } from './plan.ts';
import type { VariableResult } from './result.ts';

/** How often one variable is planned again before its error is final. */
const maxReplans = 3;

/** The pause before the environment is read again after a server error, in milliseconds. */
const firstPause = 250;

/** Where variables are written. */
export interface WriteContext {
  client: ServiceClient;
  projectId: string;
  policy: ConflictPolicy;
  /** Waits some milliseconds, or until the run ends. */
  pause(milliseconds: number): Promise<void>;
  /** The environment as last read or returned. */
  latest: Environment;
}

/** The writes of one variable, ended well or not. */
export type EndedWrites = ({ result: Omit<VariableResult, 'name'> } | { error: unknown }) & {
  /** The variable as this run left it; absent if nothing was written, or if another write may be the last one. */
  confirmed?: Variable | undefined;
};

/** The writes of one variable so far. */
interface Writing {
  /** What is left to write. */
  plan: VariablePlan;
  /** The writes that took effect, or probably did. */
  done: readonly VariableAction[];
  /** True if the value was written in this run, or did not have to be. */
  isValueDone: boolean;
  /** True if the variable is surely as this run's last write left it. */
  isOwn: boolean;
  /** True if the response to a write was lost. */
  isUnanswered: boolean;
}

/**
 * Applies the plan of one variable, one write after the other, each with the version that the last one returned. After
 * a rejected version, a lost response or an unconfirmed success, it reads the environment again and continues as the
 * policy says. It does not throw.
 */
export async function writeVariable(
  context: WriteContext,
  planned: VariablePlan,
): Promise<EndedWrites> {
  const isValueDone = planned.actions.every((action) => action === 'retarget');
  let writing: Writing = {
    plan: planned,
    done: [],
    isValueDone,
    isOwn: isValueDone,
    isUnanswered: false,
  };
  try {
    for (let replans = 0; ; ) {
      const before = writing;
      const [action] = before.plan.actions;
      if (action === undefined) break;
      writing = await sendNext(context, before, action).catch((error: unknown) => {
        replans += 1;
        return recover(context, before, action, error, replans);
      });
    }
  } catch (error) {
    return { error, confirmed: confirmedBy(writing) };
  }
  const { plan, done } = writing;
  const { preview, production } = plan.desired;
  const targets = done.length > 0 ? { preview, production } : undefined;
  const retargeted = done.includes('retarget');
  const written = done.includes('replace') ? 'replaced' : retargeted ? 'retargeted' : 'unchanged';
  const outcome = plan.left ?? (done.includes('create') ? 'created' : written);
  return {
    result: { targets, outcome, retargeted, reason: plan.reason },
    confirmed: confirmedBy(writing),
  };
}

const confirmedBy = ({ plan, done, isOwn }: Writing): Variable | undefined =>
  isOwn && done.length > 0 ? plan.observed : undefined;

/** Sends the next write of a variable. @throws ServiceError if it failed or nothing shows it */
async function sendNext(
  context: WriteContext,
  writing: Writing,
  action: VariableAction,
): Promise<Writing> {
  const { plan, isOwn } = writing;
  const { observed } = plan;
  const { environment, isAnswer } = await confirm(
    context,
    action,
    sendWrite(context, action, plan),
    (shown) => findWritten(shown, action, plan).length > 0,
  );
  const [variable, ...others] = findWritten(environment, action, plan) as [Variable, ...Variable[]];
  const done = [...writing.done, action];
  if (others.length > 0) return { ...writing, done, plan: leaveTwice(plan, 1 + others.length) };
  const isNext =
    observed === undefined ? isUntouched(variable) : variable.version === observed.version + 1;
  return {
    ...writing,
    plan: { ...plan, actions: plan.actions.slice(1), observed: variable },
    done,
    isValueDone: writing.isValueDone || action !== 'retarget',
    // A service that ignores expectedVersion accepts a retarget after another value was written.
    isOwn: action === 'retarget' ? isNext && isOwn : isNext || isAnswer,
  };
}

async function sendWrite(
  { client, projectId }: WriteContext,
  action: VariableAction,
  { desired, observed }: VariablePlan,
): Promise<Environment> {
  const { name, value, kind, preview, production } = desired;
  if (observed === undefined) {
    return await client.createVariable(projectId, { name, value, kind, preview, production });
  }
  const { id, version: expectedVersion } = observed;
  return action === 'retarget'
    ? await client.retargetVariable(projectId, id, { expectedVersion, preview, production })
    : await client.replaceVariable(projectId, id, { expectedVersion, value, kind });
}

/**
 * The variables that show a write, if any: a new one exists, a replaced one has another version or time, a retargeted
 * one has the desired targets.
 */
function findWritten(
  { variables }: Environment,
  action: VariableAction,
  { desired, observed }: VariablePlan,
): Variable[] {
  if (observed === undefined) return variables.filter(({ name }) => name === desired.name);
  const isShown = (now: Variable) =>
    action === 'retarget'
      ? now.preview === desired.preview && now.production === desired.production
      : wasWritten(observed, now);
  return variables.filter((now) => now.id === observed.id && isShown(now));
}

/**
 * Waits for a write's response. If it doesn't show the change, the environment is read.
 *
 * @throws ServiceError if the write or that read failed, or neither shows the change
 */
async function confirm(
  context: WriteContext,
  action: VariableAction | 'delete',
  sending: Promise<Environment>,
  isShownIn: (environment: Environment) => boolean,
): Promise<{ environment: Environment; isAnswer: boolean }> {
  const operation = operations[`${action}Variable`];
  const answer = await sending.catch((error: unknown) => {
    if (error instanceof ServiceError && error.effect === 'done') return undefined;
    throw error;
  });
  if (answer !== undefined && isShownIn(answer)) {
    context.latest = answer;
    return { environment: answer, isAnswer: true };
  }
  const unshown = unproven(operation, safe`the response does not show the change`);
  const environment = await refresh(context, unshown);
  if (isShownIn(environment)) return { environment, isAnswer: false };
  throw unproven(operation, safe`neither the response nor a second read shows the change`);
}

/** Reads the environment after a write. @throws ServiceError with what is known about the write, if reading failed */
async function refresh(context: WriteContext, write: ServiceError): Promise<Environment> {
  const reading = context.client.readEnvironment(context.projectId);
  context.latest = await reading.catch((cause: unknown) => {
    throw cause instanceof ServiceError ? notShown(write, cause) : cause;
  });
  return context.latest;
}

/** A plan that leaves a variable that the service has several times. */
const leaveTwice = (plan: VariablePlan, count: number): VariablePlan => ({
  ...plan,
  actions: [],
  left: 'conflict',
  reason: safe`the service now has ${count} variables with this name: delete all but one`,
});

/**
 * Reads the environment after a failed write and plans again.
 *
 * @throws its error, if reading can't show how to continue, or Stop if `env` would make the variable plain
 */
async function recover(
  context: WriteContext,
  before: Writing,
  action: VariableAction,
  error: unknown,
  replans: number,
): Promise<Writing> {
  if (!canRecover(error, replans, action === 'create')) throw error;
  const { variables } = await readAgain(context, error);
  const { plan } = before;
  const writing = { ...before, isUnanswered: before.isUnanswered || error.mayHaveArrived };
  const [now, ...others] = variables.filter(({ name }) => name === plan.desired.name);
  if (others.length > 0) return { ...writing, plan: leaveTwice(plan, 1 + others.length) };
  if (unmasks(plan.desired, now)) {
    const name = unsafeText(plan.desired.name);
    const text = safe`The service has ${name} as secret now, and env would make it plain; the service's value was kept. Use env-from, which keeps it secret.`;
    throw new Stop('failed', diagnose('SD4015', text));
  }
  const moved = describeChange(plan.observed, now);
  if (moved !== undefined) return afterChange(writing, action, now, moved, context.policy);
  if (isRefused(error, action === 'create')) throw error;
  const again = writing.isUnanswered ? safe`; sent again after a lost response` : safe``;
  return planAgain(writing, now, context.policy, safe`${plan.reason}${again}`);
}

/**
 * Continues with a variable that changed since it was planned. `overwrite` writes the value again; `keep` and `fail`
 * never overwrite a change that may come from elsewhere.
 */
function afterChange(
  writing: Writing,
  action: VariableAction,
  now: Variable | undefined,
  moved: SafeText,
  policy: ConflictPolicy,
): Writing {
  const { plan, isUnanswered, isValueDone } = writing;
  const done = isUnanswered ? [...writing.done, action] : writing.done;
  const isAsSent = resemblesOwn(now, action, plan);
  const twice = isAsSent ? safe`, or by a retry` : safe``;
  if (policy === 'overwrite') {
    const overwritten = safe`${moved}${twice}: overwritten`;
    const reason = isUnanswered ? safe`written again after a lost response` : overwritten;
    return planAgain({ ...writing, done, isValueDone: false, isOwn: false }, now, policy, reason);
  }
  if (isUnanswered && isAsSent) {
    const isNowDone = isValueDone || action !== 'retarget';
    const accepted = { ...writing, done, isValueDone: isNowDone, isOwn: false };
    const reason = safe`the response was lost, but the service has the variable as sent`;
    return planAgain(accepted, now, policy, reason);
  }
  const doubt = isUnanswered ? safe`; it may be this run's own write (lost response)` : twice;
  const reason = safe`${moved}${doubt}`;
  return { ...writing, plan: { ...plan, actions: [], left: leftAs[policy], reason } };
}

function planAgain(
  writing: Writing,
  now: Variable | undefined,
  policy: ConflictPolicy,
  reason: SafeText,
): Writing {
  const { desired } = writing.plan;
  const valueState = { kind: writing.isValueDone ? 'written' : 'unknown' } as const;
  const plan = { desired, ...planVariable(desired, now, valueState, policy), reason };
  return { ...writing, plan };
}

/**
 * True if reading the environment again can show how to continue after a failed write. A success that nothing shows is
 * sent once more at most.
 *
 * @param replans how often the variable was planned again, with this time
 */
function canRecover(error: unknown, replans: number, creating: boolean): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  const most = error.fault === 'unproven' ? 1 : maxReplans;
  return replans <= most && (error.mayHaveArrived || mayBeConflict(error.details, creating));
}

/** True if a write was surely rejected, in no words for a changed version or a taken name: only a read can show one. */
const isRefused = (error: ServiceError, creating: boolean): boolean =>
  !error.mayHaveArrived && !isConflict(error.details, creating);

/** Reads the environment again, after a pause if the write may have arrived. @throws ServiceError if reading failed */
async function readAgain(context: WriteContext, error: ServiceError): Promise<Environment> {
  if (error.mayHaveArrived) await context.pause(error.pauseAfter(firstPause));
  return await refresh(context, error);
}

/** How a variable changed between two reads; undefined if it did not. */
function describeChange(before: Variable | undefined, now: Variable | undefined) {
  const isSame = before?.id === now?.id && (!before || !now || !wasWritten(before, now));
  if (isSame) return undefined;
  const was = before === undefined ? safe`absent` : safe`version ${before.version}`;
  const is = now === undefined ? safe`deleted` : safe`version ${now.version}`;
  return safe`changed outside this action during the run (was ${was}, now ${is})`;
}

/**
 * True if a variable is exactly as this run's write would leave it: new or one version further, with the desired kind
 * and targets. Another write would have to match all of that at the same time.
 */
function resemblesOwn(
  now: Variable | undefined,
  action: VariableAction,
  { desired, observed }: VariablePlan,
): boolean {
  if (now === undefined) return false;
  const { preview, production } = action === 'replace' && observed ? observed : desired;
  const isNext =
    observed === undefined || (now.id === observed.id && now.version === observed.version + 1);
  const isSameTargets = now.preview === preview && now.production === production;
  return isNext && isSameTargets && now.kind === desired.kind;
}

/**
 * Deletes a variable. After a rejected version, a lost response or an unconfirmed success, it reads the environment
 * again and continues as the policy says.
 *
 * @throws ServiceError if the deletion failed for good, or the run's signal's reason
 */
export async function deleteVariable(
  context: WriteContext,
  { observed: planned, reason, left }: DeletionPlan,
): Promise<EndedWrites> {
  const end = (outcome: 'deleted' | 'kept' | 'conflict', why = reason): EndedWrites => ({
    result: { outcome, retargeted: false, reason: why },
  });
  if (left !== undefined) return end(left, reason);
  const { client, projectId, policy } = context;
  const findIn = ({ variables }: Environment) => variables.find(({ id }) => id === planned.id);
  // A response to another write without the variable doesn't prove that it is gone.
  let now = findIn(context.latest) ?? planned;
  for (let replans = 1; ; replans += 1) {
    const moved = describeChange(planned, now);
    if (moved !== undefined && policy !== 'overwrite') return end(leftAs[policy], moved);
    try {
      const sending = client.deleteVariable(projectId, now.id, { expectedVersion: now.version });
      await confirm(context, 'delete', sending, (shown) => findIn(shown) === undefined);
      return end('deleted');
    } catch (error) {
      if (!canRecover(error, replans, false)) throw error;
      const again = findIn(await readAgain(context, error));
      if (again === undefined) return end('deleted');
      if (isRefused(error, false) && describeChange(now, again) === undefined) throw error;
      now = again;
    }
  }
}
