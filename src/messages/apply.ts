import { createHash } from 'node:crypto';
import { operations } from '../contract/operations.ts';
import type { Message } from '../contract/project.ts';
import type { End } from '../follow/tracker.ts';
import { UnclearRequest } from '../follow/unclear.ts';
import type { RunIdentity } from '../kernel/cryptography.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import type { Thread } from '../kernel/event.ts';
import { fillTemplate, sentence } from '../kernel/text/format.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError, unproven } from '../service/errors.ts';
import { describeRepetition, ensure, isThere } from '../step/ensure.ts';
import { type RunOutcome, reportOn } from '../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import { followTurn } from './follow-turn.ts';
import type { MessageIntent } from './intent.ts';
import type { MessageReport } from './render.ts';
import { TurnText } from './text.ts';

/** What a reply refers to. */
export interface ReplySubject {
  thread: Thread;
  projectId: string;
  /** The message's text. */
  content: string;
}

/**
 * The key of a reply. Each step, job and text has its own reply to the same comment. Without a triggering comment, so does
 * each run.
 */
export function replyKey(
  { thread, projectId, content }: ReplySubject,
  { runId, job, step }: Pick<RunIdentity, 'runId' | 'job' | 'step'>,
): string {
  const cause = thread.commentId ?? `thread ${thread.number} run ${runId}`;
  const words = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return ['message', cause, projectId, job, step, words].join(' ');
}

type MessageState = Omit<
  MessageReport,
  keyof RunOutcome | 'requests' | 'durationMs' | 'text' | 'isCut'
>;

/**
 * Sends a message to a project, and follows its turn to the end. Errors of the service or the run are in the report, and
 * are not thrown.
 */
export async function runMessage(run: Run, intent: MessageIntent): Promise<MessageReport> {
  const { projectId } = intent;
  const text = new TurnText(run.host);
  const sent = new UnclearRequest();
  const state: MessageState = { projectId };
  const report = await reportOn(
    run,
    state,
    () => sendAndFollow(run, intent, text, sent, state),
    () => whatIsLeft(run.host, state, sent),
  );
  return { ...report, text: text.finish(), isCut: text.isCut };
}

/** What an aborted or failed run leaves on the service. */
function whatIsLeft(host: Host, { message }: MessageState, sent: UnclearRequest): SafeText {
  const isCut = host.signal.aborted;
  if (message !== undefined) return isCut ? safe` ${mayBeRunning} ${sentAgain}` : safe``;
  if (!sent.mayExist) return safe``;
  return safe` The message may have been sent.${isCut ? safe` ${checkFirst}` : safe``}`;
}

const checkFirst = safe`Check the project's messages before you rerun the job.`;

const twin = safe`The project has more than one new message with this text: the service accepted it twice, or another user sent it too. The AI answers each of them.`;

const mayBeRunning = safe`The AI may still be working; the service has no way to cancel it.`;

const sentAgain = safe`A rerun sends the message again: check the project first.`;

async function sendAndFollow(
  run: Run,
  intent: MessageIntent,
  text: TurnText,
  sent: UnclearRequest,
  report: MessageState,
): Promise<RunOutcome> {
  const { host } = run;
  const { projectId, wait, eventsPath } = intent;
  const { message, uncertainty, countTwins } = await sendMessage(run, intent, sent);
  const uncertainties = new Set<SafeText>();
  const warn = (uncertainty: SafeText) => {
    const diagnostic = diagnose('SD5103', uncertainty);
    const text = printed(diagnostic);
    if (uncertainties.has(text)) return;
    report.uncertainties = [...uncertainties.add(text)];
    host.report({ type: 'warning', diagnostic });
  };
  if (uncertainty !== undefined) warn(uncertainty);
  const id = host.clean(message.messageId);
  const onStatus = (status: SafeText) => {
    report.message = { id, status };
  };
  onStatus(host.clean(message.status));
  host.report({ type: 'message-accepted', messageId: id });
  if (wait === 'none') return { outcome: 'accepted' };
  const ids = {
    projectId: encodeURIComponent(projectId),
    messageId: encodeURIComponent(message.messageId),
  };
  const filled = fillTemplate(eventsPath, ids);
  const onList = (messages: readonly Message[]) => {
    if (countTwins(messages) > 0) warn(twin);
  };
  const turn = { projectId, message, wait, eventsPath: filled, text, onStatus, onList };
  const end = await followTurn(run, turn);
  if (end.confirmedBy !== undefined) report.confirmedBy = end.confirmedBy;
  return outcomeOf(end, report, text);
}

