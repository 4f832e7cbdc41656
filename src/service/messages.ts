import {
  type Message,
  message,
  messages,
  type SendMessage,
  sendMessage,
} from '../contract/message.ts';
import { type Caller, pathOf } from './call.ts';

/** Section "Messages". A turn's events are read with `openEvents`. */
export interface MessagesApi {
  /** `POST /v1/projects/{id}/messages`. Never repeated by itself if it may have arrived: a turn changes the project. */
  sendMessage(projectId: string, body: SendMessage): Promise<Message>;
  /** `GET /v1/projects/{id}/messages`, in creation order. A signal of its own may end it early. */
  listMessages(projectId: string, signal?: AbortSignal): Promise<Message[]>;
}

/** The operations on a project's messages. */
export function messagesApi({ call }: Caller): MessagesApi {
  const pathTo = (projectId: string) => pathOf('v1', 'projects', projectId, 'messages');
  return {
    sendMessage: (projectId, body) =>
      call({
        operation: 'send the message',
        method: 'POST',
        path: pathTo(projectId),
        policy: 'guarded',
        answer: message,
        send: { body, shape: sendMessage },
      }),
    listMessages: (projectId, signal) =>
      call({
        operation: "list the project's messages",
        method: 'GET',
        path: pathTo(projectId),
        policy: 'repeatable',
        answer: messages,
        signal,
      }),
  };
}
