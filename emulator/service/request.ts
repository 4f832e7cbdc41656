import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Reply } from './reply.ts';

/** The head of a request that reached the emulator. */
export interface RequestHead {
  readonly method: string;
  /** The path as sent, without the query and without the base path; starts with `/`. */
  readonly path: string;
  /** False if the path is not below the base path. */
  readonly belowBase: boolean;
  /** The query with its question mark, or an empty string. */
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  /** The host that the request names, in lower case and without the port. */
  readonly host: string;
}

/** A request with its whole body. */
export interface WholeRequest extends RequestHead {
  readonly body: Buffer;
}

/** A request whose body is read while it is carried out. */
export interface OpenRequest extends RequestHead {
  readonly body: Readable;
}

/** One part of the emulator that answers requests: the service, the sites; and, with open ones, the repositories. */
export interface Surface<Request extends RequestHead = WholeRequest> {
  /** The name under which a request is noted in the journal. */
  operation(head: RequestHead): string;
  /** Answers a request. Does not throw for a request that it refuses. */
  respond(request: Request): Promise<Reply>;
}

/** The part that answers a request, and how that takes the body. */
export type Choice =
  | { readonly takes: 'whole'; readonly surface: Surface }
  | { readonly takes: 'open'; readonly surface: Surface<OpenRequest> };

/** Reads a request's head. */
export function readHead(request: IncomingMessage, basePath: string): RequestHead {
  const url = request.url ?? '/';
  const question = url.indexOf('?');
  const whole = question === -1 ? url : url.slice(0, question);
  const belowBase = whole.startsWith(`${basePath}/`);
  return {
    method: request.method ?? 'GET',
    path: belowBase ? whole.slice(basePath.length) : whole,
    belowBase,
    search: question === -1 ? '' : url.slice(question),
    headers: request.headers,
    host: (request.headers.host ?? '').toLowerCase().replace(/:\d+$/, ''),
  };
}

/** A body as a journal shows it: parsed if it is JSON, else text, or undefined if there is none. */
export function decodeBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  const text = body.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A header that is sent at most once, or null. */
export function headerText({ headers }: RequestHead, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
