/** How many event ids are remembered. */
const mostIds = 10_000;

/**
 * Knows which pieces of a stream's text were taken, so that a stream that begins anew after a drop repeats
 * none. It counts the pieces: an id says how many came up to it, and without ids a stream begins with the first.
 */
export class Replay {
  readonly #places = new Map<string, number>();
  #place = 0;
  #taken = 0;

  /** The stream was opened again, to be resumed after an id; empty if there was none. */
  reopened(lastEventId: string): void {
    const unknown = lastEventId === '' ? 0 : this.#taken;
    this.#place = this.#places.get(lastEventId) ?? unknown;
  }

  /**
   * Takes an event.
   *
   * @param id its own id; empty if it has none
   * @returns true if it holds a piece of text that is new
   */
  takes(id: string, hasText: boolean): boolean {
    const known = this.#places.get(id);
    if (known !== undefined) {
      this.#place = known;
      return false;
    }
    if (hasText) this.#place += 1;
    if (id !== '' && this.#places.size < mostIds) this.#places.set(id, this.#place);
    const isNew = hasText && this.#place > this.#taken;
    if (isNew) this.#taken = this.#place;
    return isNew;
  }
}
