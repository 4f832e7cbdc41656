import type { Message } from '../../contract/message.ts';
import { createStatusReader } from '../../core/deployment/status.ts';
import { RepeatDetector } from '../../core/message/repeat-detector.ts';
import { kindOf, readTurnEvent } from '../../core/message/turn-event.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import { follow } from '../follow/follow.ts';
import type { Subject } from '../follow/sources.ts';
import type { End, Tracker } from '../follow/tracker.ts';
import type { Host } from '../host.ts';
import type { Run } from '../run.ts';
import { StreamCompletion } from './stream-completion.ts';
import type { TurnText } from './text.ts';

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

const read = createStatusReader([], []);

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
