import {
  type Message,
  message,
  messages,
  type SendMessage,
  sendMessage,
} from '../contract/message.ts';
import { operations } from '../contract/operations.ts';
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
        operation: operations.sendMessage,
        path: pathTo(projectId),
        answer: message,
        send: { body, shape: sendMessage },
      }),
    listMessages: (projectId, signal) =>
      call({
        operation: operations.listMessages,
        path: pathTo(projectId),
        answer: messages,
        signal,
      }),
  };
}
