import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

/** A request that GitHub was sent. */
export type GitHubRequest = {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** Parsed, if it is JSON; otherwise the text. Undefined if there was none. */
  body: unknown;
};

/** A request and the status of its answer. */
export type JournalEntry = GitHubRequest & { status: number };

/** An answer: an object is sent as JSON, a string as HTML. */
export type Reply = { status: number; headers?: Record<string, string>; body: object | string };

/** Reads a request to its end. */
export async function readRequest(request: IncomingMessage): Promise<GitHubRequest> {
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

/** Sends an answer. */
export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  const [type, content] =
    typeof body === 'string'
      ? ['text/html; charset=utf-8', body]
      : ['application/json; charset=utf-8', JSON.stringify(body)];
  response.writeHead(status, { 'content-type': type, ...headers }).end(content);
}

/** An error as GitHub words it. `documentation` is the part of the address after `https://docs.github.com/rest`. */
export function failure(status: number, message: string, documentation = ''): Reply {
  const documentation_url = `https://docs.github.com/rest${documentation}`;
  return { status, body: { message, documentation_url, status: String(status) } };
}
