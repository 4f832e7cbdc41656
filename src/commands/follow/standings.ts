import { type SafeText, safe } from '../../core/text/safe.ts';
import type { Clock } from '../../service/clock.ts';

/** The two places where progress may be read. */
export type Source = 'stream' | 'poll';

/** A path that answers "no such thing" for less than this, in milliseconds, may only be late. */
export const grace = 5000;

/** What is known of a source. */
interface Standing {
  /** When it began to answer "no such thing"; undefined while it answers otherwise. */
  missingSince?: number;
  /** Why it is taken as not offered; undefined while it may be. */
  absent?: SafeText;
}

/** Knows which sources are offered. */
export class Standings {
  readonly #clock: Clock;
  readonly #standings: ReadonlyMap<Source, Standing>;

  constructor(clock: Clock, sources: readonly Source[]) {
    this.#clock = clock;
    this.#standings = new Map(sources.map((source) => [source, {}]));
  }

  /** True if no source can be asked. */
  get isBlind(): boolean {
    return this.isOnly(undefined);
  }

  /** Which paths were asked in vain, and why. */
  get absences(): SafeText[] {
    return [...this.#standings.values()].map(({ absent }) => absent ?? safe``).filter(Boolean);
  }

  /** Why a source is taken as not offered; undefined while it may be. */
  absenceOf(source: Source): SafeText | undefined {
    return this.#standings.get(source)?.absent;
  }

  /** True if nobody but this one can be asked. */
  isOnly(one: Source | 'answer' | undefined): boolean {
    const others = [...this.#standings].filter(([source]) => source !== one);
    return others.every(([, { absent }]) => absent !== undefined);
  }

  /** A source answers: it is offered. */
  answered(source: Source): void {
    const standing = this.#standings.get(source);
    delete standing?.missingSince;
    delete standing?.absent;
  }

  /**
   * A source says that there is no such thing. It counts as not offered once the grace is over.
   *
   * @param forbidden true if waiting cannot help
   */
  missing(source: Source, why: SafeText, forbidden: boolean): void {
    const standing = this.#standings.get(source);
    if (standing === undefined) return;
    const now = this.#clock.now();
    standing.missingSince ??= now;
    if (forbidden || now - standing.missingSince >= grace) standing.absent = why;
  }
}
