import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** What a client asks of the cache: three calls of the service, and two of the store behind it. */
export type CacheOperation = 'create' | 'upload' | 'finalize' | 'look-up' | 'download';

/** A request that has come whole. */
export interface CacheRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer: an object is sent as JSON. */
export interface CacheReply {
  status: number;
  headers?: Record<string, string>;
  body?: object | string | Buffer;
}

/**
 * What goes wrong with an operation: another answer instead, no answer ever, a connection that is reset before
 * the request has an effect, or an answer that breaks off in the middle of its body.
 */
export type CacheFault = 'cut-body' | 'hang' | 'reset' | CacheReply;

function contentOf({ body }: CacheReply): string | Buffer {
  if (body === undefined) return '';
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}

/** Sends an answer; if it is to be cut, only the first half of its body, and resets the connection. */
export function send(response: ServerResponse, reply: CacheReply, isCut: boolean): void {
  const content = Buffer.from(contentOf(reply));
  response.writeHead(reply.status, { ...reply.headers, 'content-length': content.length });
  if (!isCut) {
    response.end(content);
    return;
  }
  response.write(content.subarray(0, content.length / 2), () => response.destroy());
}
