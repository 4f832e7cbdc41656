import type { Message } from '../contract/message.ts';
import { follow } from '../follow/follow.ts';
import { createStatusReader } from '../follow/model/status.ts';
import type { End } from '../follow/source-states.ts';
import type { Subject } from '../follow/sources.ts';
import type { Tracker } from '../follow/tracker.ts';
import type { Host } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { kindOf, readTurnEvent } from './evaluate.ts';
import type { TurnText } from './text.ts';

/** A longer text is not kept: nobody sends so much a second time. */
const longest = 200_000;

/** A shorter piece, in an event like those before it, may well be said twice on purpose. */
const shortestRepeat = 16;

/** What was said up to now, or since a certain place. */
interface Stretch {
  text: string;
  pieces: number;
}

const add = ({ text, pieces }: Stretch, piece: string): Stretch => ({
  text: text.length > longest ? text : `${text}${piece}`,
  pieces: pieces + 1,
});

/**
 * Knows a piece that closes a stream, or a part of one, by saying once more as a whole what came in pieces.
 */
export class RepeatDetector {
  #all: Stretch = { text: '', pieces: 0 };
  #part: Stretch = { text: '', pieces: 0 };
  #kind = '';

  /**
   * Takes a piece.
   *
   * @param kind tells events of one kind from others: a closing one seldom looks like those of the pieces
   * @returns false if it only repeats all that was said so far, or since such a repetition
   */
  isNew(piece: string, kind: string): boolean {
    const isOther = kind !== this.#kind;
    const repeats = ({ text, pieces }: Stretch) =>
      piece === text && (isOther || (pieces > 1 && text.length >= shortestRepeat));
    if (repeats(this.#all) || repeats(this.#part)) {
      this.#part = { text: '', pieces: 0 };
      return false;
    }
    this.#kind = kind;
    this.#all = add(this.#all, piece);
    this.#part = add(this.#part, piece);
    return true;
  }
}

/** How long the rest of the text is waited for once the list says that the turn has ended, in milliseconds. */
const longestRest = 60_000;

/** A stream that says nothing for so long then has no more to say, in milliseconds. */
const longestSilence = 10_000;

/** The same, where a stream has told the end itself, and may say afterwards what the turn said. */
const shortSilence = 2000;

/**
 * Knows when a stream has said all that it has to say: its own end or, once the end is known from elsewhere,
 * closed twice without another word.
 */
export class StreamCompletion {
  readonly #done = Promise.withResolvers<true>();
  #events = 0;
  #closes: number | undefined;
  #onClosed: (() => void) | undefined;

  /** The stream told the turn's end, or nothing more of it is needed. */
  endSeen(): void {
    this.#done.resolve(true);
  }

  /** The stream is not silent. */
  eventSeen(): void {
    this.#events += 1;
  }

