import { type SafeText, safe } from '../kernel/text/safe.ts';
import type { Clock } from '../service/clock.ts';
import type { Host } from '../step/step.ts';
import type { Certainty, ConfirmedBy, ObservedStatus } from './model/evaluate.ts';
import type { StatusReading } from './model/status.ts';
import { type LongRunning, Sleeper } from './race.ts';

/** How long the stream may take to open before polls start as well, in milliseconds. */
const longestOpening = 1000;

/** How long an open stream may send only keep-alives before polls start as well, in milliseconds. */
const longestSilence = 10_000;

/** The shortest pause between two polls, to which a hint shortens it, in milliseconds. */
const shortestPause = 400;

/** What a tracker needs to decide the end. */
export interface TrackerOptions extends StatusReporterOptions {
  read: (word: string) => StatusReading;
  /** Receives each status that is certainly that of what is followed. */
  onStatus?: (status: SafeText) => void;
}

/** Collects the statuses of one deployment or turn from its sources, and decides its end. It does no I/O. */
export class Tracker {
  readonly end: Promise<End>;
  /** Ends it by other evidence than a status, or unconfirmed. */
  readonly conclude: (end: End) => void;
  readonly statusReporter: StatusReporter;
  readonly sources: SourceStates;
  readonly #host: Host;
  readonly #options: TrackerOptions;
  #informed = false;
  #hasEnded = false;
  #hint: Hint | undefined;
  readonly #sleeper: Sleeper;
  /** Until when polls wait for the stream, in milliseconds since the epoch. */
  #silentUntil = 0;

  /** @param noun what is followed: `deployment`, `turn` */
  constructor(host: Host, noun: SafeText, sources: readonly Source[], options: TrackerOptions) {
    const { promise, resolve } = Promise.withResolvers<End>();
    this.end = promise;
    this.conclude = (end) => {
      this.#hasEnded = true;
      resolve(end);
    };
    this.#host = host;
    this.#sleeper = new Sleeper(host.clock);
    this.#options = options;
    this.statusReporter = new StatusReporter(host, noun, options);
    this.sources = new SourceStates(host.clock, sources);
    if (sources.includes('stream')) this.#silentUntil = host.clock.now() + longestOpening;
  }

