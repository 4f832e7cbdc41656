import type { ServerResponse } from 'node:http';
import type { Reply } from './reply.ts';

/**
 * Writes an answer. A stream goes on until it ends, the client leaves, or the emulator closes.
 * @param signal aborted when the emulator closes
 */
export async function send(
  response: ServerResponse,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  const { status, headers, body } = reply;
  if (Buffer.isBuffer(body)) {
    response.writeHead(status, { ...headers, 'content-length': body.length });
    response.end(body);
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.writeHead(status, headers);
  response.flushHeaders();
  const both = AbortSignal.any([gone.signal, signal]);
  try {
    if ((await body(response, both)) === 'end') response.end();
    else response.destroy();
  } catch (error) {
    if (!both.aborted) throw error;
    response.destroy();
  }
}
