import { lookup } from 'node:dns';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher as AnyDispatcher } from 'undici';
// By parts: the whole of undici, with its fetch, mocks and caches, takes as long to load as all of ours.
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { isLoopback } from '../contract/base-url.ts';

// What the whole of undici gives its dispatchers, as far as it is used: a proxy is asked by the second.
Object.assign(Dispatcher.prototype, { request, connect });

const connectTimeout = 10_000;
const headersTimeout = 30_000;
const bodyTimeout = 30_000;

/** Enough for six writes at once beside a stream and a poll. */
const connections = 10;

/** RFC 6761: every name under `.localhost` is loopback, which the system's resolver need not know. */
const lookupLocalhost: LookupFunction = (hostname, options, callback) =>
  lookup(hostname.endsWith('.localhost') ? 'localhost' : hostname, options, callback);

/** How a pool differs from the others. */
export interface PoolOptions {
  /** How long a connection is kept without a request, in milliseconds, unless the other side says how long; else 4 s. */
  keepAliveTimeout?: number;
  /** How many there may be to one origin. */
  connections?: number;
  /** HTTP/2 too, where TLS offers it. */
  allowH2?: boolean;
}

/**
 * What V8 would do for a long life, and a step need not. It reads these flags when it comes to that, the first two when
 * undici's parser is first compiled, by the first connection. Set earlier, Node's own modules would load without their
 * caches.
 */
function keepMemorySmall(): void {
  // It would compile the parser a second time once that was used a little, which takes 24 MB and half a second.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  // It would double the room for young objects again and again, to 100 MB and more in a long log.
  setFlagsFromString('--semi-space-growth-factor=1');
  // It would let old objects double before it collects them, which many short ones and a few long make of a log.
  setFlagsFromString('--heap-growing-percent=5');
}

/** A connection pool. */
export interface Pool {
  dispatcher: AnyDispatcher;
  /** Ends all connections, those that are only being opened too. */
  close(): Promise<void>;
}

/**
 * Opens a connection pool for what is at an address. The proxy variables (`http_proxy`, `https_proxy`, `no_proxy`, in
 * either case) are honoured, except for this machine itself. HTTP/1.1 only, if nothing else is said: six connections
 * are as fast as streams of one here, and a reset then concerns one request.
 */
export function openPool(url: URL, { allowH2 = false, ...more }: PoolOptions = {}): Pool {
  keepMemorySmall();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const connector = { timeout: connectTimeout, signal: closing.signal, lookup: lookupLocalhost };
  const options = {
    headersTimeout,
    bodyTimeout,
    connections,
    allowH2,
    connect: connector,
    ...more,
  };
  const dispatcher = isLoopback(url)
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...options, proxyTls: connector, requestTls: connector });
  return {
    dispatcher,
    close: async () => {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}
