import type { Dispatcher } from 'undici';
import redirect from 'undici/lib/interceptor/redirect.js';
import { orAbort, readBytes } from './body.ts';
import type { Pool } from './pool.ts';

/** As many redirections as are followed: of a repository that has another name now. */
const maxRedirections = 5;

/** The most that an answer's body may be, in bytes, packed and unpacked. */
const maxBody = 64 * 1024 * 1024;

/** What a request is made of. */
export interface FetchRequest {
  method: Dispatcher.HttpMethod;
  headers: Record<string, string>;
  body?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** An answer, as far as GitHub's client reads one. */
export interface FetchAnswer {
  status: number;
  /** Where it was asked first. */
  url: string;
  headers: ReadonlyMap<string, string>;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Reads a body to its end, and unpacks it: a long list of records is a tenth when it is packed.
 *
 * @throws Error if it breaks off, cannot be unpacked, or is too large
 */
async function readWhole(
  { body }: Dispatcher.ResponseData,
  headers: FetchAnswer['headers'],
): Promise<Buffer> {
  const { bytes, truncated } = await readBytes(body, maxBody);
  if (truncated) throw new Error(`a body of more than ${maxBody} bytes`);
  const isPacked = /^(x-)?gzip$/i.test(headers.get('content-encoding') ?? '');
  if (!isPacked || bytes.length === 0) return bytes;
  const { gunzipSync } = await import('node:zlib');
  return gunzipSync(bytes, { maxOutputLength: maxBody });
}

/** Statuses from here on refuse. */
const firstRefusal = 400;

/**
 * A `fetch` that sends its requests over the connections of a pool, with as much of an answer as GitHub's client reads.
 * Node's own and undici's take 12 ms to load, before the first request to GitHub.
 */
export function fetchOver({
  dispatcher,
}: Pool): (url: string, request: FetchRequest) => Promise<FetchAnswer> {
  const following = dispatcher.compose(redirect({ maxRedirections, throwOnMaxRedirect: true }));
  return async (url, { method, headers: sent, body = null, signal }) => {
    signal?.throwIfAborted();
    const { origin, pathname, search } = new URL(url);
    const asking: Promise<Dispatcher.ResponseData> = following.request({
      origin,
      path: `${pathname}${search}`,
      method,
      headers: { ...sent, 'accept-encoding': 'gzip' },
      body,
      signal: signal ?? null,
    });
    // It heeds the signal only once it has a connection.
    const answer = await (signal === undefined ? asking : orAbort(asking, signal));
    const headers = new Map(
      Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
    );
    // GitHub's client takes a body that breaks off for an empty one. That of a refusal adds nothing but its words.
    const read = answer.statusCode < firstRefusal ? await readWhole(answer, headers) : undefined;
    const whole = async () => read ?? (await readWhole(answer, headers));
    return {
      status: answer.statusCode,
      url,
      headers,
      text: async () => (await whole()).toString(),
      arrayBuffer: async () => Uint8Array.from(await whole()).buffer,
    };
  };
}
