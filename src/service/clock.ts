import { setTimeout as sleep } from 'node:timers/promises';

/** Time, passed in so that tests can control it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after some milliseconds, 24 days at most; rejects with the signal's reason when it aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The longest span that a timer takes, in milliseconds: a longer one would end at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds, signal) => {
    try {
      await sleep(Math.min(milliseconds, longestTimer), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
