import type { Host } from '../frame/host.ts';
import { forFreeText, type SafeText, safe } from '../kernel/text/safe.ts';
import type { Certainty, ObservedStatus } from './model/evaluate.ts';
import { cleanWord, type StatusReading } from './model/status.ts';
import { type LongRunning, Sleeper } from './race.ts';
import {
  type End,
  gracePeriod,
  type Hint,
  isBelieved,
  type Source,
  SourceStates,
} from './source-states.ts';

/** How long the stream may take to be opened before polls begin beside it, in milliseconds. */
const longestOpening = 1000;

/** How long an open stream may give nothing but signs of life before polls begin beside it, in milliseconds. */
const longestSilence = 10_000;

/** The least time to which a hint shortens the pause between two polls, in milliseconds. */
const shortestPause = 400;

/** What a tracker needs to know. */
export interface TrackerOptions extends StatusReporterOptions {
  /** Reads a status word. */
  read: (word: string) => StatusReading;
  sources: readonly Source[];
  /** Is told a status once it is sure that it is that of what is followed. */
  onStatus?: (status: SafeText) => void;
}

/**
 * Gathers what the sources say of one deployment or turn, and decides on the first definite end. It does no I/O.
 */
export class Tracker {
  readonly end: Promise<End>;
  readonly statusReporter: StatusReporter;
  readonly sources: SourceStates;
  readonly #resolve: (end: End) => void;
  readonly #host: Host;
  readonly #options: TrackerOptions;
  #informed = false;
  #hasEnded = false;
  #hint: Hint | undefined;
  readonly #sleeper: Sleeper;
  /** Until when the stream alone is listened to, in milliseconds since the epoch. */
  #silentUntil = 0;

