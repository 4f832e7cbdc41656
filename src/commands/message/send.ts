import type { Message, SendMessage } from '../../contract/message.ts';
import { operations } from '../../contract/operations.ts';
import { coded } from '../../core/catalogue/coded.ts';
import { type SafeText, safe } from '../../core/text/safe.ts';
import { sentence } from '../../core/text/sentence.ts';
import { ServiceError, unproven } from '../../service/errors.ts';
import { describeRepetition, ensure, isThere } from '../ensure.ts';
import type { UnclearRequest } from '../follow/unclear.ts';
import { EarlyEnd } from '../host.ts';
import type { Run } from '../run.ts';

/** A message to send. */
export interface Sending {
  projectId: string;
  body: Omit<SendMessage, 'idempotencyKey'>;
  /** The same for each try. */
  idempotencyKey: string;
  /** Knows whether the message may have been sent. */
  request: UnclearRequest;
}

const lookFirst = safe`Look at the service before running the job again.`;

/** The ids of the messages that are there already; undefined if they cannot be listed. */
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

/** A service may trim a prompt, or write its line ends in another way. */
const fold = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim();

/** A message that was sent. */
export interface SentMessage {
  message: Message;
  /** Why it may be there twice, in words; absent if it was sent once. */
  uncertainty?: SafeText;
  /** How many other messages of a list are new since this step began and say the same. */
  countTwins(messages: readonly Message[]): number;
}

/**
 * Finds our message on the list after an unclear answer.
 *
 * @returns undefined if it is not there
 * @throws EarlyEnd if nobody can tell whether it is there
 */
async function findSent(
  { client, host }: Run,
  { projectId, body, request }: Sending,
  before: ReadonlySet<string>,
): Promise<Message | undefined> {
  let isUnclear = false;
  const look = async () => {
    const messages = await client.listMessages(projectId, host.signal);
    const fresh = messages.filter(({ messageId }) => !before.has(messageId));
    isUnclear = fresh.some(({ prompt }) => fold(prompt) === '');
    return fresh.findLast(({ prompt }) => fold(prompt) === fold(body.content));
  };
  try {
    const found = await request.find(host, look);
    if (found !== undefined || !isUnclear || !request.mayExist) return found;
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof ServiceError)) throw error;
    const message = safe`The answer to the message was lost, and whether it arrived cannot be seen: ${sentence(error.message)} ${lookFirst}`;
    throw new EarlyEnd('failed', coded('SD5104', message));
  }
  const message = safe`The answer to the message was lost, and the list has a new message without a prompt, which may be ours. ${lookFirst}`;
  throw new EarlyEnd('failed', coded('SD5104', message));
}

/**
 * Sends a message. A turn changes the project, so that a message should not be sent twice: after an unclear
 * answer the list is read, and the message that is new there and says the same is taken for ours. It is sent
 * again only if the list shows none. An answer that names a message which was there before is about another one.
 *
 * @throws ServiceError if it could not be sent
 * @throws EarlyEnd if nobody can tell whether it was
 */
export async function sendMessage(run: Run, sending: Sending): Promise<SentMessage> {
  const { client, host } = run;
  const { projectId, body, idempotencyKey, request } = sending;
  const before = await listIds(run, projectId);
  const send = () =>
    request.send(async () => {
      const message = await client.sendMessage(projectId, { ...body, idempotencyKey });
      if (before?.has(message.messageId) !== true) return message;
      throw unproven(
        operations.sendMessage,
        safe`its answer names a message that was there before`,
      );
    });
  if (before === undefined) return { message: await send(), countTwins: () => 0 };
  const { state: message, isRepeated } = await ensure(host, {
    operation: operations.sendMessage,
    send,
    look: () => findSent(run, sending, before),
    isShown: isThere<Message>,
  });
  const isTwin = ({ messageId, prompt }: Message) =>
    messageId !== message.messageId &&
    !before.has(messageId) &&
    fold(prompt) === fold(body.content);
  return {
    message,
    ...(isRepeated && { uncertainty: describeRepetition(safe`The message`) }),
    countTwins: (messages) => messages.filter(isTwin).length,
  };
}
