import type { Observed } from '../../core/deployment/answer.ts';
import type { Reading } from '../../core/deployment/status.ts';
import type { Certainty } from '../../core/deployment/stream-event.ts';
import type { Witness } from '../../core/report/report.ts';
import type { Host } from '../host.ts';

/** The two places where progress may be read. */
export type Source = 'stream' | 'poll';

/** How what was followed ended. */
export interface End {
  outcome: 'succeeded' | 'failed' | 'unconfirmed';
  /** Who said so; absent if nobody did. */
  witness?: Witness;
  /** What the service said beside a failure, or why nothing could be confirmed. */
  message?: string;
}

/** A path that answers "no such thing" for less than this, in milliseconds, may only be late. */
const grace = 5000;

/** What is known of a source. */
interface Standing {
  /** When it began to answer "no such thing"; undefined while it answers otherwise. */
  missingSince?: number;
  /** Why it is taken as not offered; undefined while it may be. */
  absent?: string;
}

/** The least time between two polls, whatever is hinted at, in milliseconds. */
const shortestPause = 400;

/** How many changes of the status are told: no deployment has so many, and a log is not for more. */
const mostTold = 200;

const places = { poll: 'status', stream: 'events' } as const;

/** An end that needs a second witness. */
interface Hint {
  /** Who hinted at it. */
  from: Source | 'answer';
  /** The word that hinted at it, clean. */
  status: string;
  end: End;
  /** When it was first seen, in milliseconds since the epoch. */
  since: number;
  /** How often the stream was closed since without saying anything else. */
  closes: number;
}

/** What a tracker needs to know. */
export interface TrackerOptions {
  host: Host;
  /** What is followed: `deployment`, `turn`. */
  noun: string;
  /** Reads a status word. */
  read: (word: string) => Reading;
  sources: readonly Source[];
  /** When it was accepted, in milliseconds since the epoch. */
  acceptedAt: number;
  /** Where somebody can say what a word means. */
  hint: string;
  /** Is told a status, clean, once it is sure that it is that of what is followed. */
  onStatus?: (status: string) => void;
}

/**
 * Gathers what the sources say of one deployment or turn, tells each change once, and settles on the first definite
 * end. It does no I/O.
 */
export class Tracker {
  readonly end: Promise<End>;
  /** The status as last told, clean. */
  status = '';
  readonly #settle: (end: End) => void;
  readonly #options: TrackerOptions;
  readonly #standings: ReadonlyMap<Source, Standing>;
  readonly #told = new Set<string>();
  #changes = 0;
  readonly #troubled = new Set<string>();
  #teller: Source | 'answer' | undefined;
  #informed = false;
  #lastKnown = true;
  #hint: Hint | undefined;
  #wake = new AbortController();

  constructor(options: TrackerOptions) {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.end = promise;
    this.#settle = resolve;
    this.#options = options;
    this.#standings = new Map(options.sources.map((source) => [source, {}]));
  }

  /** Milliseconds since it was accepted. */
  get elapsed(): number {
    return this.#options.host.clock.now() - this.#options.acceptedAt;
  }

