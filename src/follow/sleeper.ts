import type { Clock } from '../service/clock.ts';

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
