import { mkdir, mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type CacheOperation,
  type CacheServer,
  type CacheServerOptions,
  startCacheServer,
} from '../../src/emulator/cache/index.ts';
import { type CacheStoreOptions, cacheStore } from '../../src/github/ledger-store/cache.ts';
import type { LedgerStore } from '../../src/github/ledger-store/store.ts';

/** A cache, and stores that reach it as a step on a runner does. */
export interface CacheWorld extends AsyncDisposable {
  server: CacheServer;
  /** What a step on a runner of its own has in its environment. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The script of the process that talks to the cache. */
  script: string;
  /** A store of the same ledger, unless told otherwise. */
  store(options?: Partial<CacheStoreOptions>): LedgerStore;
  /** What is left in the runner's temporary folder. */
  leftovers(): Promise<string[]>;
}

/** A machine that runs many tests at once is slow. */
const patient = { load: 30_000, save: 30_000 };

/** The process as it is shipped. */
const script = fileURLToPath(new URL('../../dist/ledger-cache.js', import.meta.url));

/** Starts a cache and makes a runner's folders. */
export async function openCacheWorld(options?: CacheServerOptions): Promise<CacheWorld> {
  const server = await startCacheServer(options);
  const folder = await mkdtempDisposable(join(tmpdir(), 'ledger-store-'));
  const temp = join(folder.path, 'temp');
  await mkdir(temp);
  const environment = {
    ...process.env,
    NO_PROXY: '127.0.0.1',
    RUNNER_TEMP: temp,
    ...server.environment,
  };
  return {
    server,
    environment,
    script,
    store: (given) =>
      cacheStore({
        environment,
        parts: ['project-1'],
        runId: '42',
        script,
        limits: patient,
        ...given,
      }),
    leftovers: () => readdir(temp),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** A signal that never aborts. */
export const endless = new AbortController().signal;

/** A signal that aborts when the cache has received so many requests of a kind. */
export function abortOnRequest(
  { server: { journal } }: CacheWorld,
  operation: CacheOperation,
  count = 1,
): AbortSignal {
  const controller = new AbortController();
  const enough = () => journal.of(operation).length >= count;
  void journal.waitFor(enough).then(() => controller.abort(new Error('stopped')));
  return controller.signal;
}
