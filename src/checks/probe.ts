import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DiagnosticsChannel, Dispatcher } from 'undici';
import { orAbort, readBounded } from '../http/body.ts';
import { certificateEnd } from '../http/certificate.ts';
import { classifyNetworkError } from '../http/faults.ts';
import { openPool, type Pool } from '../http/pool.ts';

const maxPage = 5 * 1024 * 1024;
const maxRedirections = 5;

/** The most connections to one site. */
const connections = 4;

/** A request for a public page. */
export interface Question {
  url: URL;
  method: 'GET' | 'HEAD';
  /** True: redirects are followed, at the same host only. */
  follows: boolean;
}

/** The response of a page. */
export type ProbeResult =
  | {
      status: number;
      headers: Readonly<Record<string, string | string[] | undefined>>;
      text: string;
      /** True if there was more than 5 MiB. */
      truncated: boolean;
      /** From the request to the end of what was read, redirects included. */
      milliseconds: number;
      /** When the certificate of its host expires, in milliseconds since the epoch; undefined without one. */
      certificateEnds: number | undefined;
    }
  /** No response, and why. */
  | { failure: string };

/** Requests public pages, without the API key. */
export interface Probe {
  /** Reads a page once. Throws only the signal's reason. */
  ask(question: Question, signal: AbortSignal): Promise<ProbeResult>;
  close(): Promise<void>;
}

const redirects = new Set([301, 302, 303, 307, 308]);

const placeOf = ({ hostname, port, protocol }: URL): string =>
  `${hostname.replace(/^\[|\]$/g, '')}:${port || (protocol === 'https:' ? '443' : '80')}`;

/** Where a page redirects to on its own host; undefined if it does not, or leaves the host. */
function nextAt(url: URL, { statusCode, headers }: Dispatcher.ResponseData): URL | undefined {
  const { location } = headers;
  if (!redirects.has(statusCode) || typeof location !== 'string') return undefined;
  const next = URL.parse(location, url.href);
  if (next === null || next.username !== '' || next.password !== '') return undefined;
  const isSecured =
    url.protocol === 'http:' &&
    next.protocol === 'https:' &&
    next.hostname === url.hostname &&
    next.port === '' &&
    url.port === '';
  return next.origin === url.origin || isSecured ? next : undefined;
}

/** Creates a probe with its own connections. */
export function createProbe(userAgent: string): Probe {
  const pools = new Map<string, Pool>();
  const certificates = new Map<string, number>();
  const onConnected = (message: unknown) => {
    const { connectParams, socket } = message as DiagnosticsChannel.ClientConnectedMessage;
    const end = certificateEnd(socket);
    const { hostname, port } = connectParams;
    // A resumed TLS session shows no certificate: keep that of the first connection.
    if (end !== undefined) certificates.set(`${hostname}:${port || '443'}`, end);
  };
  subscribe('undici:client:connected', onConnected);

  const poolFor = (url: URL): Pool => {
    const pool = pools.get(url.origin) ?? openPool(url, { connections });
    pools.set(url.origin, pool);
    return pool;
  };

  const send = (url: URL, method: Question['method'], signal: AbortSignal) => {
    const response = poolFor(url).dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: {
        accept: '*/*',
        // Without it a site may compress (RFC 9110, 12.5.3), and nothing is decompressed here.
        'accept-encoding': 'identity',
        'cache-control': 'no-cache',
        'user-agent': userAgent,
      },
      signal,
    });
    return orAbort(response, signal);
  };

  const read = async ({ url, method, follows }: Question, signal: AbortSignal) => {
    let at = url;
    for (let left = maxRedirections; ; left -= 1) {
      const answer = await send(at, method, signal);
      const next = follows && left > 0 ? nextAt(at, answer) : undefined;
      const body = await readBounded(answer.body, maxPage);
      if (next === undefined) return { answer, body, at };
      at = next;
    }
  };

  return {
    ask: async (question, signal) => {
      const started = performance.now();
      try {
        const { answer, body, at } = await read(question, signal);
        return {
          status: answer.statusCode,
          headers: answer.headers,
          ...body,
          milliseconds: performance.now() - started,
          certificateEnds: at.protocol === 'https:' ? certificates.get(placeOf(at)) : undefined,
        };
      } catch (error) {
        signal.throwIfAborted();
        return { failure: classifyNetworkError(error).detail };
      }
    },
    close: async () => {
      unsubscribe('undici:client:connected', onConnected);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
