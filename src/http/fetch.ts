import type { Dispatcher } from 'undici';
import redirect from 'undici/lib/interceptor/redirect.js';
import { decodeBody, orAbort, readBytes } from './body.ts';
import type { Pool } from './pool.ts';

/** The most redirects that are followed: GitHub redirects requests for a renamed repository. */
const maxRedirections = 5;

/** The largest body, in bytes, decoded. */
const maxBody = 64 * 1024 * 1024;

/** What a request is made of. */
interface FetchRequest {
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | null | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Reads a whole body and decompresses it: compression reduces a long list to a tenth.
 *
 * @throws Error if it is incomplete, can't be decompressed, or is too large
 */
async function readWhole(answer: Dispatcher.ResponseData): Promise<Buffer> {
  const { bytes, truncated } = await readBytes(decodeBody(answer), maxBody);
  if (truncated) throw new Error(`a body of more than ${maxBody} bytes`);
  return bytes;
}

/** Statuses from here on are errors. */
const firstRefusal = 400;

/**
 * A `fetch` that sends its requests over the connections of a pool, with the parts of a response that GitHub's client reads.
 * Node's own and undici's take 12 ms to load, before the first request to GitHub.
 */
export function fetchOver({ dispatcher }: Pool) {
  const following = dispatcher.compose(redirect({ maxRedirections, throwOnMaxRedirect: true }));
  return async (url: string, { method, headers: sent, body = null, signal }: FetchRequest) => {
    signal?.throwIfAborted();
    const { origin, pathname, search } = new URL(url);
    const response: Promise<Dispatcher.ResponseData> = following.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: { ...sent, 'accept-encoding': 'gzip' },
      body,
      signal: signal ?? null,
    });
    // undici observes the signal only once it has a connection.
    const answer = await (signal === undefined ? response : orAbort(response, signal));
    const headers = new Map(
      Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
    // GitHub's client takes an incomplete body for an empty one. The body of an error has only its message.
    const read = answer.statusCode < firstRefusal ? await readWhole(answer) : undefined;
    const whole = async () => read ?? (await readWhole(answer));
    return {
      status: answer.statusCode,
      // The requested one, before redirects.
      url,
      headers,
      text: async () => new TextDecoder().decode(await whole()),
      arrayBuffer: async () => Uint8Array.from(await whole()).buffer,
    };
  };
}
