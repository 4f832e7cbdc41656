import type { Environment, Variable } from '../contract/environment.ts';
import { type Operation, operations } from '../contract/operations.ts';
import { safe } from '../kernel/text/safe.ts';
import type { ServiceClient } from '../service/client.ts';
import { ServiceError, unproven, unseen } from '../service/errors.ts';
import {
  confirmingVariables,
  describeUnchanged,
  type EnvironmentMatcher,
  runtimesChanged,
} from './evaluate.ts';
import type { ConflictPolicy } from './intent.ts';
import type { VariableAction, VariablePlan } from './model/variable-plan.ts';
import { isConflict, isUntouched } from './plan.ts';

/** The pause before a second look at a service that had a fault, in milliseconds. */
const firstPause = 250;

/** Where variables are written. */
export interface WriteContext {
  client: ServiceClient;
  projectId: string;
  policy: ConflictPolicy;
  /** How far one write moves a version, as far as the ledger knows; else 1. */
  versionStep: number;
  /** True if versions are known to move in this service. */
  versionsMove: boolean;
  /** Tells the environment from another project's. */
  environmentMatcher: EnvironmentMatcher;
  /** Waits some milliseconds, or until the run ends. */
  pause(milliseconds: number): Promise<void>;
  /** The environment as it was last shown. */
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
 * What is known of a variable's value after a write of ours:
 *
 * - `ours`: it is surely what we wrote, at the version that is shown
 * - `untraceable`: it is what we wrote, and another would look the same
 * - `doubtful`: somebody else's write may have come after ours
 */
export type ValueCertainty = 'ours' | 'untraceable' | 'doubtful';

/** What a write left. */
export interface Performed {
  variable: Variable;
  value: ValueCertainty;
  /** True if the service has more than one of its name now, where it had none. */
  isTwice: boolean;
  /** True if nobody can know whether it was carried out: neither its version nor its time moves. */
  isUnknowable: boolean;
}

/** What is known of the value after a write that was carried out. */
function valueCertaintyOf(
  { observed }: VariablePlan,
  action: VariableAction,
  now: Variable,
  isAnswer: boolean,
  step: number,
): ValueCertainty {
  if (observed === undefined) {
    // What was changed between our write and our look may be somebody else's work.
    return isAnswer || isUntouched(now) ? 'ours' : 'untraceable';
  }
  if (now.version === observed.version + step) return 'ours';
  if (action === 'retarget') return 'doubtful';
  if (now.version === observed.version) return 'untraceable';
  return isAnswer ? 'ours' : 'doubtful';
}

/**
 * What to make of a write that does not show. Where versions never moved, a replacement that was sent twice, with a
 * whole answer and another revision of the runtimes after it, is taken as done, and said to be what nobody can know.
 *
 * @throws ServiceError for any other
 */
function judgeUnseen(
  context: WriteContext,
  action: VariableAction,
  plan: VariablePlan,
  { environment: { variables }, isAnswered, runtimesChanged }: Confirmation,
  isRepeated: boolean,
): Performed {
  const variable = variables.find(({ id }) => id === plan.observed?.id);
  const isAnswer = isAnswered && isRepeated && runtimesChanged;
  const mayStand = action === 'replace' && isAnswer && !context.versionsMove;
  if (variable !== undefined && mayStand) {
    return { variable, value: 'untraceable', isTwice: false, isUnknowable: true };
  }
  const seen = describeUnchanged(plan, variables);
  throw unproven(operations[`${action}Variable`], safe`a look after it shows ${seen}`);
}

/**
 * Sends the write that a plan asks for next, and makes sure that it was carried out: by its answer, or else by a
 * look. A retarget is surely the last write only if the version moved by one step: a service that does not mind
 * a stale version takes it after somebody else's new value.
 *
 * @param step how far one write moves the version
 * @param isRepeated true if it was answered with success before, and nothing showed it
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
  if (variable === undefined) return judgeUnseen(context, action, plan, confirmation, isRepeated);
  const before = plan.observed?.version ?? variable.version;
  context.versionsMove ||= variable.version !== before;
  const isTwice = found.length > 1;
  const value = isTwice
    ? 'doubtful'
    : valueCertaintyOf(plan, action, variable, confirmation.isAnswer, step);
  return { variable, value, isTwice, isUnknowable: false };
}

/** How often one variable is planned again before its error stands. */
const maxReplans = 3;

/** What was tried before the write that failed. */
export interface Tries {
  /** How often the variable was planned again. */
  replans: number;
  /** True if the write was answered with success before, and nothing showed it. */
  isRepeated: boolean;
}

/**
 * True if a second look at the service can tell how to go on after a write. One that was answered with success
 * and that nothing shows is sent once more at most.
 *
 * @param creating it was to create the variable
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
 * Looks at the service again, after a pause if it had a fault.
 *
 * @throws ServiceError that says what is known of the write, if the look failed
 */
export async function readAgain(context: WriteContext, error: ServiceError): Promise<Environment> {
  if (error.mayHaveArrived) await context.pause(error.pauseAfter(firstPause));
  return await look(context).catch((cause: unknown) => {
    throw cause instanceof ServiceError ? unseen(error, cause) : cause;
  });
}

/** The metadata after a write, and whether it shows that it was carried out. */
export interface Confirmation {
  environment: Environment;
  isDone: boolean;
  /** True if the write's own answer shows it, so that nobody can have come between. */
  isAnswer: boolean;
  /** True if the write was answered with metadata of this environment, whatever that shows. */
  isAnswered: boolean;
  /** True if the service says something else of its runtimes than before the write. */
  runtimesChanged: boolean;
}

/** Looks at the environment. */
export async function look(context: WriteContext): Promise<Environment> {
  const environment = await context.client.getEnvironment(context.projectId);
  context.environmentMatcher.look(environment);
  context.latest = environment;
  return environment;
}

/** The answer to a write; undefined if the service answered with success and a body that cannot be used. */
async function usable(sending: Promise<Environment>): Promise<Environment | undefined> {
  return await sending.catch((error: unknown) => {
    if (error instanceof ServiceError && error.effect === 'done') return undefined;
    throw error;
  });
}

/**
 * Waits for a write's answer, which counts only if it shows this environment and what was written; else the
 * service is looked at.
 *
 * @throws ServiceError if the write failed, or the look after it
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
  const environment = await look(context).catch((cause: unknown) => {
    const write = unproven(operation, safe`its answer does not show it`);
    throw cause instanceof ServiceError ? unseen(write, cause) : cause;
  });
  return {
    environment,
    isDone: isShownIn(environment),
    isAnswer: false,
    isAnswered,
    runtimesChanged: runtimesChanged(before, environment),
  };
}
