import { lookup } from 'node:dns';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isLoopback } from '../contract/base-url.ts';

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
  /** HTTP/2 too, where TLS offers it. */
  allowH2?: boolean;
}

/** A connection pool. */
export interface Pool {
  dispatcher: Dispatcher;
  /** Ends all connections, those that are only being opened too. */
  close(): Promise<void>;
}

/**
 * Opens a connection pool for what is at an address. The proxy variables (`http_proxy`, `https_proxy`, `no_proxy`, in
 * either case) are honoured, except for this machine itself. HTTP/1.1 only, if nothing else is said: six connections
 * are as fast as streams of one here, and a reset then concerns one request.
 */
export function openPool(url: URL, { allowH2 = false, ...more }: PoolOptions = {}): Pool {
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const connect = { timeout: connectTimeout, signal: closing.signal, lookup: lookupLocalhost };
  const options = { headersTimeout, bodyTimeout, connections, allowH2, connect, ...more };
  const dispatcher = isLoopback(url)
    ? new Agent(options)
    : new EnvHttpProxyAgent({ ...options, proxyTls: connect, requestTls: connect });
  return {
    dispatcher,
    close: async () => {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}