/**
 * Sends a message. A turn changes the project, so a message must not be sent twice: after an unclear response the list is
 * read, and a new message with the same text is taken for ours. It is sent again only if there is none. A response with
 * the id of an earlier message is about another one.
 *
 * @returns it, why it may exist twice, if so, and what counts the other messages with its text that are new since then
 * @throws ServiceError if it could not be sent
 * @throws Stop if it is unknown whether it was sent
 */
async function sendMessage(run: Run, intent: MessageIntent, sent: UnclearRequest) {
  const { client, host } = run;
  const { projectId, body } = intent;
  const idempotencyKey = run.keyFor('send message', `${projectId} ${body.content}`);
  const before = await listIds(run, projectId);
  const send = () =>
    sent.send(async () => {
      const message = await client.sendMessage(projectId, { ...body, idempotencyKey });
      if (before?.has(message.messageId) !== true) return message;
      throw unproven(operations.sendMessage, safe`its response names an earlier message`);
    });
  if (before === undefined) return { message: await send(), countTwins: () => 0 };
  const { state: message, isRepeated } = await ensure(host, {
    operation: operations.sendMessage,
    send,
    read: () => findSent(run, intent, sent, before),
    isShown: isThere<Message>,
  });
  const isTwin = ({ messageId, prompt }: Message) =>
    messageId !== message.messageId &&
    !before.has(messageId) &&
    foldSpace(prompt) === foldSpace(body.content);
  return {
    message,
    uncertainty: isRepeated ? describeRepetition(safe`The message`) : undefined,
    countTwins: (messages: readonly Message[]) => messages.filter(isTwin).length,
  };
}

/** The ids of the existing messages; undefined if they can't be listed. */
async function listIds(
  { client, host }: Run,
  projectId: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const messages = await client.listMessages(projectId, host.signal);
    return new Set(messages.map(({ messageId }) => messageId));
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    return undefined;
  }
}

/**
 * Searches for our message on the list after an unclear response.
 *
 * @returns undefined if it was not sent
 * @throws Stop if that can't be determined
 */
async function findSent(
  { client, host }: Run,
  { projectId, body }: MessageIntent,
  sent: UnclearRequest,
  before: ReadonlySet<string>,
): Promise<Message | undefined> {
  let isUnclear = false;
  const read = async () => {
    const messages = await client.listMessages(projectId, host.signal);
    const fresh = messages.filter(({ messageId }) => !before.has(messageId));
    isUnclear = fresh.some(({ prompt }) => foldSpace(prompt) === '');
    return fresh.findLast(({ prompt }) => foldSpace(prompt) === foldSpace(body.content));
  };
  try {
    const message = await sent.find(host, read);
    if (message !== undefined || !isUnclear || !sent.mayExist) return message;
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    const message = safe`The response to the message was lost. ${sentence(error.message)} ${checkFirst}`;
    throw new Stop('failed', diagnose('SD5104', message));
  }
  const message = safe`The response to the message was lost, and a new message without a prompt may be this one. ${checkFirst}`;
  throw new Stop('failed', diagnose('SD5104', message));
}

/** A service may trim a prompt, or change its line ends. */
const foldSpace = (text: string | null | undefined): string =>
  (text ?? '').replace(/\s+/g, ' ').trim();

/** How a turn ended, with the last reported status. @throws Stop unless it succeeded */
function outcomeOf(
  { outcome, message }: End,
  { message: sent }: MessageState,
  { isEmpty }: TurnText,
): RunOutcome {
  switch (outcome) {
    case 'succeeded':
      return { outcome };
    case 'failed': {
      const reason = message === undefined ? safe`` : safe`: ${message}`;
      const read = isEmpty ? safe`check the project` : safe`read its answer in the summary`;
      const text = safe`The service reported the status "${sent?.status ?? safe``}" for the message${reason}. The AI may have changed files: ${read}, and send the message again only if something is missing.`;
      throw new Stop(outcome, diagnose('SD5101', text));
    }
    case 'unconfirmed': {
      const text = safe`${sentence(message ?? safe`The AI's answer could not be confirmed`)} ${mayBeRunning}`;
      throw new Stop(outcome, diagnose('SD5102', text));
    }
  }
}