  /** True if no source gives a status, so that other evidence has to. */
  get hasNoStatus(): boolean {
    if (this.sources.hasNoSource) return true;
    if (this.#informed || this.statusReporter.elapsed <= 2 * gracePeriod) return false;
    // Polls that have just started get their grace period, too.
    return this.#host.clock.now() > this.#silentUntil + gracePeriod;
  }

  /** True once a source has given its status. */
  get isInformed(): boolean {
    return this.#informed;
  }

  /** Takes the status that came with the acceptance (it should be `queued`). */
  accepted(status: string): void {
    const reading = this.#options.read(status);
    const { meaning } = reading;
    this.statusReporter.report('answer', { status }, reading);
    if (meaning === 'in-progress') return;
    this.#hintAt('answer', status, { outcome: meaning, confirmedBy: 'answer' });
  }

  saw(source: Source, observed: ObservedStatus, certainty: Certainty): void {
    this.sources.answered(source);
    this.statusReporter.answered(source);
    // A slower source may still report earlier steps.
    if (this.#hasEnded) return;
    const reading = this.#options.read(observed.status);
    const { meaning } = reading;
    if (certainty === 'part') {
      if (meaning !== 'in-progress') this.#sleeper.wake();
      return;
    }
    this.#informed = true;
    const clean = this.#host.clean;
    // Recorded before it is logged: the run may end with the line.
    if (certainty === 'status') this.#options.onStatus?.(clean(observed.status));
    this.statusReporter.report(source, observed, reading);
    if (meaning === 'in-progress') {
      this.#hint = undefined;
      return;
    }
    const message = cleanMessage(this.#host, observed);
    const end: End = { outcome: meaning, confirmedBy: source, message };
    if (certainty === 'status') this.conclude(end);
    else this.#hintAt(source, observed.status, end);
  }

  /** The stream was opened, or sent something: polls wait meanwhile. */
  streamSpoke(): void {
    this.#silentUntil = this.#host.clock.now() + longestSilence;
  }

  /** The stream goes on: an end that only it hinted at was not that of what is followed. */
  streamContinued(): void {
    if (this.#hint?.from === 'stream') this.#hint = undefined;
  }

  /** The stream was closed by the service, or could not be opened again. */
  closed(): void {
    if (this.#hint?.from === 'stream') this.#hint.closes += 1;
    this.distrustStream();
    this.#considerHint();
  }

  /** The stream is closed, or may have lost an event: polls start at once. */
  distrustStream(): void {
    if (this.#host.clock.now() < this.#silentUntil) this.#sleeper.wake();
    this.#silentUntil = 0;
  }

  /** Waits while the stream is active or being opened, unless there is a hint of the end. */
  async leaveToStream(signal: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    while (this.#hint === undefined) {
      const left = this.#silentUntil - clock.now();
      if (left <= 0 || (await this.#sleeper.sleep(left, signal))) return;
    }
  }

  /**
   * A source reports that it does not exist.
   *
   * @param forbidden true if waiting cannot help
   */
  missing(source: Source, why: SafeText, forbidden: boolean): void {
    this.sources.missing(source, why, forbidden);
    this.#considerHint();
  }

  /** Waits before the next poll; a hint of the end shortens it to the shortest pause. */
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
      const clean = this.#host.clean;
      this.#hint = { from, status: clean(word), end, since: clock.now(), closes: 0 };
      this.#sleeper.wake();
    }
    this.#considerHint();
  }

  /** Takes the end of the hint once that is confirmed. */
  #considerHint(): void {
    const hint = this.#hint;
    if (hint === undefined) return;
    if (!isBelieved(hint, this.#host.clock.now(), this.sources.isOnly(hint.from))) return;
    this.#options.onStatus?.(hint.status);
    this.conclude(hint.end);
  }
}

const cleanMessage = ({ clean }: Host, { message }: ObservedStatus): SafeText | undefined =>
  message === undefined ? undefined : clean(message);

/** How many changes of the status are logged. */
const maxReported = 200;

interface StatusReporterOptions {
  /** When it was accepted, in milliseconds since the epoch. */
  acceptedAt: number;
  /** Receives an unknown status when it first comes. */
  onUnknown: (word: SafeText) => void;
}

/** Reports each change of a status once, whichever source it comes from. */
export class StatusReporter implements LongRunning {
  /** As last reported. */
  status = safe``;
  isUnknownStatus = false;
  readonly #host: Host;
  readonly #noun: SafeText;
  readonly #options: StatusReporterOptions;
  readonly #reported = new Set<string>();
  /** The statuses that each source has given, including that of the acceptance. */
  readonly #given: Record<Source, Set<string>> = { poll: new Set(), stream: new Set() };
  readonly #troubled = new Set<string>();
  readonly #troubles = new Map<string, SafeText>();
  #changes = 0;
  #lastSource: Source | 'answer' | undefined;

  constructor(host: Host, noun: SafeText, options: StatusReporterOptions) {
    this.#host = host;
    this.#noun = noun;
    this.#options = options;
  }

  /** Milliseconds since the acceptance. */
  get elapsed(): number {
    return this.#host.clock.now() - this.#options.acceptedAt;
  }

  /** Reports a status if it is new, or differs from the last one of the same source. */
  report(source: Source | 'answer', observed: ObservedStatus, reading: StatusReading): void {
    const { known } = reading;
    const { clean, report } = this.#host;
    const status = clean(observed.status);
    // A slower source reaches statuses that another has given, and may give more between them.
    const { poll, stream } = this.#given;
    const given = source === 'answer' ? [poll, stream] : [this.#given[source]];
    const repeats = given.every((statuses) => statuses.has(status));
    for (const statuses of given) statuses.add(status);
    const isOld = this.#reported.has(status) && !(repeats && this.#lastSource === source);
    if (status === this.status || isOld) return;
    this.status = status;
    this.#lastSource = source;
    this.isUnknownStatus = !known;
    this.#changes += 1;
    if (this.#changes === maxReported) {
      const text = safe`The status of the ${this.#noun} has changed ${maxReported} times; further changes are not logged.`;
      report({ type: 'note', text });
    }
    // The outcome reports the end itself.
    if (this.#changes >= maxReported) return;
    const message = cleanMessage(this.#host, observed);
    report({ type: 'status', status, elapsed: this.elapsed, message });
    if (!known && !this.#reported.has(status)) this.#options.onUnknown(status);
    this.#reported.add(status);
  }

  /** Why a source cannot be read now; undefined if it can. */
  troubleOf(source: Source): SafeText | undefined {
    return this.#troubles.get(source);
  }

  answered(source: Source): void {
    this.#troubles.delete(source);
  }

  /** A source was reopened: its earlier statuses may come again. */
  reopened(source: Source): void {
    this.answered(source);
    this.#given[source].clear();
    if (this.#lastSource === source) this.#lastSource = undefined;
  }

  /** Something can't be read at the moment: logged once for each source. */
  troubled(source: Source | 'production', why: SafeText): void {
    this.#troubles.set(source, why);
    if (this.#troubled.has(source)) return;
    this.#troubled.add(source);
    const what = {
      production: safe`state of the production runtime`,
      poll: safe`status of the ${this.#noun}`,
      stream: safe`events of the ${this.#noun}`,
    }[source];
    this.#host.report({ type: 'note', text: safe`Can't read the ${what}, retrying. ${why}` });
  }
}

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
interface Hint {
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
function isBelieved({ from, since, closes }: Hint, now: number, isOnly: boolean): boolean {
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