  constructor(host: Host, options: TrackerOptions) {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.end = promise;
    this.#resolve = (end) => {
      this.#hasEnded = true;
      resolve(end);
    };
    this.#host = host;
    this.#sleeper = new Sleeper(host.clock);
    this.#options = options;
    this.statusReporter = new StatusReporter(host, options);
    this.sources = new SourceStates(host.clock, options.sources);
    if (options.sources.includes('stream')) this.#silentUntil = host.clock.now() + longestOpening;
  }

  /** True if no source says anything, so that other evidence must do. */
  get hasNoStatus(): boolean {
    if (this.sources.hasNoSource) return true;
    if (this.#informed || this.statusReporter.elapsed <= 2 * gracePeriod) return false;
    // Polls that have only begun get their time, too.
    return this.#host.clock.now() > this.#silentUntil + gracePeriod;
  }

  /** True once a source has told its status. */
  get isInformed(): boolean {
    return this.#informed;
  }

  /** Takes the status that came with the acceptance (it should be `queued`). */
  accepted(status: string): void {
    const reading = this.#options.read(status);
    const { meaning } = reading;
    this.statusReporter.tell('answer', { status }, reading);
    if (meaning === 'in-progress') return;
    this.#hintAt('answer', status, { outcome: meaning, confirmedBy: 'answer' });
  }

  /** Takes a status from a source. */
  saw(source: Source, observed: ObservedStatus, certainty: Certainty): void {
    this.sources.answered(source);
    this.statusReporter.answered(source);
    // What a slower source still says of the way is no news.
    if (this.#hasEnded) return;
    const reading = this.#options.read(observed.status);
    const { meaning } = reading;
    if (certainty === 'part') {
      if (meaning !== 'in-progress') this.#sleeper.wake();
      return;
    }
    this.#informed = true;
    const clean = cleanWord(this.#host.clean, reading);
    // Noted before it is told: the run may end with the line.
    if (certainty === 'status') this.#options.onStatus?.(clean(observed.status));
    this.statusReporter.tell(source, observed, reading);
    if (meaning === 'in-progress') {
      this.#hint = undefined;
      return;
    }
    const message =
      observed.message === undefined
        ? {}
        : { message: forFreeText(this.#host.clean)(observed.message) };
    const end: End = { outcome: meaning, confirmedBy: source, ...message };
    if (certainty === 'status') this.#resolve(end);
    else this.#hintAt(source, observed.status, end);
  }

  /** The stream is open, or says something: as long as it does, nobody else is asked. */
  streamSpoke(): void {
    this.#silentUntil = this.#host.clock.now() + longestSilence;
  }

  /** The stream goes on: an end that only it hinted at was that of something else. */
  streamContinued(): void {
    if (this.#hint?.from === 'stream') this.#hint = undefined;
  }

  /** The stream was closed by the service, or could not be opened again. */
  closed(): void {
    if (this.#hint?.from === 'stream') this.#hint.closes += 1;
    this.distrustStream();
    this.#considerHint();
  }

  /** The stream is closed, or may have lost something: the status is asked for at once if it was not before. */
  distrustStream(): void {
    if (this.#host.clock.now() < this.#silentUntil) this.#sleeper.wake();
    this.#silentUntil = 0;
  }

  /** Waits as long as the stream tells how it goes on, or is being opened, and leaves no end in doubt. */
  async leaveToStream(signal: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    while (this.#hint === undefined) {
      const left = this.#silentUntil - clock.now();
      if (left <= 0 || (await this.#sleeper.sleep(left, signal))) return;
    }
  }

  /**
   * A source says that there is no such thing.
   *
   * @param forbidden true if waiting cannot help
   */
  missing(source: Source, why: SafeText, forbidden: boolean): void {
    this.sources.missing(source, why, forbidden);
    this.#considerHint();
  }

  /** Ends it by evidence other than a status, or without any. */
  conclude(end: End): void {
    this.#resolve(end);
  }

  /** Waits before the next poll; an end that needs a second source cuts it short, but for the shortest pause. */
  async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    const least = Math.min(shortestPause, milliseconds);
    await clock.sleep(least, signal);
    await this.#sleeper.sleep(milliseconds - least, signal);
  }

  #hintAt(from: Hint['from'], word: string, end: End): void {
    const isSame = this.#hint?.from === from && this.#hint.end.outcome === end.outcome;
    if (!isSame) {
      const { clock } = this.#host;
      const clean = cleanWord(this.#host.clean, this.#options.read(word));
      this.#hint = { from, status: clean(word), end, since: clock.now(), closes: 0 };
      this.#sleeper.wake();
    }
    this.#considerHint();
  }

  /** Takes the end that is hinted at once it is believed. */
  #considerHint(): void {
    const hint = this.#hint;
    if (hint === undefined) return;
    if (!isBelieved(hint, this.#host.clock.now(), this.sources.isOnly(hint.from))) return;
    this.#options.onStatus?.(hint.status);
    this.#resolve(hint.end);
  }
}

/** How many changes of the status are told: no deployment has so many, and a log is not for more. */
const maxReported = 200;

const places = { poll: safe`status`, stream: safe`events` } as const;

/** What a status reporter needs to know. */
export interface StatusReporterOptions {
  /** What is followed: `deployment`, `turn`. */
  noun: SafeText;
  /** When it was accepted, in milliseconds since the epoch. */
  acceptedAt: number;
  /** Tells of a word that no table has, when it is first seen. */
  tellUnknown: (word: SafeText) => void;
}

/** Tells each change of a status once, whoever says it. */
export class StatusReporter implements LongRunning {
  /** As last told. */
  status = safe``;
  /** True if it is a word that no table knows. */
  isUnknownWord = false;
  readonly #host: Host;
  readonly #options: StatusReporterOptions;
  readonly #told = new Set<string>();
  /** What each source has said, the answer's words included. */
  readonly #said: Record<Source, Set<string>> = { poll: new Set(), stream: new Set() };
  readonly #troubled = new Set<string>();
  readonly #troubles = new Map<string, SafeText>();
  #changes = 0;
  #statusReporter: Source | 'answer' | undefined;

  constructor(host: Host, options: StatusReporterOptions) {
    this.#host = host;
    this.#options = options;
  }

  /** Milliseconds since the acceptance. */
  get elapsed(): number {
    return this.#host.clock.now() - this.#options.acceptedAt;
  }

  /** Tells a status if it is news: another word from who told the last, or a word that nobody told yet. */
  tell(
    source: Source | 'answer',
    { status: word, message }: ObservedStatus,
    reading: StatusReading,
  ): void {
    const { known } = reading;
    const { clean, report } = this.#host;
    const status = cleanWord(clean, reading)(word);
    // A slower source comes to what another told: that may lie between two words that only it tells.
    const repeats = this.#says(source, status);
    const isOld = this.#told.has(status) && !(repeats && this.#statusReporter === source);
    if (status === this.status || isOld) return;
    this.status = status;
    this.#statusReporter = source;
    this.isUnknownWord = !known;
    this.#changes += 1;
    if (this.#changes === maxReported) {
      const text = safe`The status of the ${this.#options.noun} has changed ${maxReported} times: further changes are not told.`;
      report({ type: 'note', text });
    }
    // The end itself is told by the outcome.
    if (this.#changes >= maxReported) return;
    const words = message === undefined ? {} : { message: forFreeText(clean)(message) };
    report({ type: 'status', status, elapsed: this.elapsed, ...words });
    if (!known && !this.#told.has(status)) this.#options.tellUnknown(status);
    this.#told.add(status);
  }

  /** Notes what a source says. @returns true if it said that before */
  #says(source: Source | 'answer', status: string): boolean {
    const { poll, stream } = this.#said;
    const sets = source === 'answer' ? [poll, stream] : [this.#said[source]];
    const repeats = sets.every((set) => set.has(status));
    for (const set of sets) set.add(status);
    return repeats;
  }

  /** Why a source cannot be read now; undefined if it can. */
  troubleOf(source: Source): SafeText | undefined {
    return this.#troubles.get(source);
  }

  /** A source can be read. */
  answered(source: Source): void {
    this.#troubles.delete(source);
  }

  /** A source was opened anew: what it told before may come again. */
  reopened(source: Source): void {
    this.answered(source);
    this.#said[source].clear();
    if (this.#statusReporter === source) this.#statusReporter = undefined;
  }

  /** Something cannot be read for the moment: told once for each place. */
  troubled(place: Source | 'production', why: SafeText): void {
    this.#troubles.set(place, why);
    if (this.#troubled.has(place)) return;
    this.#troubled.add(place);
    const what =
      place === 'production'
        ? safe`production runtime's state`
        : safe`${this.#options.noun}'s ${places[place]}`;
    this.#host.report({
      type: 'note',
      text: safe`The ${what} cannot be read now; trying on. ${why}`,
    });
  }
}
