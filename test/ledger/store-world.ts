import {
  type CacheOperation,
  type CacheServer,
  type CacheServerOptions,
  startCacheServer,
} from '../../emulator/cache/index.ts';
import { type CacheStoreOptions, cacheStore } from '../../src/ledger/store/cache.ts';
import type { LedgerStore } from '../../src/ledger/store/store.ts';

/** Both protocols of runners' caches. */
export const protocols = ['newer', 'older'] as const;

/** A cache, and stores that reach it as a step on a runner does. */
export interface CacheWorld extends AsyncDisposable {
  server: CacheServer;
  /** A store of the same ledger, unless told otherwise. */
  store(options?: Partial<CacheStoreOptions>): LedgerStore;
}

/** A machine that runs many tests at once is slow; nobody waits before a second try. */
const patient = { load: 30_000, save: 30_000, pause: 0 };

/** Starts a cache. */
export async function openCacheWorld(options?: CacheServerOptions): Promise<CacheWorld> {
  const server = await startCacheServer(options);
  return {
    server,
    store: (given) =>
      cacheStore({
        environment: server.environment,
        userAgent: 'tests/1',
        parts: ['project-1'],
        runId: '42',
        times: patient,
        ...given,
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** A signal that never aborts. */
export const endless = new AbortController().signal;

/** A signal that aborts when the cache has received a request of a kind. */
export function abortOnRequest(
  { server: { journal } }: CacheWorld,
  operation: CacheOperation,
): AbortSignal {
  const controller = new AbortController();
  const isThere = () => journal.of(operation).length > 0;
  void journal.waitFor(isThere).then(() => controller.abort(new Error('stopped')));
  return controller.signal;
}

/** The operations that were asked of a cache, in order. */
export function operationsOf({ server: { journal } }: CacheWorld): string[] {
  return journal.entries.map(({ operation }) => operation);
}
