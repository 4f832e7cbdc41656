import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Journal } from '../journal.ts';
import { createBlobs, signedUrl } from './blobs.ts';
import { CacheEntries, type CacheEntry } from './entries.ts';
import { send } from './exchange.ts';
import { type CacheFaults, operationOf, type Reception, receive } from './reception.ts';
import { type Access, createService } from './service.ts';

export type { CacheEntry } from './entries.ts';
export type { CacheFault, CacheOperation, CacheReply } from './exchange.ts';
export type { CacheFaults } from './reception.ts';
export type { Access } from './service.ts';

/** A local server that speaks the protocol of the runner's cache as `@actions/cache` 6 speaks it. */
export interface CacheServer extends AsyncDisposable {
  /** What the runner puts into the environment of a step, for the client to find the cache. */
  readonly environment: Readonly<Record<string, string>>;
  /** Oldest first. What a test changes in them is handed out from then on. */
  readonly entries: readonly CacheEntry[];
  /** Every request so far; `operation` is a `CacheOperation`, or `unknown`. */
  readonly journal: Journal;
  /** What the token allows; may be changed at any time. */
  readonly access: Access;
  /** What goes wrong; may be changed at any time. */
  readonly faults: CacheFaults;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { reception, journal }: { reception: Reception; journal: Journal },
): Promise<void> {
  const { method = '', headers } = incoming;
  const url = new URL(incoming.url ?? '/', 'http://cache');
  const operation = operationOf(method, url) ?? 'unknown';
  const query = Object.fromEntries(url.searchParams);
  const entry = journal.add({ method, path: url.pathname, query, headers, operation });
  response.once('close', () => journal.update(entry, { endedAt: Date.now() }));
  const body = await buffer(incoming);
  journal.update(entry, { body });
  const decision = receive(reception, { method, url, headers, body });
  if (decision === 'hang') return;
  if (decision === 'reset') {
    response.destroy();
    return;
  }
  journal.update(entry, { status: decision.reply.status });
  send(response, decision.reply, decision.isCut);
}

/** How to start the cache; everything has a default. */
export interface CacheServerOptions extends Partial<Access> {
  /**
   * Whether addresses of contents are on a host of Azure's, as GitHub's are: the client treats those in a way of
   * their own. The environment then names this server as the proxy to that host.
   */
  onAzure?: boolean;
}

const azure = 'http://fake-account.blob.core.windows.net';

/** Starts a cache on a free port of the loopback interface. Disposing of it stops it. */
export async function startCacheServer({
  onAzure = false,
  ...given
}: CacheServerOptions = {}): Promise<CacheServer> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = 'fake-runtime-token';
  const access: Access = { scopes: ['refs/heads/main'], permission: 'write', ...given };
  const entries = new CacheEntries();
  const faults: CacheFaults = {};
  const journal = new Journal();
  const service = createService(entries, access, (entry, purpose) =>
    signedUrl(onAzure ? azure : origin, entry, purpose),
  );
  const reception = { token, service, blobs: createBlobs(entries), faults };
  server.on('request', (incoming, response) => {
    answer(incoming, response, { reception, journal }).catch(() => response.destroy());
  });
  return {
    environment: {
      ACTIONS_CACHE_SERVICE_V2: 'True',
      ACTIONS_RESULTS_URL: `${origin}/`,
      ACTIONS_RUNTIME_TOKEN: token,
      ...(onAzure ? { http_proxy: origin, no_proxy: '127.0.0.1' } : {}),
    },
    entries: entries.all,
    journal,
    access,
    faults,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
