import type { Clock } from './clock.ts';
import { ServiceError } from './errors.ts';

const tries = 5;
const firstPause = 500;
const passing: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** What a retry loop needs from outside. */
export interface RetryContext {
  clock: Clock;
  signal: AbortSignal;
  /** The end of the run, in milliseconds since the epoch: no wait goes past it. */
  deadline: number;
  /** A number from 0 to 1. */
  random: () => number;
  /** Is told of each pause, in milliseconds, before it begins. */
  onPause?: (milliseconds: number, error: ServiceError) => void;
  /** Is told of each try that may have arrived, and is made once more. */
  onLost?: (error: ServiceError) => void;
}

/** True if the same request may succeed later. */
const isPassing = ({ fault, status = 0 }: ServiceError): boolean =>
  fault === 'answer' ? passing.has(status) : ['connect', 'broken', 'timeout'].includes(fault);

/** The same error, with the earlier try that may have arrived. */
function after(error: ServiceError, earlier: ServiceError | undefined): ServiceError {
  return earlier === undefined ? error : new ServiceError({ ...error.details, earlier });
}

/**
 * Calls `attempt` until it succeeds, at most five times: pauses of 0.5 s doubled each time, so at most
 * 4 s, with full jitter; a longer `Retry-After` wins. A pause that would pass the deadline is not begun.
 *
 * @param isRepeatable true if it may be called again although it may have had its effect
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
