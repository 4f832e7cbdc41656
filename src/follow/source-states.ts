import type { SafeText } from '../kernel/text/safe.ts';
import type { Clock } from '../service/clock.ts';
import type { ConfirmedBy } from './model/evaluate.ts';

/** The two sources of progress. */
export type Source = 'stream' | 'poll';

/** A path that returns "not found" for less than this, in milliseconds, may only be late. */
export const gracePeriod = 5000;

interface SourceState {
  /** Since when it has returned "not found", in milliseconds since the epoch. */
  missingSince: number | undefined;
  /** Why it counts as not available; undefined while it may be. */
  absent: SafeText | undefined;
  /** True if the key may not read it. */
  isForbidden: boolean;
}

const available: SourceState = { missingSince: undefined, absent: undefined, isForbidden: false };

/** Which sources are available. */
export class SourceStates {
  readonly #clock: Clock;
  readonly #states: Map<Source, SourceState>;

  constructor(clock: Clock, sources: readonly Source[]) {
    this.#clock = clock;
    this.#states = new Map(sources.map((source) => [source, available]));
  }

  get hasNoSource(): boolean {
    return this.isOnly(undefined);
  }

  /** The paths that are not available, and why. */
  get absences(): SafeText[] {
    return [...this.#states.values()].flatMap(({ absent }) => absent ?? []);
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
  isOnly(source: Source | 'answer' | undefined): boolean {
    return [...this.#states].every(([name, { absent }]) => name === source || absent !== undefined);
  }

  answered(source: Source): void {
    if (this.#states.has(source)) this.#states.set(source, available);
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
    const { missingSince = now } = state;
    const isOver = forbidden || now - missingSince >= gracePeriod;
    const absent = isOver ? why : state.absent;
    this.#states.set(source, { missingSince, absent, isForbidden: forbidden });
  }
}

/** An end that needs a second source. */
export interface Hint {
  from: Source | 'answer';
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
  message?: SafeText | undefined;
}
