/** How many event ids are remembered. */
const mostIds = 10_000;

/**
 * Knows which lines of a build's log were shown, so that a stream that begins anew after a drop repeats
 * none: an event whose id was seen is old, and without ids as many lines are old as were shown before.
 */
export class BuildLog {
  readonly #ids = new Set<string>();
  #shown = 0;
  #old = 0;

  /** The stream was opened again. */
  reopened(): void {
    this.#old = this.#ids.size === 0 ? this.#shown : 0;
  }

  /** True if an event was seen before. Its id is empty if it has none. */
  isOld(id: string): boolean {
    if (id === '') return false;
    const isOld = this.#ids.has(id);
    if (this.#ids.size < mostIds) this.#ids.add(id);
    return isOld;
  }

  /** True if a line is to be shown. */
  takes(): boolean {
    if (this.#old > 0) {
      this.#old -= 1;
      return false;
    }
    this.#shown += 1;
    return true;
  }
}
