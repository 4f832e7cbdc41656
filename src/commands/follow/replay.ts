/** How many event ids are remembered. */
const mostIds = 10_000;

/**
 * Knows which pieces of a stream's text were taken, so that a stream that begins anew after a drop repeats
 * none: an event whose id was seen is old, and without ids as many pieces are old as were taken before.
 */
export class Replay {
  readonly #ids = new Set<string>();
  #taken = 0;
  #old = 0;

  /** The stream was opened again. */
  reopened(): void {
    this.#old = this.#ids.size === 0 ? this.#taken : 0;
  }

  /** True if an event was seen before. Its id is empty if it has none. */
  isOld(id: string): boolean {
    if (id === '') return false;
    const isOld = this.#ids.has(id);
    if (this.#ids.size < mostIds) this.#ids.add(id);
    return isOld;
  }

  /** True if a piece of text is new. */
  takes(): boolean {
    if (this.#old > 0) {
      this.#old -= 1;
      return false;
    }
    this.#taken += 1;
    return true;
  }
}
