import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstString, type JsonObject } from '../../kernel/json.ts';
import { codeOf } from '../../machine.ts';
import type { StepEnvironment } from '../../platform.ts';
import {
  type CacheOffer,
  CacheTrouble,
  cacheOfferOf,
  type Exchange,
  openExchange,
  strangeAnswer,
} from '../cache/exchange.ts';
import {
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

/** What a store in GitHub's cache needs. */
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

const usual: Times = { load: 5_000, save: 10_000, pause: 500 };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The version of the entries' format: a hash, as in other cache clients. Entries of other versions are not found. */
const version = sha256('site-deploy-action ledger, as text');

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
    work: (cache: CacheProtocol, exchange: Exchange, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | { problem: string }> => {
    const time = AbortSignal.timeout(limit);
    const both = AbortSignal.any([signal, time]);
    await using exchange = openExchange(offer, userAgent);
    const cache = offer.protocol === 'newer' ? newerProtocol(exchange) : olderProtocol(exchange);
    try {
      return await twice(() => work(cache, exchange, both), times.pause, both);
    } catch (error) {
      if (error instanceof CacheTrouble) return { problem: error.message };
      if (signal.aborted) return { problem: 'no time left' };
      return { problem: time.aborted ? `no response within ${limit / 1000}s` : codeOf(error) };
    }
  };

  const load = async (
    cache: CacheProtocol,
    exchange: Exchange,
    signal: AbortSignal,
  ): Promise<LoadedLedger> => {
    const entry = await cache.find(prefix, signal);
    if (entry === undefined) return { absent: nothingSaved };
    const { key, address } = entry;
    const text = known.get(key) ?? (await exchange.download(address, largestLedger, signal));
    if (key !== '') known.set(key, text);
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
      const saved = await within(offer, times.save, signal, async (cache, _, limited) => {
        await cache.save(`${prefix}${runId}-${randomUUID()}`, text, limited);
        return undefined;
      });
      return saved && `Could not save the ledger to the Actions cache: ${saved.problem}.`;
    },
  };
}

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

/** One of the two protocols. Its functions throw a CacheTrouble, or the signal's reason. */
interface CacheProtocol {
  /**
   * The newest entry with this key prefix, in the branch's own scope or else in its base's; undefined if none. The content
   * of a key never changes; its URL contains a permission, so it must never be logged.
   */
  find(prefix: string, signal: AbortSignal): Promise<{ key: string; address: URL } | undefined>;
  /**
   * Creates an entry.
   *
   * @param key never used before, without commas, of at most 512 characters
   * @param text not empty
   */
  save(key: string, text: string, signal: AbortSignal): Promise<void>;
}

/** The path of the service's calls, from the root of its URL. */
const service = '/twirp/github.actions.results.api.v1.CacheService/';

/** Whether an object is a response of the service: with `ok`, or empty for false. */
const isAnswer = (json: JsonObject): boolean =>
  typeof json['ok'] === 'boolean' || Object.keys(json).length === 0;

/**
 * The protocol of GitHub's own cache: JSON over Twirp, in which integers are strings and a false `ok` may be omitted.
 * Contents are uploaded to and downloaded from signed URLs.
 */
function newerProtocol(exchange: Exchange): CacheProtocol {
  const call = async (name: string, fields: object, signal: AbortSignal): Promise<JsonObject> => {
    const { json } = await exchange.call(
      {
        name,
        method: 'POST',
        path: `${service}${name}`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...fields, version }),
      },
      signal,
    );
    if (json === undefined || !isAnswer(json)) throw strangeAnswer(name);
    return json;
  };
  const addressIn = (name: string, answer: JsonObject, field: string): URL => {
    const text = firstString(answer, [field]);
    if (text === undefined) throw strangeAnswer(name);
    return exchange.signedAddress(text);
  };
  return {
    find: async (prefix, signal) => {
      const name = 'GetCacheEntryDownloadURL';
      // Twice, for services that match the first key as a whole and only the others as prefixes.
      const found = await call(name, { key: prefix, restore_keys: [prefix] }, signal);
      if (found['ok'] !== true) return undefined;
      const key = firstString(found, ['matched_key']) ?? '';
      return { key, address: addressIn(name, found, 'signed_download_url') };
    },
    save: async (key, text, signal) => {
      const created = await call('CreateCacheEntry', { key }, signal);
      if (created['ok'] !== true) throw exchange.refusal('CreateCacheEntry', created);
      const address = addressIn('CreateCacheEntry', created, 'signed_upload_url');
      await exchange.upload(address, text, signal);
      const name = 'FinalizeCacheEntryUpload';
      const size = String(Buffer.byteLength(text));
      const done = await call(name, { key, size_bytes: size }, signal);
      if (done['ok'] !== true) throw exchange.refusal(name, done);
    },
  };
}

/** Relative to the service's URL, whose path may contain the run. */
const base = '_apis/artifactcache/';

const accept = { accept: 'application/json;api-version=6.0-preview.1' };
const json = { ...accept, 'content-type': 'application/json' };

/**
 * The protocol of GitHub's cache until 2025, used by GitHub Enterprise Server, act, Gitea and Forgejo. Contents are
 * uploaded to the service itself, and downloaded from a URL that needs no token.
 */
function olderProtocol(exchange: Exchange): CacheProtocol {
  return {
    find: async (prefix, signal) => {
      const name = 'the lookup';
      // Twice, for services that match the first key as a whole and only the others as prefixes.
      const query = new URLSearchParams({ keys: `${prefix},${prefix}`, version });
      const path = `${base}cache?${query}`;
      const answer = await exchange.call({ name, method: 'GET', path, headers: accept }, signal);
      if (answer.status === 204) return undefined;
      const location = firstString(answer.json, ['archiveLocation']);
      if (location === undefined) throw strangeAnswer(name);
      const key = firstString(answer.json, ['cacheKey']) ?? '';
      return { key, address: exchange.signedAddress(location) };
    },
    save: async (key, text, signal) => {
      const size = Buffer.byteLength(text);
      const post = (name: string, path: string, fields: object) => {
        const body = JSON.stringify(fields);
        return exchange.call({ name, method: 'POST', path, headers: json, body }, signal);
      };
      const reserving = { key, version, cacheSize: size };
      const reserved = await post('the reservation', `${base}caches`, reserving);
      const id = reserved.json?.['cacheId'];
      if (!Number.isSafeInteger(id)) throw strangeAnswer('the reservation');
      const path = `${base}caches/${id}`;
      const headers = {
        ...accept,
        'content-type': 'application/octet-stream',
        'content-range': `bytes 0-${size - 1}/*`,
      };
      const upload = { name: 'the upload', method: 'PATCH', path, headers, body: text } as const;
      await exchange.call(upload, signal);
      await post('the commit', path, { size });
    },
  };
}
