import type { FaultHandle } from '../faults.ts';
import type { Watched } from './part.ts';

/** What can be out of order for a while. */
export const outageSides = ['service', 'GitHub'] as const;
export type OutageSide = (typeof outageSides)[number];

/** What each is called within a sentence. */
export const outageNames = { service: 'the service', GitHub: 'GitHub' } as const;

/** Lets the service or GitHub answer 503 for a while. Sites and the projects' repositories go on. */
export class Outages {
  readonly #watched: Watched;
  readonly #ends = new Map<OutageSide, number>();
  #fault: FaultHandle | undefined;

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /** When one ends, in milliseconds since the epoch; 0 if there is none. */
  endOf(side: OutageSide): number {
    return this.#ends.get(side) ?? 0;
  }

  /** Begins one, or lets it last so long from now on. */
  begin(side: OutageSide, ms: number): void {
    this.stop(side);
    const endsAt = Date.now() + ms;
    this.#ends.set(side, endsAt);
    if (side === 'service') this.#strike(endsAt);
    else this.#trouble();
  }

  /** Ends one. */
  stop(side: OutageSide): void {
    this.#ends.delete(side);
    if (side === 'service') this.#fault?.remove();
  }

  #strike(endsAt: number): void {
    this.#fault = this.#watched.emulator.faults.add({
      kind: 'status',
      status: 503,
      effect: false,
      operation: /^(?!git$|site$|page$)/,
      times: Number.POSITIVE_INFINITY,
      endsAt,
    });
  }

  /** By the clock and not by a timer, so that trouble which comes meanwhile is not taken back. */
  #trouble(): void {
    const { github } = this.#watched;
    github.trouble = () => (Date.now() < this.endOf('GitHub') ? 'unavailable' : undefined);
  }
}
