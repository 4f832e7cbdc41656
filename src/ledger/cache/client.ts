import { openExchange } from './exchange.ts';
import { newerProtocol } from './newer.ts';
import type { CacheOffer } from './offer.ts';
import { olderProtocol } from './older.ts';

/** An entry that was found. */
export interface CacheEntry {
  /** Its whole key. A key never gets a second content. */
  key: string;
  /** Where its content is. It carries its own permission: never to be told. */
  address: URL;
}

/** What the two protocols have in common. Each throws a CacheTrouble, or the signal's reason. */
export interface CacheProtocol {
  /** The newest entry whose key begins so, in the branch's own scope or else in its base's; undefined if none. */
  find(prefix: string, signal: AbortSignal): Promise<CacheEntry | undefined>;
  /**
   * Makes an entry.
   *
   * @param key never used before, without commas, of at most 512 characters
   * @param text not empty
   */
  save(key: string, text: string, signal: AbortSignal): Promise<void>;
}

/** The runner's cache as a place for small texts, for one task. */
export interface CacheClient extends CacheProtocol, AsyncDisposable {
  /**
   * The text of an entry.
   *
   * @param most the largest that is read, in bytes
   */
  read(entry: CacheEntry, most: number, signal: AbortSignal): Promise<string>;
}

/** Who asks for what. */
export interface CacheClientOptions {
  userAgent: string;
  /** Names the form of our entries: those of another form are not there for us. */
  version: string;
}

/** Opens a cache for one task; dispose of it when the task ends. */
export function openCache(
  offer: CacheOffer,
  { userAgent, version }: CacheClientOptions,
): CacheClient {
  const exchange = openExchange(offer, userAgent);
  const protocol = offer.protocol === 'newer' ? newerProtocol : olderProtocol;
  return {
    ...protocol(exchange, version),
    read: ({ address }, most, signal) => exchange.download(address, most, signal),
    [Symbol.asyncDispose]: () => exchange[Symbol.asyncDispose](),
  };
}
