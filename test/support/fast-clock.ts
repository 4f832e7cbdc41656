import type { Clock } from '../../src/service/clock.ts';

/** How many times faster than a wall clock the clock of a test world goes. */
export const speed = 20;

/** How often the clock is moved on, in real milliseconds. */
const tickMs = 4;

/** How much of a tick counts at least, so that what never rests comes to its deadline too. */
const leastMs = tickMs / 10;

interface Sleeper {
  until: number;
  wake: () => void;
}

const sleepers = new Set<Sleeper>();
let time = Date.now() * speed;

let { idle } = performance.eventLoopUtilization();

/**
 * Moves on by the time that this process, which plays the service too, had nothing to do since the last tick, but
 * by no more than one tick: where the machine is busy, no patience ends before an answer that is on its way.
 */
function tick(): void {
  const before = idle;
  idle = performance.eventLoopUtilization().idle;
  time += Math.min(Math.max(idle - before, leastMs), tickMs) * speed;
  const due = [...sleepers].filter(({ until }) => until <= time);
  for (const sleeper of due.sort((a, b) => a.until - b.until)) sleeper.wake();
}

setInterval(tick, tickMs).unref();

/** A clock that goes faster: what waits a minute in life waits three seconds here, or longer beside other work. */
export const fastClock: Clock = {
  now: () => time,
  sleep: async (milliseconds, signal) => {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const sleeper = { until: time + milliseconds, wake: resolve };
    const abort = () => reject(signal.reason);
    sleepers.add(sleeper);
    signal.addEventListener('abort', abort);
    try {
      await promise;
    } finally {
      sleepers.delete(sleeper);
      signal.removeEventListener('abort', abort);
    }
  },
};
