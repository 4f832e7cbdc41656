import type { Clock } from './clock.ts';
import { ServiceError } from './errors.ts';

const tries = 5;
const firstPause = 500;
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** What a retry loop needs from outside. */
export interface RetryContext {
  clock: Clock;
  signal: AbortSignal;
  /** The end of the run, in milliseconds since the epoch. */
  deadline: number;
  /** A number from 0 to 1. */
  random: () => number;
  /** Called before each pause, in milliseconds. */
  onPause?: (milliseconds: number, error: ServiceError) => void;
  /** Called for each attempt that may have arrived and is repeated. */
  onLost?: (error: ServiceError) => void;
}

/** True if the same request may succeed later. */
const isPassing = ({ fault, status = 0 }: ServiceError): boolean =>
  fault === 'answer' ? passing.has(status) : ['connect', 'broken', 'timeout'].includes(fault);

/** The same error, with the earlier attempt that may have arrived. */
function after(error: ServiceError, earlier: ServiceError | undefined): ServiceError {
  return earlier === undefined ? error : new ServiceError({ ...error.details, earlier });
}

/**
 * Calls `attempt` until it succeeds, at most five times: pauses of 0.5 s doubled each time, so at most
 * 4 s, with full jitter; a longer `Retry-After` wins. No pause goes past the deadline.
 *
 * @param isRepeatable true if it may be called again although it may have taken effect
 * @throws the last error, or the signal's reason
 */
export async function withRetry<T>(
  isRepeatable: boolean,
  context: RetryContext,
  attempt: () => Promise<T>,
): Promise<T> {
  let earlier: ServiceError | undefined;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof ServiceError)) throw error;
      const backoff = firstPause * 2 ** (failures - 1) * context.random();
      const pause = error.pauseAfter(backoff);
      const tooLate = context.clock.now() + pause >= context.deadline;
      const mayRepeat = isPassing(error) && (isRepeatable || error.effect === 'none');
      if (!mayRepeat || failures >= tries || tooLate) throw after(error, earlier);
      if (error.mayHaveArrived) {
        earlier = error;
        context.onLost?.(error);
      }
      context.onPause?.(pause, error);
      await context.clock.sleep(pause, context.signal);
    }
  }
}
