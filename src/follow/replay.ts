/** How many event ids are remembered. */
const maxIds = 10_000;

/** How many characters are kept to compare with; of those beyond, only the number counts. */
const maxKept = 1_000_000;

/**
 * Knows which text of a stream was taken, so that a stream that begins anew after a drop repeats none. It
 * compares characters, because the pieces may be cut elsewhere: an id says how many came up to it, and without
 * ids a stream begins with the first. Text that could be a repetition is held back until it differs or goes on.
 */
export class Replay {
  readonly #places = new Map<string, number>();
  #kept = '';
  /** How many characters were taken. */
  #taken = 0;
  /** How many of them the stream has come to. */
  #place = 0;
  #held: string[] = [];

  /** The stream was opened again, to be resumed after an id; empty if there was none. */
  reopened(lastEventId: string): void {
    const unknown = lastEventId === '' ? 0 : this.#taken;
    this.#goTo(this.#places.get(lastEventId) ?? unknown);
  }

  /** True if an event of this id was taken. */
  knows(id: string): boolean {
    return this.#places.has(id);
  }

  /**
   * Takes an event.
   *
   * @param id its own id; empty if it has none
   * @param text its piece of the text; empty if it has none
   * @returns the pieces of text that are new
   */
  take(id: string, text: string): string[] {
    const known = this.#places.get(id);
    if (known !== undefined) {
      this.#goTo(known);
      return [];
    }
    const fresh = text === '' ? [] : this.#compare(text);
    if (id !== '' && this.#places.size < maxIds) this.#places.set(id, this.#place);
    return fresh;
  }

  #goTo(place: number): void {
    this.#place = place;
    this.#held = [];
  }

  #compare(text: string): string[] {
    const before = this.#kept.slice(this.#place, Math.min(this.#taken, this.#place + text.length));
    const overlap = Math.min(text.length, this.#taken - this.#place);
    if (!text.startsWith(before)) return this.#add([...this.#held, text]);
    const rest = text.slice(overlap);
    if (rest !== '') return this.#add([rest]);
    this.#place += overlap;
    if (this.#place < Math.min(this.#taken, maxKept)) this.#held.push(text);
    else this.#held = [];
    return [];
  }

  #add(pieces: string[]): string[] {
    const joined = pieces.join('');
    this.#kept += joined.slice(0, maxKept - this.#kept.length);
    this.#taken += joined.length;
    this.#goTo(this.#taken);
    return pieces;
  }
}
