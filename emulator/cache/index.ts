import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Connections } from '../connections.ts';
import { Journal } from '../journal.ts';
import type { Access } from './access.ts';
import { createBlobs, createSigner } from './blobs.ts';
import { CacheEntries, type CacheEntry } from './entries.ts';
import { send } from './exchange.ts';
import { newerProtocol } from './newer.ts';
import { olderProtocol } from './older.ts';
import { type CacheFaults, operationOf, type Reception, receive } from './reception.ts';

export type { Access } from './access.ts';
export type { CacheEntry } from './entries.ts';
export type { CacheFault, CacheOperation, CacheReply } from './exchange.ts';
export type { CacheFaults } from './reception.ts';
export * as cacheTroubles from './troubles.ts';

/** A local server that is the runner's cache, in one of the two protocols that there are. */
export interface CacheServer extends AsyncDisposable {
  /** What the runner puts into the environment of a step, for a client to find the cache. */
  readonly environment: Readonly<Record<string, string>>;
  /** Oldest first. What a test changes in them is handed out from then on. */
  readonly entries: readonly CacheEntry[];
  /** Every request so far; `operation` is a `CacheOperation`, or `unknown`. */
  readonly journal: Journal;
  /** What the token allows; may be changed at any time. */
  readonly access: Access;
  /** What goes wrong; may be changed at any time. */
  readonly faults: CacheFaults;
  /** How many bytes were sent so far, on all connections that are closed. */
  readonly bytesSent: number;
}

interface Answering {
  reception: Reception;
  journal: Journal;
  connections: Connections;
  latency: number;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { reception, journal, connections, latency }: Answering,
): Promise<void> {
  const { method = '', headers } = incoming;
  const url = new URL(incoming.url ?? '/', 'http://cache');
  const operation = operationOf(reception, method, url);
  const query = Object.fromEntries(url.searchParams);
  const connection = connections.numberOf(incoming);
  const entry = journal.add({
    method,
    path: url.pathname,
    query,
    headers,
    connection,
    operation: operation ?? 'unknown',
  });
  response.once('close', () => journal.update(entry, { endedAt: Date.now() }));
  const body = await buffer(incoming);
  journal.update(entry, { body });
  if (latency > 0) await delay(latency, undefined, { ref: false });
  const decision = receive(reception, operation, { method, url, headers, body });
  if (decision === 'hang') return;
  if (decision === 'reset') {
    response.destroy();
    return;
  }
  journal.update(entry, { status: decision.reply.status });
  send(response, decision.reply, decision.fault);
}

/** How to start the cache; everything has a default. */
export interface CacheServerOptions extends Partial<Access> {
  /** `newer`, as GitHub's own, or `older`, as that of GitHub Enterprise Server, act and Gitea. */
  protocol?: 'newer' | 'older';
  /** A host that the cache names itself by, instead of its own address: it is then reached as a proxy to it. */
  host?: string;
  /** How long each request takes, in milliseconds. */
  latency?: number;
  /** How many requests the journal keeps, the latest ones. By default all. */
  journalLimit?: number;
}

/** Starts a cache on a free port of the loopback interface. Disposing of it stops it. */
export async function startCacheServer(options: CacheServerOptions = {}): Promise<CacheServer> {
  const { protocol: name = 'newer', host, latency = 0, journalLimit, ...given } = options;
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = host === undefined ? own : `http://${host}`;
  const token = 'fake-runtime-token';
  const access: Access = { scopes: ['refs/heads/main'], permission: 'write', ...given };
  const entries = new CacheEntries();
  const faults: CacheFaults = {};
  const journal = new Journal(journalLimit);
  const connections = new Connections();
  const create = name === 'newer' ? newerProtocol : olderProtocol;
  const protocol = create(entries, access, createSigner(origin));
  const reception = { token, protocol, blobs: createBlobs(entries), faults };
  let bytesSent = 0;
  server.on('connection', (socket) => {
    socket.once('close', () => {
      bytesSent += socket.bytesWritten;
    });
  });
  server.on('request', (incoming, response) => {
    const answering = { reception, journal, connections, latency };
    answer(incoming, response, answering).catch(() => response.destroy());
  });
  return {
    environment: {
      ...protocol.variables(origin),
      ACTIONS_RUNTIME_TOKEN: token,
      ...(host === undefined ? {} : { http_proxy: own, no_proxy: '127.0.0.1' }),
    },
    entries: entries.all,
    journal,
    access,
    faults,
    get bytesSent() {
      return bytesSent;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
