import { lookup } from 'node:dns';
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

/**
 * Opens the one connection pool of a run. The proxy variables (`http_proxy`, `https_proxy`, `no_proxy`, in
 * either case) are honoured, except for this machine itself. HTTP/1.1 only: six connections are as fast as
 * streams of one here, and a reset then concerns one request.
 */
export function createDispatcher(url: URL): Dispatcher {
  const timeouts = { headersTimeout, bodyTimeout, connections, allowH2: false };
  if (isLoopback(url)) {
    return new Agent({
      ...timeouts,
      connect: { timeout: connectTimeout, lookup: lookupLocalhost },
    });
  }
  return new EnvHttpProxyAgent({ ...timeouts, connect: { timeout: connectTimeout } });
}
