import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** What a client asks of the cache, whichever protocol it speaks. */
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
 * What goes wrong with a request:
 *
 * - another answer instead
 * - `hang`: no answer ever
 * - `reset`: the connection is reset before the request has an effect
 * - `cut-body`, `stall`: the answer breaks off, or stops for ever, in the middle of its body
 * - `endless`: the answer's body never ends
 */
export type CacheFault = 'cut-body' | 'endless' | 'hang' | 'reset' | 'stall' | CacheReply;

function contentOf({ body }: CacheReply): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

const chunk = Buffer.alloc(64 * 1024, '{"never":"ends",');

/** Writes for as long as somebody reads. */
function pour(response: ServerResponse): void {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response));
}

/** Sends an answer, with what goes wrong on the way. */
export function send(
  response: ServerResponse,
  reply: CacheReply,
  fault: 'cut-body' | 'endless' | 'stall' | undefined,
): void {
  const content = contentOf(reply);
  if (fault === 'endless') {
    // 204 has no body, not even an endless one.
    response.writeHead(reply.status === 204 ? 200 : reply.status, reply.headers);
    pour(response);
    return;
  }
  response.writeHead(reply.status, { ...reply.headers, 'content-length': content.length });
  if (fault === undefined) {
    response.end(content);
    return;
  }
  const half = content.subarray(0, content.length / 2);
  response.write(half, () => fault === 'cut-body' && response.destroy());
}
