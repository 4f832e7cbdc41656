import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { Clock } from '../service/clock.ts';
import type { ConfirmedBy } from './model/evaluate.ts';

/** The two sources of progress. */
export type Source = 'stream' | 'poll';

/** A path that returns "not found" for less than this, in milliseconds, may only be late. */
export const gracePeriod = 5000;

/** What is known of a source. */
interface SourceState {
  /** Since when it has returned "not found"; undefined otherwise. */
  missingSince?: number;
  /** Why it counts as not available; undefined while it may be. */
  absent?: SafeText;
  /** True if it is, because the key may not read it. */
  isForbidden?: boolean;
}

/** Which sources are available. */
export class SourceStates {
  readonly #clock: Clock;
  readonly #states: ReadonlyMap<Source, SourceState>;

  constructor(clock: Clock, sources: readonly Source[]) {
    this.#clock = clock;
    this.#states = new Map(sources.map((source) => [source, {}]));
  }

  /** True if no source is available. */
  get hasNoSource(): boolean {
    return this.isOnly(undefined);
  }

  /** The paths that are not available, and why. */
  get absences(): SafeText[] {
    return [...this.#states.values()].map(({ absent }) => absent ?? safe``).filter(Boolean);
  }

  /** True if no source is available, and the key may read none. */
  get isForbidden(): boolean {
    return this.hasNoSource && [...this.#states.values()].every(({ isForbidden }) => isForbidden);
  }

  /** Why a source counts as not available; undefined while it may be. */
  absenceOf(source: Source): SafeText | undefined {
    return this.#states.get(source)?.absent;
  }

  /** True if no other source is available. */
  isOnly(one: Source | 'answer' | undefined): boolean {
    const others = [...this.#states].filter(([source]) => source !== one);
    return others.every(([, { absent }]) => absent !== undefined);
  }

  /** A source responded, so it is available. */
  answered(source: Source): void {
    const state = this.#states.get(source);
    delete state?.missingSince;
    delete state?.absent;
    delete state?.isForbidden;
  }

  /**
   * A source returned "not found". It counts as not available once the grace period is over.
   *
   * @param forbidden true if waiting cannot help
   */
  missing(source: Source, why: SafeText, forbidden: boolean): void {
    const state = this.#states.get(source);
    if (state === undefined) return;
    const now = this.#clock.now();
    state.missingSince ??= now;
    if (forbidden || now - state.missingSince >= gracePeriod) state.absent = why;
    state.isForbidden = forbidden;
  }
}

/** An end that needs a second source. */
export interface Hint {
  /** The source of the hint. */
  from: Source | 'answer';
  /** The status that hinted at it. */
  status: SafeText;
  end: End;
  /** When it first came, in milliseconds since the epoch. */
  since: number;
  /** How often the stream was closed since without another status. */
  closes: number;
}

/**
 * Whether a hint is confirmed: if no other source is available, that of the stream after two closes without another
 * status, that of the polls after the grace period; with other sources, only that of the polls, after twice that time.
 *
 * @param now in milliseconds since the epoch
 * @param isOnly true if no other source is available
 */
export function isBelieved({ from, since, closes }: Hint, now: number, isOnly: boolean): boolean {
  const age = now - since;
  const isConfirmed = { answer: true, stream: closes >= 2, poll: age >= gracePeriod }[from];
  const persists = from === 'poll' && age >= 2 * gracePeriod;
  return (isOnly && isConfirmed) || persists;
}

/** How what was followed ended. */
export interface End {
  outcome: 'succeeded' | 'failed' | 'unconfirmed';
  /** What confirmed it; absent if nothing did. */
  confirmedBy?: ConfirmedBy;
  /** The service's message on a failure, or why nothing was confirmed. */
  message?: SafeText;
}
