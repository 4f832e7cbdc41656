import type { Message, SendMessage } from '../../contract/message.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import { createOnce } from '../create-once.ts';
import type { Host } from '../host.ts';

/** A message to send. */
export interface Sending {
  projectId: string;
  body: Omit<SendMessage, 'idempotencyKey'>;
  /** The same for each try. */
  idempotencyKey: string;
  /** Is told that the message is on its way. */
  onSend: () => void;
}

/** The ids of the messages that are there already; undefined if they cannot be listed. */
async function listIds(
  client: ServiceClient,
  host: Host,
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
 * Sends a message. A turn changes the project, so that a message must not be sent twice: after an unclear answer
 * the list is read, and the message that is new there and says the same is taken for ours.
 *
 * @throws ServiceError if it could not be sent
 */
export async function sendMessage(
  client: ServiceClient,
  host: Host,
  { projectId, body, idempotencyKey, onSend }: Sending,
): Promise<Message> {
  const before = await listIds(client, host, projectId);
  const send = () => {
    onSend();
    return client.sendMessage(projectId, { ...body, idempotencyKey });
  };
  if (before === undefined) return await send();
  return await createOnce(host, {
    send,
    find: async () => {
      const messages = await client.listMessages(projectId, host.signal);
      return messages.findLast(
        ({ messageId, prompt }) => !before.has(messageId) && prompt === body.content,
      );
    },
  });
}
