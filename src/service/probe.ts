import redirect from 'undici/lib/interceptor/redirect.js';
import { readBounded } from '../http/body.ts';
import { classifyNetworkError } from '../http/faults.ts';
import { orAbort } from '../http/or-abort.ts';
import { openPool } from '../http/pool.ts';

const maxPage = 5 * 1024 * 1024;
const maxRedirections = 5;

/** What a page answered. */
export type ProbeResult =
  | { status: number; text: string; truncated: boolean }
  /** No answer, and why. */
  | { failure: string };

/** Asks a public page, without the key. */
export interface Probe {
  /** Reads the page once, following redirects. Throws only the signal's reason. */
  get(signal: AbortSignal): Promise<ProbeResult>;
  close(): Promise<void>;
}

/** Makes a probe of one page, with connections of its own. */
export function createProbe(url: URL, userAgent: string): Probe {
  const pool = openPool(url);
  const dispatcher = pool.dispatcher.compose(redirect({ maxRedirections }));
  return {
    get: async (signal) => {
      try {
        const asking = dispatcher.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: 'GET',
          headers: { accept: '*/*', 'cache-control': 'no-cache', 'user-agent': userAgent },
          signal,
        });
        const answer = await orAbort(asking, signal);
        const { text, truncated } = await readBounded(answer.body, maxPage);
        return { status: answer.statusCode, text, truncated };
      } catch (error) {
        signal.throwIfAborted();
        return { failure: classifyNetworkError(error).detail };
      }
    },
    close: () => pool.close(),
  };
}
