import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { Clock } from '../service/clock.ts';
import type { ConfirmedBy } from './model/evaluate.ts';

/** The two places where progress may be read. */
export type Source = 'stream' | 'poll';

/** A path that answers "no such thing" for less than this, in milliseconds, may only be late. */
export const gracePeriod = 5000;

/** What is known of a source. */
interface SourceState {
  /** When it began to answer "no such thing"; undefined while it answers otherwise. */
  missingSince?: number;
  /** Why it is taken as not offered; undefined while it may be. */
  absent?: SafeText;
}

/** Knows which sources are offered. */
export class SourceStates {
  readonly #clock: Clock;
  readonly #states: ReadonlyMap<Source, SourceState>;

  constructor(clock: Clock, sources: readonly Source[]) {
    this.#clock = clock;
    this.#states = new Map(sources.map((source) => [source, {}]));
  }

  /** True if no source can be asked. */
  get hasNoSource(): boolean {
    return this.isOnly(undefined);
  }

  /** Which paths were asked in vain, and why. */
  get absences(): SafeText[] {
    return [...this.#states.values()].map(({ absent }) => absent ?? safe``).filter(Boolean);
  }

  /** Why a source is taken as not offered; undefined while it may be. */
  absenceOf(source: Source): SafeText | undefined {
    return this.#states.get(source)?.absent;
  }

  /** True if nobody but this one can be asked. */
  isOnly(one: Source | 'answer' | undefined): boolean {
    const others = [...this.#states].filter(([source]) => source !== one);
    return others.every(([, { absent }]) => absent !== undefined);
  }

  /** A source answers: it is offered. */
  answered(source: Source): void {
    const state = this.#states.get(source);
    delete state?.missingSince;
    delete state?.absent;
  }

  /**
   * A source says that there is no such thing. It counts as not offered once the grace is over.
   *
   * @param forbidden true if waiting cannot help
   */
  missing(source: Source, why: SafeText, forbidden: boolean): void {
    const state = this.#states.get(source);
    if (state === undefined) return;
    const now = this.#clock.now();
    state.missingSince ??= now;
    if (forbidden || now - state.missingSince >= gracePeriod) state.absent = why;
  }
}

/** An end that needs a second source. */
export interface Hint {
  /** Who hinted at it. */
  from: Source | 'answer';
  /** The word that hinted at it. */
  status: SafeText;
  end: End;
  /** When it was first seen, in milliseconds since the epoch. */
  since: number;
  /** How often the stream was closed since without saying anything else. */
  closes: number;
}

/**
 * Whether a hint is believed: once nobody contradicts it and there is nobody else to ask; one of the stream after
 * that was closed twice without another word, one of the polls after they have repeated it for a while.
 *
 * @param now in milliseconds since the epoch
 * @param isOnly true if there is nobody else to ask
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
  /** Who said so; absent if nobody did. */
  confirmedBy?: ConfirmedBy;
  /** What the service said beside a failure, or why nothing could be confirmed. */
  message?: SafeText;
}
