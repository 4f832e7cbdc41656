import type { Environment, Variable } from '../../contract/environment.ts';
import { isConflict } from '../../core/environment/conflict.ts';
import type { Action, VariablePlan } from '../../core/environment/plan.ts';
import { type ConflictPolicy, recover } from '../../core/environment/recovery.ts';
import type { VariableOutcome, VariableResult } from '../../core/report/report.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';

/** How often one variable is planned again before its error stands. */
const mostReplans = 3;

/** The pause before a second look at a service that had a fault, in milliseconds. */
const firstPause = 250;

/** Where variables are written. */
export interface WriteContext {
  client: ServiceClient;
  projectId: string;
  policy: ConflictPolicy;
  /** Waits some milliseconds, or until the run ends. */
  pause(milliseconds: number): Promise<void>;
  /** Is given every answer, which carries the whole environment's metadata. */
  onEnvironment(environment: Environment): void;
}

/** A variable after its writes. */
export interface WrittenVariable {
  result: VariableResult;
  /** How many times a `create` was sent, if an answer to one was lost: it may take effect late, beside another. */
  doubtfulCreates: number;
}

async function send(
  context: WriteContext,
  action: Action,
  plan: VariablePlan,
): Promise<Environment> {
  const { client, projectId } = context;
  const { name, value, kind, preview, production } = plan.desired;
  if (plan.observed === undefined) {
    return await client.createVariable(projectId, { name, value, kind, preview, production });
  }
  const { id, version: expectedVersion } = plan.observed;
  return action === 'retarget'
    ? await client.retargetVariable(projectId, id, { expectedVersion, preview, production })
    : await client.replaceVariable(projectId, id, { expectedVersion, value, kind });
}

/** Sends one write. If it succeeded with a body that cannot be used, the metadata is read instead. */
async function perform(
  context: WriteContext,
  action: Action,
  plan: VariablePlan,
): Promise<Variable | undefined> {
  const environment = await send(context, action, plan).catch(async (error: unknown) => {
    if (error instanceof ServiceError && error.fault === 'body') {
      return await context.client.getEnvironment(context.projectId);
    }
    throw error;
  });
  context.onEnvironment(environment);
  const { desired, observed } = plan;
  return environment.variables.findLast(({ id, name }) =>
    observed === undefined ? name === desired.name : id === observed.id,
  );
}

function canRecover(error: unknown, action: Action): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return error.mayHaveArrived || isConflict(error.details, action === 'create');
}

/** One variable, on its way. */
interface Writing {
  plan: VariablePlan;
  done: Action[];
  valueDone: boolean;
  /** A write was sent whose answer was lost. */
  unanswered: boolean;
  /** How many times a `create` was sent. */
  creates: number;
  /** The answer to one of them was lost. */
  mayBeTwice: boolean;
  reason: string;
}

function finish(writing: Writing, ended?: VariableOutcome): WrittenVariable {
  const { plan, done, creates, mayBeTwice, reason } = writing;
  const retargeted = done.includes('retarget');
  const written = done.includes('replace') ? 'replaced' : retargeted ? 'retargeted' : 'unchanged';
  const outcome = ended ?? (done.includes('create') || mayBeTwice ? 'created' : written);
  const doubtfulCreates = mayBeTwice ? creates : 0;
  return { result: { name: plan.desired.name, outcome, retargeted, reason }, doubtfulCreates };
}

async function writeNext(context: WriteContext, writing: Writing, action: Action): Promise<void> {
  if (action === 'create') writing.creates += 1;
  const observed = await perform(context, action, writing.plan);
  const actions = writing.plan.actions.slice(1);
  writing.plan = { ...writing.plan, actions, ...(observed === undefined ? {} : { observed }) };
  writing.done.push(action);
  writing.valueDone ||= action !== 'retarget';
}

/** Looks again after an interrupted write. Gives how the variable ended, if it must be left alone. */
async function lookAgain(
  context: WriteContext,
  writing: Writing,
  action: Action,
  error: ServiceError,
): Promise<'kept' | 'conflict' | undefined> {
  if (error.mayHaveArrived) await context.pause(error.retryAfter ?? firstPause);
  writing.unanswered ||= error.mayHaveArrived;
  writing.mayBeTwice ||= error.mayHaveArrived && action === 'create';
  const environment = await context.client.getEnvironment(context.projectId);
  context.onEnvironment(environment);
  const { plan, valueDone, unanswered } = writing;
  const now = environment.variables.find(({ name }) => name === plan.desired.name);
  const { policy } = context;
  const recovery = recover({ plan, action, valueDone, unanswered, now, policy });
  writing.reason = recovery.reason ?? writing.reason;
  if (recovery.kind !== 'continue') return recovery.kind;
  if (recovery.accepted) writing.done.push(action);
  writing.plan = recovery.plan;
  writing.valueDone = recovery.valueDone;
  return undefined;
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
  const writing: Writing = {
    plan: planned,
    done: [],
    valueDone: planned.actions.every((action) => action === 'retarget'),
    unanswered: false,
    creates: 0,
    mayBeTwice: false,
    reason: planned.reason,
  };
  for (let replans = 0; ; ) {
    const [action] = writing.plan.actions;
    if (action === undefined) return finish(writing);
    try {
      await writeNext(context, writing, action);
    } catch (error) {
      if (!canRecover(error, action) || replans >= mostReplans) throw error;
      replans += 1;
      const ended = await lookAgain(context, writing, action, error);
      if (ended !== undefined) return finish(writing, ended);
    }
  }
}
