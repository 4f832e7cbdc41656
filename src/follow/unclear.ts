import { mayHaveArrived, ServiceError } from '../service/errors.ts';
import type { Host } from '../step/step.ts';

/** How long the result of an unclear request is searched for, in milliseconds. */
const longestRead = 5000;

/** The pause between two searches, in milliseconds. */
const pause = 1000;

/** A request that must not take effect twice. */
export class UnclearRequest {
  #mayExist = false;

  /** True while it is in flight, and once it may have taken effect although no response came. */
  get mayExist(): boolean {
    return this.#mayExist;
  }

  /** Sends it, once. */
  async send<Answer>(send: () => Promise<Answer>): Promise<Answer> {
    const before = this.#mayExist;
    this.#mayExist = true;
    try {
      return await send();
    } catch (error) {
      this.#mayExist = before || mayHaveArrived(error);
      throw error;
    }
  }

  /**
   * Searches several times for what it may have created, which may be listed late. After a refused request it searches
   * once: another request may have created the same.
   *
   * @param read reads it; undefined if it is not there (yet)
   * @throws the last search's error
   */
  async find<Found>(
    host: Host,
    read: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const { clock, signal } = host;
    const started = clock.now();
    for (;;) {
      const isLast = !this.#mayExist || clock.now() - started >= longestRead;
      const found = await read().catch((error: unknown) => {
        if (isLast || signal.aborted || !(error instanceof ServiceError)) throw error;
        return undefined;
      });
      if (found !== undefined || isLast) return found;
      await clock.sleep(pause, signal);
    }
  }
}
