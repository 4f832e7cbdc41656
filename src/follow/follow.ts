import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { ServerEvent } from '../service/events.ts';
import type { Run } from '../step/step.ts';
import type { StatusAnswer, StreamEvent } from './model/evaluate.ts';
import { pollPause, withHeartbeats } from './race.ts';
import { type End, type Source, Tracker, type TrackerOptions } from './tracker.ts';

/** What is followed, and the paths of its status and its events. */
export interface FollowedSubject {
  /** `deployment`, `turn`. */
  noun: SafeText;
  /** The path that is polled, for messages. */
  statusPath: string;
  /** True: a poll gives more than the status, so at least one is made. */
  isAlwaysPolled?: true;
  eventsPath: string;
  /** Reads its status once; undefined if the response does not contain it. */
  readStatus(signal: AbortSignal): Promise<StatusAnswer | undefined>;
  readEvent(name: string, data: string): StreamEvent;
  /** Receives a new piece of the stream's text. */
  onText(text: string): Promise<void>;
  /** An event with a new id came, whatever its content. */
  onNewId?(): void;
  /** The stream was closed, or could not be opened. */
  onClosed?(): void;
}

interface FollowOptions extends TrackerOptions {
  subject: FollowedSubject;
  wait: 'auto' | 'stream' | 'poll';
  /** The status that came with the acceptance. */
  status: string;
  /** Checks for other evidence of the end, until the signal aborts. */
  watch(tracker: Tracker, signal: AbortSignal): Promise<never>;
  /** Waits for what may still come once the end is known. */
  rest?(end: End, tracker: Tracker, signal: AbortSignal): Promise<void>;
}

/** The end, and the last reported status. */
export interface Followed extends End {
  status: SafeText;
}

/**
 * Follows a deployment or a turn to its end by event stream and polls, and by other evidence without those. The first
 * definite end wins, and the rest is closed.
 *
 * @throws the run's signal's reason
 */
export async function follow(run: Run, options: FollowOptions): Promise<Followed> {
  const { subject, wait } = options;
  const sources: Source[] = wait === 'auto' ? ['stream', 'poll'] : [wait];
  const tracker = new Tracker(run.host, subject.noun, sources, options);
  tracker.accepted(options.status);
  return await withHeartbeats(run.host, tracker.statusReporter, async (scope) => {
    const context: SourceContext = { ...run, tracker, subject, signal: scope.signal };
    if (wait !== 'poll') void scope.start(() => streamEvents(context));
    if (wait !== 'stream') void scope.start(() => pollStatus(context));
    void scope.start((signal) => options.watch(tracker, signal));
    const ended = await scope.until(tracker.end);
    await options.rest?.(ended, tracker, scope.signal);
    return { ...ended, status: tracker.statusReporter.status };
  });
}

interface SourceContext extends Run {
  tracker: Tracker;
  subject: FollowedSubject;
  /** Aborts when the end is known, or the run ends. */
  signal: AbortSignal;
}

/** The pause before a stream is opened again, and the longest that its `retry:` gets, in milliseconds. */
const firstReopen = 1000;
const longestReopen = 30_000;

/** Follows the event stream, resuming after each drop, until the signal aborts. */
async function streamEvents(context: SourceContext): Promise<never> {
  const { client, host, tracker, subject, signal } = context;
  const { noun, eventsPath: path } = subject;
  let lastEventId = '';
  let requested = firstReopen;
  let failedTries = 0;
  let isOversizedReported = false;
  const replay = new Replay();
  const operation = `read the ${noun}'s events`;
  const listener = {
    onRetry: (milliseconds: number) => {
      requested = milliseconds;
    },
    onOversized: () => {
      tracker.distrustStream();
      if (isOversizedReported) return;
      isOversizedReported = true;
      const text = safe`Skipped an event of more than a million characters; further ones are skipped without a message.`;
      host.report({ type: 'note', text });
    },
  };
  for (;;) {
    let failure: ServiceError | undefined;
    try {
      const events = await client.openEvents({ operation, path, lastEventId, listener, signal });
      tracker.sources.answered('stream');
      tracker.streamSpoke();
      tracker.statusReporter.reopened('stream');
      replay.reopened(lastEventId);
      for await (const event of events) {
        failedTries = 0;
        const id = event.lastEventId === lastEventId ? '' : event.lastEventId;
        lastEventId = event.lastEventId;
        await takeEvent(context, event, replay, id);
        await host.drained();
      }
    } catch (error) {
      signal.throwIfAborted();
      failure = noteFailure(context, 'stream', path, error);
    }
    signal.throwIfAborted();
    tracker.closed();
    subject.onClosed?.();
    const ordinary = Math.min(longestReopen, Math.max(firstReopen, requested) * 2 ** failedTries);
    await host.clock.sleep(failure?.pauseAfter(ordinary) ?? ordinary, signal);
    failedTries = Math.min(failedTries + 1, 3);
  }
}

