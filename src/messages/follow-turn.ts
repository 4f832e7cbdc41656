import type { Message } from '../contract/project.ts';
import { type FollowedSubject, follow } from '../follow/follow.ts';
import { createStatusReader } from '../follow/model/status.ts';
import type { End, Tracker } from '../follow/tracker.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import type { Host, Run } from '../step/step.ts';
import { readTurnEvent } from './evaluate.ts';
import type { TurnText } from './text.ts';

/** The time limit for the rest of the text after the list shows the end of the turn, in milliseconds. */
const longestRest = 60_000;

interface TurnRequest {
  projectId: string;
  message: Message;
  wait: 'auto' | 'stream' | 'poll';
  /** Filled in. */
  eventsPath: string;
  text: TurnText;
  /** Called with each status that is certainly the turn's. */
  onStatus: (status: SafeText) => void;
  /** Called with the project's messages each time they are listed. */
  onList: (messages: readonly Message[]) => void;
}

const readStatus = createStatusReader();

/**
 * Follows a turn to its end by its event stream and by the documented list of messages. Only the stream contains the text:
 * if the list shows the end first, the run waits for the rest of the text for a limited time, and if the stream reports
 * the end before any text, for what follows.
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
    read: readStatus,
    onUnknown: (word) => {
      const text = safe`Unknown status "${word}": the step keeps waiting.`;
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

function subjectOf(
  { client }: Run,
  request: TurnRequest,
  streamCompletion: StreamCompletion,
): FollowedSubject {
  const { projectId, message, eventsPath, text, onList } = request;
  const { messageId } = message;
  return {
    noun: safe`turn`,
    statusPath: `/v1/projects/${projectId}/messages`,
    // The list also shows whether the message was accepted twice.
    isAlwaysPolled: true,
    eventsPath,
    readStatus: async (signal) => {
      const messages = await client.listMessages(projectId, signal);
      onList(messages);
      const turn = messages.find((one) => one.messageId === messageId);
      return turn && { status: turn.status, isNamed: true };
    },
    readEvent: (name, data) => {
      streamCompletion.received();
      const event = readTurnEvent(name, data, messageId, readStatus);
      const { observed } = event;
      const isSure = observed?.certainty === 'status';
      if (isSure && readStatus(observed.status).meaning !== 'in-progress')
        streamCompletion.complete();
      return event;
    },
    onNewId: () => streamCompletion.continued(),
    onText: async (piece) => {
      streamCompletion.continued();
      await text.append(piece);
      if (text.isCut) streamCompletion.complete();
    },
    onClosed: () => streamCompletion.closed(),
  };
}

/** Waits for the rest of the text after the list shows the end, and logs if it is incomplete. */
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
      ? safe`The AI has finished, but the rest of its answer did not arrive.`
      : safe`The AI's answer can't be shown: its event stream is not available. Queried: ${absence}`;
  host.report({ type: 'note', text });
}

/** Ends the run as unconfirmed once neither source is available. */
async function watchSources(host: Host, tracker: Tracker, signal: AbortSignal): Promise<never> {
  for (;;) {
    await host.clock.sleep(500, signal);
    if (!tracker.sources.hasNoSource) continue;
    const message = safe`The result of the AI's answer could not be read. Queried: ${joinSafe(tracker.sources.absences, ', ')}`;
    tracker.conclude({ outcome: 'unconfirmed', message });
  }
}

/** After that, a stream without events for this long has ended, in milliseconds. */
const longestSilence = 10_000;

/** The same if the stream itself has reported the end, and may send the text after it. */
const shortSilence = 2000;

/**
 * Detects when a stream is complete: it has reported the end itself or, once the end is known from the list, it was closed
 * twice without new content.
 */
class StreamCompletion {
  readonly #done = Promise.withResolvers<true>();
  #events = 0;
  #closes: number | undefined;
  /** Fulfilled by the next close of the stream. */
  #nextClose = Promise.withResolvers<true>();

  /** The stream has reported the end of the turn, or its rest is not needed. */
  complete(): void {
    this.#done.resolve(true);
  }

  /** The stream has sent an event. */
  received(): void {
    this.#events += 1;
  }

  /** The stream has sent new content, so it continues, however often it is closed. */
  continued(): void {
    if (this.#closes !== undefined) this.#closes = 0;
  }

  /** The stream was closed, or could not be opened. */
  closed(): void {
    this.#nextClose.resolve(true);
    if (this.#closes === undefined) return;
    this.#closes += 1;
    if (this.#closes >= 2) this.#done.resolve(true);
  }

  /**
   * Waits for the rest, now that the end is known.
   *
   * @returns true if the stream is complete; false after the time limit
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
   * Waits until a stream that has reported the end is closed or sends no more events.
   *
   * @throws the signal's reason
   */
  async waitForClose({ clock }: Host, signal: AbortSignal): Promise<void> {
    this.#nextClose = Promise.withResolvers();
    const closed = this.#nextClose;
    const started = clock.now();
    for (;;) {
      const before = this.#events;
      const isClosed = await Promise.race([closed.promise, clock.sleep(shortSilence, signal)]);
      const isOver = this.#events === before || clock.now() - started >= longestRest;
      if (isClosed === true || isOver) return;
    }
  }
}