  /** True if no source can be asked. */
  get isBlind(): boolean {
    return [...this.#standings.values()].every(({ absent }) => absent !== undefined);
  }

  /** True if no source says anything, so that other evidence must do. */
  get isInTheDark(): boolean {
    return this.isBlind || (!this.#informed && this.elapsed > 2 * grace);
  }

  /** True if the last status is a word that no table knows. */
  get isPuzzled(): boolean {
    return !this.#lastKnown;
  }

  /** Why a source is taken as not offered; undefined while it may be. */
  absenceOf(source: Source): string | undefined {
    return this.#standings.get(source)?.absent;
  }

  /** Which paths were asked in vain, and why. */
  get absences(): string[] {
    return [...this.#standings.values()].map(({ absent }) => absent ?? '').filter(Boolean);
  }

  /** Takes the status that came with the acceptance (it should be `queued`). */
  accepted(status: string): void {
    const { meaning } = this.#tell('answer', { status });
    if (meaning === 'in-progress') return;
    this.#hintAt('answer', status, { outcome: meaning, witness: 'answer' });
  }

  /** Takes a status from a source. */
  saw(source: Source, observed: Observed, certainty: Certainty): void {
    this.answered(source);
    if (certainty === 'part') {
      if (this.#options.read(observed.status).meaning !== 'in-progress') this.#wake.abort();
      return;
    }
    this.#informed = true;
    const { meaning } = this.#tell(source, observed);
    if (certainty === 'status') this.#options.onStatus?.(this.#options.host.clean(observed.status));
    if (meaning === 'in-progress') {
      this.#hint = undefined;
      return;
    }
    const { clean } = this.#options.host;
    const message = observed.message === undefined ? {} : { message: clean(observed.message) };
    const end: End = { outcome: meaning, witness: source, ...message };
    if (certainty === 'status') this.#settle(end);
    else this.#hintAt(source, observed.status, end);
  }

  /** The stream goes on: an end that only it hinted at was that of something else. */
  saidMore(): void {
    if (this.#hint?.from === 'stream') this.#hint = undefined;
  }

  /** The stream was closed by the service, or could not be opened again. */
  closed(): void {
    if (this.#hint?.from === 'stream') this.#hint.closes += 1;
    this.#considerHint();
  }

  /** A source answers: it is offered. */
  answered(source: Source): void {
    const standing = this.#standings.get(source);
    delete standing?.missingSince;
    delete standing?.absent;
  }

  /** A source was opened anew: what it told before may come again. */
  reopened(source: Source): void {
    if (this.#teller === source) this.#teller = undefined;
  }

  /**
   * A source says that there is no such thing. It counts as not offered once the grace is over.
   *
   * @param forbidden true if waiting cannot help
   */
  missing(source: Source, why: string, forbidden: boolean): void {
    const standing = this.#standings.get(source);
    if (standing === undefined) return;
    const now = this.#options.host.clock.now();
    standing.missingSince ??= now;
    if (forbidden || now - standing.missingSince >= grace) standing.absent = why;
    this.#considerHint();
  }

  /** Something cannot be read for the moment: told once for each place. */
  troubled(place: Source | 'production', why: string): void {
    if (this.#troubled.has(place)) return;
    this.#troubled.add(place);
    const { noun, host } = this.#options;
    const what =
      place === 'production' ? "production runtime's state" : `${noun}'s ${places[place]}`;
    host.report({ type: 'note', text: `The ${what} cannot be read now; trying on. ${why}` });
  }

  /** Ends it by evidence other than a status, or without any. */
  conclude(end: End): void {
    this.#settle(end);
  }

  /** Waits before the next poll; an end that needs a second witness cuts it short, but for the shortest pause. */
  async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.host;
    const least = Math.min(shortestPause, milliseconds);
    await clock.sleep(least, signal);
    const { signal: wake } = this.#wake;
    const either = AbortSignal.any([signal, wake]);
    await clock.sleep(milliseconds - least, either).catch((error: unknown) => {
      signal.throwIfAborted();
      if (!wake.aborted) throw error;
    });
    if (wake.aborted) this.#wake = new AbortController();
  }

  #hintAt(from: Hint['from'], word: string, end: End): void {
    const isSame = this.#hint?.from === from && this.#hint.end.outcome === end.outcome;
    if (!isSame) {
      const { clean, clock } = this.#options.host;
      this.#hint = { from, status: clean(word), end, since: clock.now(), closes: 0 };
      this.#wake.abort();
    }
    this.#considerHint();
  }

  /**
   * A hint is believed once nobody contradicts it and there is nobody else to ask: one of the stream after
   * that was closed twice without another word, one of the polls after they have repeated it for a while.
   */
  #considerHint(): void {
    const hint = this.#hint;
    if (hint === undefined) return;
    const { from, since, closes } = hint;
    const others = [...this.#standings].filter(([source]) => source !== from);
    const nobodyElse = others.every(([, { absent }]) => absent !== undefined);
    const age = this.#options.host.clock.now() - since;
    const isRipe = { answer: true, stream: closes >= 2, poll: age >= grace }[from];
    const persists = from === 'poll' && age >= 2 * grace;
    if (!(nobodyElse && isRipe) && !persists) return;
    this.#options.onStatus?.(hint.status);
    this.#settle(hint.end);
  }

  /** Tells a status if it is news: another word from who told the last, or a word that nobody told yet. */
  #tell(source: Source | 'answer', { status: word, message }: Observed): Reading {
    const { host, read, noun } = this.#options;
    const reading = read(word);
    const status = host.clean(word);
    const isOld = this.#told.has(status) && this.#teller !== source;
    if (status === this.status || isOld) return reading;
    this.status = status;
    this.#teller = source;
    this.#lastKnown = reading.known;
    this.#changes += 1;
    if (this.#changes === mostTold) {
      const text = `The status of the ${noun} has changed ${mostTold} times: further changes are not told.`;
      host.report({ type: 'note', text });
    }
    // The end itself is told by the outcome.
    if (this.#changes >= mostTold) return reading;
    const words = message === undefined ? {} : { message: host.clean(message) };
    host.report({ type: 'status', status, elapsed: this.elapsed, ...words });
    if (!reading.known && !this.#told.has(status)) {
      const text = `The status "${status}" is in no table of words, so it is taken as "in progress". ${this.#options.hint}`;
      host.report({ type: 'note', text });
    }
    this.#told.add(status);
    return reading;
  }
}
