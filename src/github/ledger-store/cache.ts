import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CacheClient, runCacheClient } from './cache-client.ts';
import { ledgerName, type Task } from './cache-task.ts';
import { readPlace } from './place.ts';
import { codeOf, isTooLarge, type LedgerStore, nothingSaved } from './store.ts';

/** Which ledger is kept, and how the cache is reached. */
export interface CacheStoreOptions extends CacheClient {
  /** What tells this ledger from others, such as the project's id. */
  parts: readonly string[];
  /** `GITHUB_RUN_ID`: a key shows which run saved it. */
  runId: string;
  /** How long each task may take, in milliseconds; by default 5 s to load and 10 s to save. */
  limits?: Readonly<Record<Task, number>>;
  /** The system; by default this one. */
  platform?: NodeJS.Platform;
}

interface Problem {
  problem: string;
}

/** The beginning of a ledger's keys. No other ledger's keys begin so; it is short and has no comma. */
function keyPrefix(parts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return `site-deploy-ledger-${digest.slice(0, 32)}-`;
}

/** Why there is no cache to be used, as a sentence; undefined if the runner says where it is and gives a token for it. */
function whyNone({ environment, platform = process.platform }: CacheStoreOptions) {
  const address = environment['ACTIONS_RESULTS_URL'] || environment['ACTIONS_CACHE_URL'];
  const isOffered = Boolean(address && environment['ACTIONS_RUNTIME_TOKEN']);
  if (!isOffered) return 'This runner offers no Actions cache.';
  return platform === 'win32'
    ? 'On Windows what is unpacked of the Actions cache cannot be bounded, so it is not used: keep the ledger in a file (env-ledger).'
    : undefined;
}

/** Works in a new folder that only we can enter, and removes it. */
async function inFolder<Result>(base: string, work: (folder: string) => Promise<Result>) {
  const folder = await mkdtemp(join(base, 'ledger-'));
  try {
    return await work(folder);
  } finally {
    // A program that was ended may still hold a file; the runner empties the place of the folder anyway.
    await Promise.allSettled([rm(folder, { recursive: true, force: true, maxRetries: 3 })]);
  }
}

/** Works for at most `limit` milliseconds, and not beyond the signal. Never throws. */
async function within<Result>(
  limit: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | Problem> {
  const time = AbortSignal.timeout(limit);
  try {
    signal.throwIfAborted();
    return await work(AbortSignal.any([signal, time]));
  } catch (error) {
    if (signal.aborted) return { problem: 'there was no time left' };
    return { problem: time.aborted ? `no answer within ${limit / 1000} s` : codeOf(error) };
  }
}

/**
 * Keeps the ledger in the cache of GitHub Actions. Each save makes a new entry, since a key never gets a second
 * content; what is loaded is the newest entry that the branch, or else its base, can see.
 */
export function cacheStore(options: CacheStoreOptions): LedgerStore {
  const { environment, parts, runId, limits = { load: 5_000, save: 10_000 } } = options;
  const prefix = keyPrefix(parts);
  const base = environment['RUNNER_TEMP'] || tmpdir();

  const load = async (folder: string, signal: AbortSignal) => {
    const end = await runCacheClient(options, { task: 'load', key: prefix, folder }, signal);
    if (end.done) return (await readPlace(folder, ledgerName)) ?? { problem: 'the entry is empty' };
    return end.reason === undefined ? { absent: nothingSaved } : { problem: end.reason };
  };
  const save = async (text: string, folder: string, signal: AbortSignal) => {
    const key = `${prefix}${runId}-${randomUUID()}`;
    await writeFile(join(folder, ledgerName), text, { mode: 0o600, signal });
    const end = await runCacheClient(options, { task: 'save', key, folder }, signal);
    return end.done ? undefined : { problem: end.reason ?? 'no reason was given' };
  };
  return {
    async load(signal) {
      signal.throwIfAborted();
      const absent = whyNone(options);
      if (absent !== undefined) return { absent };
      const loaded = await within(limits.load, signal, (limited) =>
        inFolder(base, (folder) => load(folder, limited)),
      );
      signal.throwIfAborted();
      if (!('problem' in loaded)) return loaded;
      return { absent: `The ledger could not be read from the Actions cache: ${loaded.problem}.` };
    },
    async save(text, signal) {
      const none = whyNone(options);
      if (none !== undefined) return none;
      if (isTooLarge(text)) return 'The ledger is too large to be saved.';
      const saved = await within(limits.save, signal, (limited) =>
        inFolder(base, (folder) => save(text, folder, limited)),
      );
      return saved && `The ledger could not be saved in the Actions cache: ${saved.problem}.`;
    },
  };
}
