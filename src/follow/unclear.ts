import type { Host } from '../frame/host.ts';
import { mayHaveArrived, ServiceError } from '../service/errors.ts';

/** How long what an unclear request may have made is looked for, in milliseconds. */
const longestLook = 5000;

/** The pause between two looks, in milliseconds. */
const pause = 1000;

/** A request that must not be carried out twice. */
export class UnclearRequest {
  #mayExist = false;

  /** True while it is under way, and once it may have been carried out although no answer came. */
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
   * Looks for what it may have made, several times: what was accepted may be listed late. A refused request has
   * made nothing, but that another may have done the same is worth one look.
   *
   * @param look gives it, or undefined if it is not there (yet)
   * @throws the last look's error
   */
  async find<Found>(
    host: Host,
    look: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const { clock, signal } = host;
    const started = clock.now();
    for (;;) {
      const isLast = !this.#mayExist || clock.now() - started >= longestLook;
      const found = await look().catch((error: unknown) => {
        if (isLast || signal.aborted || !(error instanceof ServiceError)) throw error;
        return undefined;
      });
      if (found !== undefined || isLast) return found;
      await clock.sleep(pause, signal);
    }
  }
}