async function takeEvent(
  { tracker, subject }: SourceContext,
  event: ServerEvent,
  replay: Replay,
  id: string,
): Promise<void> {
  const { observed, text = '' } = subject.readEvent(event.name, event.data);
  if (observed !== undefined || text !== '') tracker.streamSpoke();
  if (id !== '' && !replay.knows(id)) subject.onNewId?.();
  for (const piece of replay.newPieces(id, text)) {
    tracker.streamContinued();
    await subject.onText(piece);
  }
  if (observed !== undefined) tracker.saw('stream', observed, observed.certainty);
}

/** Polls the status while the stream is silent, until the signal aborts. */
async function pollStatus(context: SourceContext): Promise<never> {
  const { host, tracker, subject, signal } = context;
  const { noun, statusPath: path, isAlwaysPolled = false } = subject;
  for (let polls = 0; ; polls += 1) {
    if (polls > 0 || !isAlwaysPolled) await tracker.leaveToStream(signal);
    let failure: ServiceError | undefined;
    try {
      const observed = await subject.readStatus(signal);
      if (observed !== undefined)
        tracker.saw('poll', observed, observed.isNamed ? 'status' : 'name');
      else tracker.missing('poll', safe`${host.clean(path)} (contains no such ${noun})`, false);
    } catch (error) {
      signal.throwIfAborted();
      failure = noteFailure(context, 'poll', path, error);
    }
    const ordinary = pollPause(tracker.statusReporter.elapsed, host.random());
    const pause = failure?.pauseAfter(ordinary) ?? ordinary;
    // A pause that the service requested is not shortened by a hint.
    if (pause > ordinary) await host.clock.sleep(pause, signal);
    else await tracker.pause(pause, signal);
  }
}

/**
 * Records a failed read: the path is missing, forbidden, or temporarily unavailable.
 *
 * @throws any error that is no ServiceError
 */
function noteFailure(
  { host, tracker }: SourceContext,
  source: Source,
  path: string,
  error: unknown,
): ServiceError {
  if (!(error instanceof ServiceError)) throw error;
  const { fault, status, detail } = error.details;
  const isPassing = status === undefined || status >= 500 || [408, 409, 425, 429].includes(status);
  if (fault !== 'body' && isPassing) {
    tracker.statusReporter.troubled(source, error.message);
    return error;
  }
  const why =
    fault === 'body'
      ? (detail ?? safe`unusable`)
      : safe`returned ${status ?? safe`an unknown status`}`;
  tracker.missing(source, safe`${host.clean(path)} (${why})`, status === 401 || status === 403);
  return error;
}

const maxIds = 10_000;

/** How many characters are kept to compare with; of those beyond, only the number counts. */
const maxKept = 1_000_000;

/**
 * Drops text that a stream repeats when it starts over after a reconnect. It compares characters, because the pieces may
 * be cut elsewhere: each id has the number of characters up to it, and without ids a stream begins with the first.
 * Text that may be a repetition is kept back until it differs or continues.
 */
export class Replay {
  readonly #positions = new Map<string, number>();
  #kept = '';
  #taken = 0;
  /** How many of them the stream has come to. */
  #position = 0;
  #repeated: string[] = [];

  /** The stream was opened again, to be resumed after an id; empty if there was none. */
  reopened(lastEventId: string): void {
    const unknown = lastEventId === '' ? 0 : this.#taken;
    this.#goTo(this.#positions.get(lastEventId) ?? unknown);
  }

  knows(id: string): boolean {
    return this.#positions.has(id);
  }

  /**
   * Takes an event.
   *
   * @param id its own id; empty if it has none
   * @param text its piece of the text; empty if it has none
   * @returns the pieces of text that are new
   */
  newPieces(id: string, text: string): string[] {
    const known = this.#positions.get(id);
    if (known !== undefined) {
      this.#goTo(known);
      return [];
    }
    const fresh = text === '' ? [] : this.#compare(text);
    if (id !== '' && this.#positions.size < maxIds) this.#positions.set(id, this.#position);
    return fresh;
  }

  #goTo(position: number): void {
    this.#position = position;
    this.#repeated = [];
  }

  #compare(text: string): string[] {
    const before = this.#kept.slice(
      this.#position,
      Math.min(this.#taken, this.#position + text.length),
    );
    const overlap = Math.min(text.length, this.#taken - this.#position);
    if (!text.startsWith(before)) return this.#add([...this.#repeated, text]);
    const rest = text.slice(overlap);
    if (rest !== '') return this.#add([rest]);
    this.#position += overlap;
    if (this.#position < Math.min(this.#taken, maxKept)) this.#repeated.push(text);
    else this.#repeated = [];
    return [];
  }

  #add(pieces: string[]): string[] {
    const joined = pieces.join('');
    this.#kept += joined.slice(0, maxKept - this.#kept.length);
    this.#taken += joined.length;
    this.#goTo(this.#taken);
    return pieces;
  }
}
