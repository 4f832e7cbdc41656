import { readBounded } from '../../http/body.ts';
import { classifyNetworkError } from '../../http/faults.ts';
import { orAbort } from '../../http/or-abort.ts';
import { openPool, type Pool } from '../../http/pool.ts';
import { CacheTrouble } from './trouble.ts';

/** One request, wherever it goes. */
export interface CacheRequest {
  /** Names it to whoever reads that it failed. */
  name: string;
  url: URL;
  method: 'GET' | 'PATCH' | 'POST' | 'PUT';
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** The most that is read of the answer, in bytes. */
  most: number;
}

/** An answer of any status, redirects too: none is followed. */
export interface CacheAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As far as it was wanted. */
  text: string;
  isCut: boolean;
}

/** Sends requests, each once, over connections that it keeps until it is disposed of. */
export interface CacheTransport extends AsyncDisposable {
  /** @throws CacheTrouble if there is no answer, or the signal's reason */
  send(request: CacheRequest, signal: AbortSignal): Promise<CacheAnswer>;
}

/**
 * Opens a transport.
 *
 * @param sanitize makes a text of the network's printable and free of secrets
 */
export function openTransport(
  userAgent: string,
  sanitize: (text: string) => string,
): CacheTransport {
  const pools = new Map<string, Pool>();
  const poolFor = (url: URL): Pool => {
    const pool = pools.get(url.origin) ?? openPool(url);
    pools.set(url.origin, pool);
    return pool;
  };
  return {
    send: async ({ name, url, method, headers, body = null, most }, signal) => {
      signal.throwIfAborted();
      const asking = poolFor(url).dispatcher.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method,
        headers: { ...headers, 'user-agent': userAgent },
        body,
        signal,
      });
      try {
        const answer = await orAbort(asking, signal);
        const { text, truncated } = await readBounded(answer.body, most);
        return { status: answer.statusCode, headers: answer.headers, text, isCut: truncated };
      } catch (cause) {
        signal.throwIfAborted();
        const { detail } = classifyNetworkError(cause);
        throw new CacheTrouble(`${name} failed: ${sanitize(detail)}`, true, { cause });
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
