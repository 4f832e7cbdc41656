import type { Environment, Variable } from '../contract/environment.ts';
import { type Operation, operations } from '../contract/operations.ts';
import { safe } from '../kernel/text/safe.ts';
import type { ServiceClient } from '../service/client.ts';
import { notShown, ServiceError, unproven } from '../service/errors.ts';
import {
  confirmingVariables,
  describeUnchanged,
  type EnvironmentMatcher,
  runtimesChanged,
} from './evaluate.ts';
import type { ConflictPolicy } from './intent.ts';
import type { VariableAction, VariablePlan } from './model/variable-plan.ts';
import { isConflict, isUntouched } from './plan.ts';

/** The pause before the environment is read again after a server error, in milliseconds. */
const firstPause = 250;

/** Where variables are written. */
export interface WriteContext {
  client: ServiceClient;
  projectId: string;
  policy: ConflictPolicy;
  /** How far one write increases a version, according to the ledger; else 1. */
  versionStep: number;
  /** True if this service is known to increase versions. */
  versionsMove: boolean;
  environmentMatcher: EnvironmentMatcher;
  /** Waits some milliseconds, or until the run ends. */
  pause(milliseconds: number): Promise<void>;
  /** The environment as last read or returned. */
  latest: Environment;
}

async function send(
  context: WriteContext,
  action: VariableAction,
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

/**
 * What is known about a variable's value after a write:
 *
 * - `ours`: the value of this run, at the returned version
 * - `untraceable`: the value of this run, but its version doesn't distinguish it from another value
 * - `doubtful`: another write may have come after this one
 */
export type ValueCertainty = 'ours' | 'untraceable' | 'doubtful';

/** The result of a write. */
export interface Performed {
  variable: Variable;
  value: ValueCertainty;
  /** True if the service has several variables of the name after one was created. */
  isTwice: boolean;
  /** True if the write can't be confirmed: neither version nor time changed. */
  isUnknowable: boolean;
}

/** What is known about the value after a confirmed write. */
function valueCertaintyOf(
  { observed }: VariablePlan,
  action: VariableAction,
  now: Variable,
  isAnswer: boolean,
  step: number,
): ValueCertainty {
  if (observed === undefined) {
    // A change between the write and the read may come from elsewhere.
    return isAnswer || isUntouched(now) ? 'ours' : 'untraceable';
  }
  if (now.version === observed.version + step) return 'ours';
  if (action === 'retarget') return 'doubtful';
  if (now.version === observed.version) return 'untraceable';
  return isAnswer ? 'ours' : 'doubtful';
}

/**
 * Handles an unconfirmed write. If this service never increased a version, a replacement that was sent twice, with a
 * complete response and another revision of the runtimes after it, counts as done but can't be confirmed.
 *
 * @throws ServiceError for any other write
 */
function judgeUnconfirmed(
  context: WriteContext,
  action: VariableAction,
  plan: VariablePlan,
  { environment: { variables }, isAnswered, runtimesChanged }: Confirmation,
  isRepeated: boolean,
): Performed {
  const variable = variables.find(({ id }) => id === plan.observed?.id);
  const isPlausible = isAnswered && isRepeated && runtimesChanged;
  const isAccepted = action === 'replace' && isPlausible && !context.versionsMove;
  if (variable !== undefined && isAccepted) {
    return { variable, value: 'untraceable', isTwice: false, isUnknowable: true };
  }
  throw unproven(operations[`${action}Variable`], describeUnchanged(plan, variables));
}

/**
 * Sends the next write of a plan and confirms it by its response or by reading the environment. A retarget is known to
 * be the last write only if the version increased by one step: a service that ignores `expectedVersion` accepts it
 * after another value was written.
 *
 * @param step how far one write increases the version
 * @param isRepeated true if it succeeded before without being confirmed
 * @throws ServiceError if it failed
 */
export async function perform(
  context: WriteContext,
  action: VariableAction,
  plan: VariablePlan,
  { step, isRepeated }: { step: number; isRepeated: boolean },
): Promise<Performed> {
  const operation = operations[`${action}Variable`];
  const shownIn = ({ variables }: Environment) => confirmingVariables(action, plan, variables);
  const confirmation = await confirm(
    context,
    operation,
    send(context, action, plan),
    (environment) => shownIn(environment).length > 0,
  );
  const found = shownIn(confirmation.environment);
  const variable = found.at(-1);
  if (variable === undefined)
    return judgeUnconfirmed(context, action, plan, confirmation, isRepeated);
  const before = plan.observed?.version ?? variable.version;
  context.versionsMove ||= variable.version !== before;
  const isTwice = found.length > 1;
  const value = isTwice
    ? 'doubtful'
    : valueCertaintyOf(plan, action, variable, confirmation.isAnswer, step);
  return { variable, value, isTwice, isUnknowable: false };
}

/** How often one variable is planned again before its error is final. */
const maxReplans = 3;

/** The attempts before the write that failed. */
interface Tries {
  replans: number;
  /** True if the write succeeded before without being confirmed. */
  isRepeated: boolean;
}

/**
 * True if reading the environment again can show how to continue after a failed write. A write that succeeded without
 * being confirmed is sent once more at most.
 *
 * @param creating the write would have created the variable
 */
export function canRecover(
  error: unknown,
  { replans, isRepeated }: Tries,
  creating: boolean,
): error is ServiceError {
  if (replans >= maxReplans) return false;
  if (!(error instanceof ServiceError)) return false;
  if (error.fault === 'unproven') return !isRepeated;
  return error.mayHaveArrived || isConflict(error.details, creating);
}

/**
 * Reads the environment again, after a pause if the write may have arrived.
 *
 * @throws ServiceError with what is known about the write, if reading failed
 */
export async function readAgain(context: WriteContext, error: ServiceError): Promise<Environment> {
  if (error.mayHaveArrived) await context.pause(error.pauseAfter(firstPause));
  return await refreshEnvironment(context).catch((cause: unknown) => {
    throw cause instanceof ServiceError ? notShown(error, cause) : cause;
  });
}

/** The metadata after a write, and whether it confirms the write. */
interface Confirmation {
  environment: Environment;
  isDone: boolean;
  /** True if the write's own response confirms it, so that no other write came between. */
  isAnswer: boolean;
  /** True if the response had metadata of this environment. */
  isAnswered: boolean;
  /** True if the runtimes' state differs from that before the write. */
  runtimesChanged: boolean;
}

/** Reads the environment, which later writes are compared with. */
export async function refreshEnvironment(context: WriteContext): Promise<Environment> {
  const environment = await context.client.readEnvironment(context.projectId);
  context.environmentMatcher.update(environment);
  context.latest = environment;
  return environment;
}

/** The response to a write; undefined if it is a success with an invalid body. */
async function usable(sending: Promise<Environment>): Promise<Environment | undefined> {
  return await sending.catch((error: unknown) => {
    if (error instanceof ServiceError && error.effect === 'done') return undefined;
    throw error;
  });
}

/**
 * Waits for a write's response, which counts only if it shows this environment with the change; otherwise the
 * environment is read.
 *
 * @throws ServiceError if the write or reading after it failed
 */
export async function confirm(
  context: WriteContext,
  operation: Operation,
  sending: Promise<Environment>,
  isShownIn: (environment: Environment) => boolean,
): Promise<Confirmation> {
  const before = context.latest;
  const answer = await usable(sending);
  const isAnswered = answer !== undefined && context.environmentMatcher.recognizes(answer);
  if (isAnswered && isShownIn(answer)) {
    context.latest = answer;
    return { environment: answer, isDone: true, isAnswer: true, isAnswered, runtimesChanged: true };
  }
  const environment = await refreshEnvironment(context).catch((cause: unknown) => {
    const write = unproven(operation, safe`the response does not show the change`);
    throw cause instanceof ServiceError ? notShown(write, cause) : cause;
  });
  return {
    environment,
    isDone: isShownIn(environment),
    isAnswer: false,
    isAnswered,
    runtimesChanged: runtimesChanged(before, environment),
  };
}
