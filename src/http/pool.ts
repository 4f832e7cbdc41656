import { lookup } from 'node:dns';
import { setMaxListeners } from 'node:events';
import type { LookupFunction } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher as AnyDispatcher } from 'undici';
// Imported in parts: all of undici, with its fetch, mocks and caches, takes as long to load as our own code.
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import { isLoopback } from '../contract/limits.ts';
import { readProxies } from './proxies.ts';

// The methods that undici's index adds to its dispatchers, as far as they are used: `connect` for proxies.
Object.assign(Dispatcher.prototype, { request, connect });

const connectTimeout = 10_000;
const headersTimeout = 30_000;
const bodyTimeout = 30_000;

/** Enough for six concurrent writes, a stream and a poll. */
const connections = 10;

/** RFC 6761: every name under `.localhost` is loopback, which the system's resolver need not know. */
const lookupLocalhost: LookupFunction = (hostname, options, callback) =>
  lookup(hostname.endsWith('.localhost') ? 'localhost' : hostname, options, callback);

interface PoolOptions {
  /** How long an idle connection is kept, in milliseconds, unless the server specifies it; by default 4 s. */
  keepAliveTimeout?: number;
  /** The most connections to one origin. */
  connections?: number;
  /** Allows HTTP/2 where TLS offers it. */
  allowH2?: boolean;
}

/**
 * Turns off V8's optimizations for long-running processes. V8 reads the first two flags when the first connection
 * compiles undici's parser. Set earlier, they would make Node's own modules load without their caches.
 */
function keepMemorySmall(): void {
  // V8 would soon compile the parser a second time, which takes 24 MB and half a second.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  // V8 would repeatedly double the space for young objects, to 100 MB and more in a long log.
  setFlagsFromString('--semi-space-growth-factor=1');
  // V8 would let old objects double before it collects them.
  setFlagsFromString('--heap-growing-percent=5');
}

/** A connection pool. */
export interface Pool {
  dispatcher: AnyDispatcher;
  /** Ends all connections, including those being opened. */
  close(): Promise<void>;
}

/**
 * Opens a connection pool for an address. It uses the proxy variables (`http_proxy`, `https_proxy`, `no_proxy`, in either
 * case), except for this machine. By default HTTP/1.1 only: six connections are as fast as six streams of one here, and
 * a reset then affects only one request.
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
  const { http, https } = readProxies(process.env);
  const hasSocks = [http, https].some((set) => set?.proxy?.protocol.startsWith('socks'));
  const { no_proxy: noProxy, NO_PROXY = '' } = process.env;
  const dispatcher = isLoopback(url)
    ? new Agent(options)
    : new EnvHttpProxyAgent({
        ...options,
        // With it, undici would speak TLS to a SOCKS proxy.
        ...(!hasSocks && { proxyTls: connector }),
        requestTls: connector,
        httpProxy: http?.proxy?.href ?? '',
        httpsProxy: https?.proxy?.href ?? '',
        noProxy: noProxy || NO_PROXY,
      });
  return {
    dispatcher,
    close: async () => {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}
