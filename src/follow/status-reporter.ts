import type { Host } from '../frame/host.ts';
import { forFreeText, type SafeText, safe } from '../kernel/text/safe.ts';
import type { ObservedStatus } from './model/answer.ts';
import { cleanWord, type StatusReading } from './model/status.ts';
import type { LongRunning } from './race.ts';
import type { Source } from './source-states.ts';

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
