import { randomFrom } from '../record/scrub.ts';

/** How long the others wait for the next request of a run, in milliseconds: longer than most runs compute. */
const usual = 300;
/** How often in a hundred the same one goes on if it can. */
const often = 70;

/**
 * Lets one thing happen after the other of all that could happen at once. Whose turn is next, a seed chooses, once each
 * of those under way has something to do or has been waited for.
 */
export class Turns {
  readonly #random: () => number;
  readonly #waiting: { by: number; pass: () => void }[] = [];
  /** Until when the others wait for each of those under way. */
  readonly #until = new Map<number, number>();
  readonly #held = new Set<number>();
  #last = 0;
  #isTaken = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(seed: string) {
    this.#random = randomFrom(seed);
  }

  /** Resolves when it is its turn, which is over when it ends it. */
  async take(by: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ by, pass: resolve });
    this.#next();
    await promise;
  }

  end(by: number, wait = usual): void {
    this.#isTaken = false;
    if (this.#until.has(by)) this.expect(by, wait);
    else this.#next();
  }

  /** Lets the others wait for it for a while. */
  expect(by: number, wait: number): void {
    this.#until.set(by, Date.now() + wait);
    this.#next();
  }

  /** Gives no turn to it any more until it is let go. */
  hold(by: number): void {
    this.#held.add(by);
  }

  letGo(by: number): void {
    if (this.#held.delete(by)) this.expect(by, usual);
  }

  isHeld(by: number): boolean {
    return this.#held.has(by);
  }

  /** Ends its waiting, and the others' for it. */
  leave(by: number): void {
    this.#until.delete(by);
    this.#next();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const ready = this.#waiting.filter(({ by }) => !this.#held.has(by));
    if (this.#isTaken || ready.length === 0) return;
    const all = new Set(ready.map(({ by }) => by));
    const times = [...this.#until].filter(([by]) => !all.has(by) && !this.#held.has(by));
    const wait = Math.max(0, ...times.map(([, until]) => until - Date.now()));
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#next(), wait);
      return;
    }
    const sorted = [...all].sort((one, other) => one - other);
    const stays = all.has(this.#last) && this.#random() * 100 < often;
    if (!stays) this.#last = sorted[Math.floor(this.#random() * sorted.length)] ?? this.#last;
    const first = ready.find(({ by }) => by === this.#last);
    if (first === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(first), 1);
    this.#isTaken = true;
    first.pass();
  }
}
