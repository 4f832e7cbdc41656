import type { SafeText } from '../kernel/text/safe.ts';
import type { Clock } from '../service/clock.ts';
import { inScope, type Scope } from '../step/scope.ts';
import type { Host } from '../step/step.ts';

/**
 * The pause before the next poll, in milliseconds: 0.3 s and 3% of the elapsed time, which limits how late an end is
 * found, and at most 5 s. A thirtieth is reserved for the machine, and jitter only shortens the rest.
 *
 * @param elapsed milliseconds since the deployment was accepted
 * @param random a number from 0 to 1
 */
export function pollPause(elapsed: number, random: number): number {
  return Math.min(5000, 300 + 0.03 * elapsed) * (0.97 - 0.07 * random);
}

/** Something that takes a while. */
export interface LongRunning {
  readonly status: SafeText;
  /** Milliseconds since it began. */
  readonly elapsed: number;
}

/** How often an unchanged status is logged, in milliseconds. */
const heartbeatInterval = 30_000;

/**
 * Works until the end of something that takes a while, with heartbeats. The loops are closed once it is known, and end
 * it if one throws.
 *
 * @throws the run's signal's reason
 */
export async function withHeartbeats<End>(
  host: Host,
  longRunning: LongRunning,
  work: (scope: Scope) => Promise<End>,
): Promise<End> {
  return await inScope(host.signal, async (scope) => {
    void scope.start(async (signal) => {
      for (;;) {
        await host.clock.sleep(heartbeatInterval, signal);
        const { status, elapsed } = longRunning;
        host.report({ type: 'heartbeat', status, elapsed });
      }
    });
    return await work(scope);
  });
}

/** Sleeps that can be cut short. */
export class Sleeper {
  readonly #clock: Clock;
  #wake = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Cuts the sleep short that goes on, else the next one. */
  wake(): void {
    this.#wake.abort();
  }

  /**
   * Sleeps so many milliseconds, unless it is woken.
   *
   * @returns true if it was woken
   * @throws the signal's reason
   */
  async sleep(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const { signal: wake } = this.#wake;
    const either = AbortSignal.any([signal, wake]);
    await this.#clock.sleep(milliseconds, either).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!wake.aborted) throw error;
    });
    if (wake.aborted) this.#wake = new AbortController();
    return wake.aborted;
  }
}
