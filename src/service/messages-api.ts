import {
  type Message,
  message,
  messages,
  type SendMessage,
  sendMessage,
} from '../contract/message.ts';
import { operations } from '../contract/operations.ts';
import type { Caller } from './call.ts';
import { looks } from './looks.ts';

/** Section "Messages". A turn's events are read with `openEvents`. */
export interface MessagesApi {
  /** `POST /v1/projects/{id}/messages`. Never repeated by itself if it may have arrived: a turn changes the project. */
  sendMessage(projectId: string, body: SendMessage): Promise<Message>;
  /** `GET /v1/projects/{id}/messages`, in creation order. A signal of its own may end it early. */
  listMessages(projectId: string, signal?: AbortSignal): Promise<Message[]>;
}

/** The operations on a project's messages. */
export function messagesApi({ call }: Caller): MessagesApi {
  return {
    sendMessage: (projectId, body) =>
      call({
        operation: operations.sendMessage,
        path: looks.messages(projectId).path,
        answer: message,
        send: { body, shape: sendMessage },
      }),
    listMessages: (projectId, signal) =>
      call({ ...looks.messages(projectId), answer: messages, signal }),
  };
}
