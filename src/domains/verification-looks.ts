import type { Host } from '../frame/step.ts';
import type { ServiceError } from '../service/errors.ts';

/** The first pause between two requests, in milliseconds; each pause is twice as long as the one before. */
const firstPause = 300;
/** The longest pause, and the shortest interval between two requests with `revalidate`. */
const longestPause = 5000;

/**
 * When to request the verification of domains (section "Connected domains"): immediately, then with growing pauses, up
 * to every five seconds. `revalidate` is set for the first request and for one every five seconds.
 */
export class VerificationLooks {
  readonly #host: Host;
  readonly #started: number;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
  #pause = 0;
  /** When the next `revalidate` is due. */
  #due: number;
  /** True if the previous request had `revalidate`. */
  #isRevalidated = false;

  /** @param timeout how long the verification is followed, in milliseconds */
  constructor(host: Host, timeout: number) {
    this.#host = host;
    this.#started = host.clock.now();
    this.#due = this.#started;
    this.deadline = this.#started + timeout;
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return this.#host.clock.now() - this.#started;
  }

  get isOver(): boolean {
    return this.#host.clock.now() >= this.deadline;
  }

  /**
   * Waits until the next request is due, at most until the deadline, even if the service requests a longer pause.
   *
   * @param signal ends the pause
   * @param trouble the error of the previous request, which makes the pause longer
   * @returns whether the request has `revalidate`
   */
  async next(signal: AbortSignal, trouble?: ServiceError): Promise<boolean> {
    const { clock } = this.#host;
    const now = clock.now();
    // Counted from the response, because a slow or retried request arrives late.
    if (this.#isRevalidated) this.#due = now + longestPause;
    const untilDue = this.#due - now;
    const ordinary = untilDue > 0 ? Math.min(this.#pause, untilDue) : this.#pause;
    const pause = trouble?.pauseAfter(longestPause) ?? ordinary;
    const at = Math.min(now + pause, this.deadline);
    if (at > now) await clock.sleep(at - now, signal);
    this.#pause = Math.min(longestPause, Math.max(firstPause, this.#pause * 2));
    this.#isRevalidated = at >= this.#due;
    return this.#isRevalidated;
  }
}
