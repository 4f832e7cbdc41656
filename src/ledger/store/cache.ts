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

/** Timeouts in milliseconds. */
interface Times {
  load: number;
  save: number;
  /** Before the second attempt. */
  pause: number;
}

export interface CacheStoreOptions {
  environment: StepEnvironment;
  userAgent: string;
  /** The identity of the ledger, such as the project's id. */
  parts: readonly string[];
  /** `GITHUB_RUN_ID`: part of the key. */
  runId: string;
  /** Default: 5 s to load, 10 s to save, and half a second between two attempts. */
  times?: Times;
}

interface CacheProblem {
  problem: string;
}

const usual: Times = { load: 5_000, save: 10_000, pause: 500 };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The version of the entries' format: a hash, as in other cache clients. */
const version = sha256('site-deploy-action ledger, as text');

/** The prefix of a ledger's keys, unique to it, short and without commas. */
const keyPrefix = (parts: readonly string[]): string =>
  `site-deploy-ledger-${sha256(JSON.stringify(parts)).slice(0, 32)}-`;

/** Tries a second time after a temporary error. */
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
 * Stores the ledger in the cache of GitHub Actions or a compatible runner. Each save creates a new entry, because the
 * content of a key can't change; the newest entry that is visible to the branch or else its base is loaded.
 */
export function cacheStore(options: CacheStoreOptions): LedgerStore {
  const { environment, parts, runId, userAgent, times = usual } = options;
  const prefix = keyPrefix(parts);
  /** Texts by key, so that an entry that is still the newest is not read again. */
  const known = new Map<string, string>();

  /** Uses the cache for at most `limit` milliseconds, or until the signal. Never throws. */
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
      if (signal.aborted) return { problem: 'no time left' };
      return { problem: time.aborted ? `no response within ${limit / 1000}s` : codeOf(error) };
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
      if (offer === undefined) return { absent: 'This runner has no Actions cache.' };
      if (!offer.mayRead)
        return { absent: 'This run may not read the Actions cache (ACTIONS_CACHE_MODE).' };
      const loaded = await within(offer, times.load, signal, load);
      signal.throwIfAborted();
      if (!('problem' in loaded)) return loaded;
      return { absent: `Could not read the ledger from the Actions cache: ${loaded.problem}.` };
    },
    async save(text, signal) {
      const offer = cacheOfferOf(environment);
      if (offer === undefined) return 'This runner has no Actions cache.';
      if (!offer.mayWrite)
        return 'This run may not write to the Actions cache (ACTIONS_CACHE_MODE).';
      if (isTooLarge(text)) return 'The ledger is larger than 1 MiB.';
      const saved = await within(offer, times.save, signal, async (client, limited) => {
        await client.save(`${prefix}${runId}-${randomUUID()}`, text, limited);
        return undefined;
      });
      return saved && `Could not save the ledger to the Actions cache: ${saved.problem}.`;
    },
  };
}
