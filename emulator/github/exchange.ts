import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { OperationId } from './description.ts';

/** A request as it came. */
export type ReceivedRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Parsed, if it is JSON; otherwise the text. Undefined if there was none. */
  body: unknown;
};

/** A request and what it asks for. */
export type GitHubRequest = ReceivedRequest & {
  /** GitHub's name of the operation: `issues/create-comment`. Undefined if it is none that is known here. */
  operationId: OperationId | undefined;
};

/** A request that was answered. Times are in milliseconds since the epoch. */
export type JournalEntry = GitHubRequest & {
  /** When it came. */
  at: number;
  /** When the answer was complete or the connection was gone; null while neither is so. */
  endedAt: number | null;
  /** The connection that it came over: 1 for the first. */
  connection: number;
  /** The status of the answer; null if the connection was cut instead. */
  status: number | null;
};

/** An answer: an object is sent as JSON, a string as HTML, undefined as no body. */
export type Reply = {
  status: number;
  headers?: Record<string, string>;
  body?: object | string;
};

/** Reads a request to its end. */
export async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const url = new URL(request.url ?? '/', 'http://github');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: parse(await text(request)),
  };
}

function parse(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch (error) {
    if (error instanceof SyntaxError) return body;
    throw error;
  }
}

/** Makes an answer of what is known now. Gives what sends it. */
export function answerWith({ status, headers, body }: Reply): (response: ServerResponse) => void {
  if (body === undefined) return (response) => response.writeHead(status, headers).end();
  const [type, content] =
    typeof body === 'string'
      ? ['text/html; charset=utf-8', body]
      : ['application/json; charset=utf-8', JSON.stringify(body)];
  return (response) =>
    response.writeHead(status, { 'content-type': type, ...headers }).end(content);
}
