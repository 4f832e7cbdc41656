import type { Host } from '../frame/host.ts';
import type { ServiceError } from '../service/errors.ts';

/** The first pause between two looks, in milliseconds: each is twice as long as the one before. */
const firstPause = 300;
/** The longest one; and the service is asked to look itself no more often than that. */
const longestPause = 5000;

/**
 * When the verification of domains is looked at (section "Connected domains"): at once, soon again, so that one that
 * takes a second is not waited for five, and then every five seconds. The service is asked to look itself
 * (`revalidate`) by the first look, and by one every five seconds.
 */
export class VerificationLooks {
  readonly #host: Host;
  readonly #started: number;
  /** When the following ends, in milliseconds since the epoch. */
  readonly deadline: number;
  #pause = 0;
  /** When the service may be asked to look itself. */
  #due: number;
  /** The look before asked for it. */
  #isRevalidated = false;

  /** @param timeout how long the verification is followed, in milliseconds */
  constructor(host: Host, timeout: number) {
    this.#host = host;
    this.#started = host.clock.now();
    this.#due = this.#started;
    this.deadline = this.#started + timeout;
  }

  /** Milliseconds since the following began. */
  get elapsed(): number {
    return this.#host.clock.now() - this.#started;
  }

  /** True once its time is up. */
  get isOver(): boolean {
    return this.#host.clock.now() >= this.deadline;
  }

  /**
   * Waits until the next look is due, at the longest to the end of the following, whatever the service asks for.
   *
   * @param signal ends the pause
   * @param trouble what the look before met: then the pause is a long one
   * @returns whether the look may ask the service to look itself
   */
  async next(signal: AbortSignal, trouble?: ServiceError): Promise<boolean> {
    const { clock } = this.#host;
    const now = clock.now();
    // Counted from its answer: a look that is tried again, or takes long, asks the service late.
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