  /** Something came that the stream had not said before: it goes on, however often it is closed. */
  newsSeen(): void {
    if (this.#closes !== undefined) this.#closes = 0;
  }

  /** The stream was closed, or could not be opened. */
  closed(): void {
    this.#onClosed?.();
    if (this.#closes === undefined) return;
    this.#closes += 1;
    if (this.#closes >= 2) this.#done.resolve(true);
  }

  /**
   * Waits for the rest, now that the end is known.
   *
   * @returns true if all was said; false if it does not come
   * @throws the signal's reason
   */
  async rest({ clock }: Host, signal: AbortSignal): Promise<boolean> {
    this.#closes ??= 0;
    const started = clock.now();
    for (;;) {
      const before = this.#events;
      const isDone = await Promise.race([this.#done.promise, clock.sleep(longestSilence, signal)]);
      if (isDone === true) return true;
      if (this.#events === before || clock.now() - started >= longestRest) return false;
    }
  }

  /**
   * Waits until a stream that has told the end is closed or silent.
   *
   * @throws the signal's reason
   */
  async waitForClose({ clock }: Host, signal: AbortSignal): Promise<void> {
    const closed = Promise.withResolvers<true>();
    this.#onClosed = () => closed.resolve(true);
    const started = clock.now();
    for (;;) {
      const before = this.#events;
      const isClosed = await Promise.race([closed.promise, clock.sleep(shortSilence, signal)]);
      const isOver = this.#events === before || clock.now() - started >= longestRest;
      if (isClosed === true || isOver) return;
    }
  }
}

/** A turn to follow. */
export interface TurnRequest {
  projectId: string;
  message: Message;
  wait: 'auto' | 'stream' | 'poll';
  /** Filled in. */
  eventsPath: string;
  text: TurnText;
  /** Is told each status of the turn once it is sure that it is the turn's. */
  onStatus: (status: SafeText) => void;
  /** Is told the project's messages, each time they are listed. */
  onList: (messages: readonly Message[]) => void;
}

const read = createStatusReader();

function subjectOf(
  { client }: Run,
  request: TurnRequest,
  streamCompletion: StreamCompletion,
): Subject {
  const { projectId, message, eventsPath, text, onList } = request;
  const { messageId } = message;
  const repeatDetector = new RepeatDetector();
  return {
    noun: safe`turn`,
    statusPath: `/v1/projects/${projectId}/messages`,
    // The list also shows whether the message was taken twice.
    isAlwaysAsked: true,
    eventsPath,
    look: async (signal) => {
      const messages = await client.listMessages(projectId, signal);
      onList(messages);
      const ours = messages.find((one) => one.messageId === messageId);
      return ours && { status: ours.status, isNamed: true };
    },
    readEvent: (name, data) => {
      streamCompletion.eventSeen();
      const event = readTurnEvent(name, data, messageId, read);
      const { observed } = event;
      const isSure = observed?.certainty === 'status';
      if (isSure && read(observed.status).meaning !== 'in-progress') streamCompletion.endSeen();
      return event;
    },
    repeats: (piece, { name, data }) =>
      !text.isCut && !repeatDetector.isNew(piece, kindOf(name, data)),
    onNewId: () => streamCompletion.newsSeen(),
    onText: async (piece) => {
      streamCompletion.newsSeen();
      await text.take(piece);
      if (text.isCut) streamCompletion.endSeen();
    },
    onClosed: () => streamCompletion.closed(),
  };
}

/** Ends a turn that nobody speaks of: without a source there is nothing else that could confirm it. */
async function watchSources(host: Host, tracker: Tracker, signal: AbortSignal): Promise<never> {
  for (;;) {
    await host.clock.sleep(500, signal);
    if (!tracker.sources.hasNoSource) continue;
    const message = safe`Nothing says how the turn ended. Asked: ${joinSafe(tracker.sources.absences, ', ')}`;
    tracker.conclude({ outcome: 'unconfirmed', message });
  }
}

/** Waits for the rest of the text once the list has told the end, and tells if it does not come. */
async function awaitRest(
  host: Host,
  tracker: Tracker,
  streamCompletion: StreamCompletion,
  signal: AbortSignal,
): Promise<void> {
  const absence = tracker.sources.absenceOf('stream');
  if (absence === undefined && (await streamCompletion.rest(host, signal))) return;
  const text =
    absence === undefined
      ? safe`The turn has ended, and the rest of what it said does not come.`
      : safe`What the turn said cannot be shown: its event stream is not there. Asked: ${absence}`;
  host.report({ type: 'note', text });
}

/**
 * Follows a turn to its end: by its event stream, and by the documented list of messages. Its text comes by the
 * stream only; if the list tells the end first, the rest of the text is waited for a little, and if the stream
 * tells it before any text, what comes after.
 *
 * @throws the run's signal's reason
 */
export async function followTurn(run: Run, request: TurnRequest): Promise<End> {
  const { host } = run;
  const { wait, onStatus, text } = request;
  const streamCompletion = new StreamCompletion();
  return await follow(run, {
    subject: subjectOf(run, request, streamCompletion),
    wait,
    status: request.message.status,
    acceptedAt: host.clock.now(),
    read,
    tellUnknown: (word) => {
      const text = safe`The status "${word}" is a word that this action does not know, so it is taken as "in progress". It is waited for until a word that is known.`;
      host.report({ type: 'note', text });
    },
    onStatus,
    watch: (tracker, signal) => watchSources(host, tracker, signal),
    rest: async ({ confirmedBy }, tracker, signal) => {
      if (wait !== 'poll' && confirmedBy === 'poll') {
        await awaitRest(host, tracker, streamCompletion, signal);
      }
      if (confirmedBy === 'stream' && text.isEmpty)
        await streamCompletion.waitForClose(host, signal);
    },
  });
}
