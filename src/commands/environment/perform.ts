import type { Environment, Variable } from '../../contract/environment.ts';
import { isConflict } from '../../core/environment/conflict.ts';
import type { Action, ConflictPolicy, VariablePlan } from '../../core/environment/variable-plan.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';

/** The pause before a second look at a service that had a fault, in milliseconds. */
const firstPause = 250;

/** Where variables are written. */
export interface WriteContext {
  client: ServiceClient;
  projectId: string;
  policy: ConflictPolicy;
  /** How far one write moves a version, as far as the ledger knows; else 1. */
  versionStep: number;
  /** Waits some milliseconds, or until the run ends. */
  pause(milliseconds: number): Promise<void>;
  /** Is given every answer, which carries the whole environment's metadata. */
  onEnvironment(environment: Environment): void;
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

/** What a successful write left. */
export interface Performed {
  /** Absent if the service does not show it. */
  variable?: Variable;
  /** True if the variable is surely as our write left it. */
  isSure: boolean;
  /** Set if somebody else made one of its name in the same moment: ours stands beside it, or took its place. */
  collision?: 'beside' | 'replaced';
}

/** True if nobody has changed the variable since it was created, as far as its times show. */
export const isNew = ({ createdAt, updatedAt }: Variable): boolean => createdAt === updatedAt;

/** What the metadata after a `create` shows: one variable that is new, or somebody else's too. */
function created(found: readonly Variable[]): Performed {
  const variable = found.at(-1);
  if (variable === undefined) return { isSure: false };
  if (found.length > 1) return { variable, isSure: false, collision: 'beside' };
  return isNew(variable)
    ? { variable, isSure: true }
    : { variable, isSure: true, collision: 'replaced' };
}

/**
 * Sends the write that a plan asks for next. If it succeeded with a body that cannot be used, the metadata is
 * read instead. A retarget is surely the last write only if the version moved by one step: a service that does
 * not mind a stale version takes it after somebody else's new value.
 *
 * @param step how far one write moves the version
 * @throws ServiceError if it failed
 */
export async function perform(
  context: WriteContext,
  action: Action,
  plan: VariablePlan,
  step: number,
): Promise<Performed> {
  let isAnswer = true;
  const environment = await send(context, action, plan).catch(async (error: unknown) => {
    if (!(error instanceof ServiceError && error.fault === 'body')) throw error;
    isAnswer = false;
    return await context.client.getEnvironment(context.projectId);
  });
  context.onEnvironment(environment);
  const { desired, observed } = plan;
  if (observed === undefined) {
    const made = created(environment.variables.filter(({ name }) => name === desired.name));
    // What was changed before our look may be somebody else's work after ours.
    const isLate = !isAnswer && made.collision === 'replaced';
    return isLate && made.variable ? { variable: made.variable, isSure: false } : made;
  }
  const variable = environment.variables.find(({ id }) => id === observed.id);
  if (variable === undefined) return { isSure: false };
  const isNext = variable.version === observed.version + step;
  return { variable, isSure: isNext || (isAnswer && action !== 'retarget') };
}

/** True if a second look at the service can tell how to go on. */
export function canRecover(error: unknown, creating: boolean): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return error.mayHaveArrived || isConflict(error.details, creating);
}

/** Looks at the service again, after a pause if it had a fault. */
export async function readAgain(context: WriteContext, error: ServiceError): Promise<Environment> {
  if (error.mayHaveArrived) await context.pause(error.pauseAfter(firstPause));
  const environment = await context.client.getEnvironment(context.projectId);
  context.onEnvironment(environment);
  return environment;
}
