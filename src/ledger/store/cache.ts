import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StepEnvironment } from '../../github/runner.ts';
import { type CacheClient, openCache } from '../cache/cache-client.ts';
import { type CacheOffer, CacheTrouble, cacheOfferOf } from '../cache/exchange.ts';
import {
  codeOf,
  isTooLarge,
  type LedgerStore,
  type LoadedLedger,
  largestLedger,
  nothingSaved,
} from './store.ts';

/** How long things may take, in milliseconds. */
interface Times {
  load: number;
  save: number;
  /** Before the second try. */
  pause: number;
}

/** Which ledger is kept, and how the cache is reached. */
export interface CacheStoreOptions {
  environment: StepEnvironment;
  userAgent: string;
  /** What tells this ledger from others, such as the project's id. */
  parts: readonly string[];
  /** `GITHUB_RUN_ID`: a key shows which run saved it. */
  runId: string;
  /** By default 5 s to load, 10 s to save, and half a second between two tries. */
  times?: Times;
}

interface CacheProblem {
  problem: string;
}

const usual: Times = { load: 5_000, save: 10_000, pause: 500 };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The form of our entries, the sealed text as it is: what any client makes a hash of, like this one. */
const version = sha256('site-deploy-action ledger, as text');

/** The beginning of a ledger's keys. No other ledger's keys begin so; it is short and has no comma. */
const keyPrefix = (parts: readonly string[]): string =>
  `site-deploy-ledger-${sha256(JSON.stringify(parts)).slice(0, 32)}-`;

/** Tries a second time if the first came upon something that passes. */
async function twice<Result>(
  attempt: () => Promise<Result>,
  pause: number,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await attempt();
  } catch (first) {
    if (!(first instanceof CacheTrouble) || !first.isPassing) throw first;
    try {
      await sleep(pause, undefined, { signal });
      return await attempt();
    } catch (second) {
      throw second instanceof CacheTrouble ? second : first;
    }
  }
}

/**
 * Keeps the ledger in the cache of GitHub Actions, or of a runner like GitHub's. Each save makes a new entry, since
 * a key never gets a second content; what is loaded is the newest entry that the branch, or else its base, can see.
 */
export function cacheStore(options: CacheStoreOptions): LedgerStore {
  const { environment, parts, runId, userAgent, times = usual } = options;
  const prefix = keyPrefix(parts);
  /** Texts by key: while an entry is still the newest, it need not be read again. */
  const known = new Map<string, string>();

  /** Works on the cache for at most `limit` milliseconds, and not beyond the signal. Never throws. */
  const within = async <Result>(
    offer: CacheOffer,
    limit: number,
    signal: AbortSignal,
    work: (client: CacheClient, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | CacheProblem> => {
    const time = AbortSignal.timeout(limit);
    const both = AbortSignal.any([signal, time]);
    await using client = openCache(offer, { userAgent, version });
    try {
      return await twice(() => work(client, both), times.pause, both);
    } catch (error) {
      if (error instanceof CacheTrouble) return { problem: error.message };
      if (signal.aborted) return { problem: 'there was no time left' };
      return { problem: time.aborted ? `no answer within ${limit / 1000} s` : codeOf(error) };
    }
  };

  const load = async (client: CacheClient, signal: AbortSignal): Promise<LoadedLedger> => {
    const entry = await client.find(prefix, signal);
    if (entry === undefined) return { absent: nothingSaved };
    const text = known.get(entry.key) ?? (await client.read(entry, largestLedger, signal));
    if (entry.key !== '') known.set(entry.key, text);
    return { text };
  };

  return {
    async load(signal) {
      signal.throwIfAborted();
      const offer = cacheOfferOf(environment);
      if (offer === undefined) return { absent: 'This runner offers no Actions cache.' };
      if (!offer.mayRead)
        return { absent: 'This run may not read the Actions cache (ACTIONS_CACHE_MODE).' };
      const loaded = await within(offer, times.load, signal, load);
      signal.throwIfAborted();
      if (!('problem' in loaded)) return loaded;
      return { absent: `The ledger could not be read from the Actions cache: ${loaded.problem}.` };
    },
    async save(text, signal) {
      const offer = cacheOfferOf(environment);
      if (offer === undefined) return 'This runner offers no Actions cache.';
      if (!offer.mayWrite)
        return 'This run may not write to the Actions cache (ACTIONS_CACHE_MODE).';
      if (isTooLarge(text)) return 'The ledger is too large to be saved.';
      const saved = await within(offer, times.save, signal, async (client, limited) => {
        await client.save(`${prefix}${runId}-${randomUUID()}`, text, limited);
        return undefined;
      });
      return saved && `The ledger could not be saved in the Actions cache: ${saved.problem}.`;
    },
  };
}
