import type { Host } from '../host.ts';

/** How long the rest of the text is waited for once the list says that the turn has ended, in milliseconds. */
const longestRest = 60_000;

/** A stream that says nothing for so long then has no more to say, in milliseconds. */
const longestSilence = 10_000;

/** The same, where a stream has told the end itself, and may say afterwards what the turn said. */
const shortSilence = 2000;

/**
 * Knows when a stream has said all that it has to say: its own end or, once the end is known from elsewhere,
 * closed twice without another word.
 */
export class StreamCompletion {
  readonly #done = Promise.withResolvers<true>();
  #events = 0;
  #closes: number | undefined;
  #onClosed: (() => void) | undefined;

  /** The stream told the turn's end, or nothing more of it is needed. */
  endSeen(): void {
    this.#done.resolve(true);
  }

  /** The stream is not silent. */
  eventSeen(): void {
    this.#events += 1;
  }

  /** Something came that the stream had not said before: it goes on, however often it is closed. */
  newsSeen(): void {
    if (this.#closes !== undefined) this.#closes = 0;
  }

  /** The stream was closed, or could not be opened. */
  closed(): void {
    this.#onClosed?.();
    if (this.#closes === undefined) return;
    this.#closes += 1;
    if (this.#closes >= 2) this.#done.resolve(true);
  }

  /**
   * Waits for the rest, now that the end is known.
   *
   * @returns true if all was said; false if it does not come
   * @throws the signal's reason
   */
  async rest({ clock }: Host, signal: AbortSignal): Promise<boolean> {
    this.#closes ??= 0;
    const started = clock.now();
    for (;;) {
      const before = this.#events;
      const isDone = await Promise.race([this.#done.promise, clock.sleep(longestSilence, signal)]);
      if (isDone === true) return true;
      if (this.#events === before || clock.now() - started >= longestRest) return false;
    }
  }

  /**
   * Waits until a stream that has told the end is closed or silent.
   *
   * @throws the signal's reason
   */
  async waitForClose({ clock }: Host, signal: AbortSignal): Promise<void> {
    const closed = Promise.withResolvers<true>();
    this.#onClosed = () => closed.resolve(true);
    const started = clock.now();
    for (;;) {
      const before = this.#events;
      const isClosed = await Promise.race([closed.promise, clock.sleep(shortSilence, signal)]);
      const isOver = this.#events === before || clock.now() - started >= longestRest;
      if (isClosed === true || isOver) return;
    }
  }
}
