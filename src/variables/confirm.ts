import type { Environment } from '../contract/environment.ts';
import type { Operation } from '../contract/operations.ts';
import { safe } from '../kernel/text/safe.ts';
import { ServiceError, unproven, unseen } from '../service/errors.ts';
import { runtimesChanged } from './model/write-confirmation.ts';
import type { WriteContext } from './perform.ts';

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
