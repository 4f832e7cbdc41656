import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** GitLab's operations that are known here. */
export const operations = [
  'notes/list',
  'notes/get',
  'notes/create',
  'notes/update',
  'notes/delete',
  'merge-requests/get',
  'user/get',
] as const;

/** The name of one. */
export type Operation = (typeof operations)[number];

/** A request, and what it asks for. */
export type GitLabRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Parsed JSON; undefined if there was none. */
  body: unknown;
  /** Undefined if it is none that is known here. */
  operation: Operation | undefined;
};

/** A request that was answered: the status is null if the connection was cut instead. */
export type JournalEntry = GitLabRequest & { status: number | null };

/** An answer: an object is sent as JSON, a string as plain text, undefined as no body. */
export type Reply = { status: number; headers?: Record<string, string>; body?: object | string };

/** A request as it came, read to its end. */
export async function readRequest(
  request: IncomingMessage,
): Promise<Omit<GitLabRequest, 'operation'>> {
  const url = new URL(request.url ?? '/', 'http://gitlab');
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: request.headers,
    body: body === '' ? undefined : JSON.parse(body),
  };
}

/** Sends an answer. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const [type, content] =
    typeof body === 'string' ? ['text/plain', body] : ['application/json', JSON.stringify(body)];
  response.writeHead(status, { 'content-type': type, ...headers }).end(content);
}

/** Thrown by an operation that does not carry a request out: GitLab's status and its words. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(status: number, body: object) {
    super(`refused with ${status}`);
    this.reply = { status, body };
  }
}

/** GitLab's 404 for one of these. */
export const notFound = (what: 'Project' | 'Note' | 'Not') =>
  new Refusal(404, { message: what === 'Not' ? '404 Not found' : `404 ${what} Not Found` });
