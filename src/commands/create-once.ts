import { ServiceError } from '../service/errors.ts';
import type { Host } from './host.ts';
import { afterFailedLook, Unproven } from './unproven.ts';

/** How often a request is sent at most. */
const mostTries = 3;

/** The pause before a second look at a service that had a fault, in milliseconds. */
const firstPause = 500;

/** Something to create that must not be there twice. */
export interface Creation<Created> {
  /** Sends the request, with the same idempotency key each time. @throws Unproven if its answer is about another */
  send(): Promise<Created>;
  /** Looks for what an unclear request may have created. */
  find(): Promise<Created | undefined>;
}

/** What was created. */
export interface CreatedOnce<Created> {
  created: Created;
  /** True if it was sent more than once: it may come to be there twice. */
  isRepeated: boolean;
}

/** True if a write that is not repeated may have been carried out although the request failed. */
export function isUnclear(error: unknown): error is ServiceError | Unproven {
  if (error instanceof Unproven) return true;
  if (!(error instanceof ServiceError)) return false;
  return error.mayHaveArrived || error.fault === 'body' || error.status === 409;
}

/** How long to wait before a second look, in milliseconds. */
const pauseAfter = (error: ServiceError | Unproven): number =>
  error instanceof ServiceError ? error.pauseAfter(firstPause) : firstPause;

/** True if a request had surely no effect of its own, and would have none if it was sent again. */
const isRefusal = (error: ServiceError | Unproven): boolean =>
  error instanceof ServiceError && !error.mayHaveArrived;

/** What is known of something that was asked for more than once. */
export function describeRepetition(what: string): string {
  return `${what} was sent again, because its answer was lost or useless and nothing showed that it had arrived. If the first request takes effect late, and the service does not heed the idempotency key, it is there twice: look at the service.`;
}

/**
 * Creates something once. What an idempotency key does is not shown, so a request whose answer is lost, or is about
 * something else, is not repeated blindly: the service is asked first whether the thing is there.
 *
 * @throws ServiceError or Unproven if it could not be created
 */
export async function createOnce<Created>(
  host: Host,
  { send, find }: Creation<Created>,
): Promise<CreatedOnce<Created>> {
  for (let tries = 1; ; tries += 1) {
    const isRepeated = tries > 1;
    try {
      return { created: await send(), isRepeated };
    } catch (error) {
      if (!isUnclear(error)) throw error;
      await host.clock.sleep(pauseAfter(error), host.signal);
      const created = await find().catch((cause: unknown) => {
        throw cause instanceof ServiceError ? afterFailedLook(error, cause) : cause;
      });
      if (created !== undefined) return { created, isRepeated };
      if (tries >= mostTries || isRefusal(error)) throw error;
    }
  }
}
