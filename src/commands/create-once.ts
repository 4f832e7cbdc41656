import { ServiceError } from '../service/errors.ts';
import type { Host } from './host.ts';

/** How often a request is sent at most. */
const mostTries = 3;

/** The pause before a second look at a service that had a fault, in milliseconds. */
const firstPause = 500;

/** Something to create that must not be there twice. */
export interface Creation<Created> {
  /** Sends the request, with the same idempotency key each time. */
  send(): Promise<Created>;
  /** Looks for what an unclear request may have created. */
  find(): Promise<Created | undefined>;
}

/** True if a write that is not repeated may have been carried out although the request failed. */
export function isUnclear(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError)) return false;
  return error.mayHaveArrived || error.fault === 'body' || error.status === 409;
}

/**
 * Creates something once. What an idempotency key does is not shown, so a request whose answer is lost is not
 * repeated blindly: the service is asked first whether the thing is there.
 *
 * @throws ServiceError if it could not be created
 */
export async function createOnce<Created>(
  host: Host,
  { send, find }: Creation<Created>,
): Promise<Created> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (!isUnclear(error)) throw error;
      await host.clock.sleep(error.pauseAfter(firstPause), host.signal);
      const found = await find();
      if (found !== undefined) return found;
      if (tries >= mostTries || !error.mayHaveArrived) throw error;
    }
  }
}
