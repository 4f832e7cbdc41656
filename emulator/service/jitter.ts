import { createHash } from 'node:crypto';
import type { Dialect } from '../dialect.ts';

/** The pauses of one request, in milliseconds. */
export interface Pauses {
  readonly beforeEffect: number;
  readonly beforeAnswer: number;
}

const none: Pauses = { beforeEffect: 0, beforeAnswer: 0 };

/**
 * Pauses that look random and are the same for the same seed. They follow from the operation and its count, not
 * from the order of all requests, so that a race between two operations is the same in each run.
 */
export class Jitter {
  readonly #dialect: Dialect;
  readonly #counts = new Map<string, number>();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** The pauses of the next request for an operation. */
  next(operation: string): Pauses {
    const { jitterMs, seed } = this.#dialect;
    const count = (this.#counts.get(operation) ?? 0) + 1;
    this.#counts.set(operation, count);
    if (jitterMs === 0) return none;
    const dice = createHash('sha256').update(`${seed} ${operation} ${count}`).digest();
    const roll = (at: number) => Math.round((jitterMs * dice.readUInt32BE(at)) / 0xffff_ffff);
    return { beforeEffect: roll(0), beforeAnswer: roll(4) };
  }
}
