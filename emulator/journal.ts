import { EventEmitter, once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';

/** One request, in the order of arrival. Times are in milliseconds since the epoch. */
export interface JournalEntry {
  /** 1 for the first request. */
  readonly n: number;
  readonly at: number;
  readonly method: string;
  /** The path as sent, without the query and without the base path. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The headers as sent, credentials too: nothing here is redacted. */
  readonly headers: IncomingHttpHeaders;
  /** The connection that it came over: 1 for the first. */
  readonly connection: number;
  /** An operation of the service (`createVariable`), or `git`, `site` or `unknown`. */
  readonly operation: string;
  /** The body: parsed if it is JSON, else text; undefined if there was none. Git's bodies are not kept. */
  body: unknown;
  /** The status that was answered, or null while there is none (also after a reset). */
  status: number | null;
  /** When the answer was complete or the connection was gone, or null while neither is so. */
  endedAt: number | null;
  /** True if the request changed the emulated world. */
  effect: boolean;
  /** How often it was carried out, well or not: faults do so late, twice, or never. */
  carriedOut: number;
}

/** What is known of a request when its head has arrived. */
export type Arrival = Pick<
  JournalEntry,
  'method' | 'path' | 'query' | 'headers' | 'connection' | 'operation'
>;

/** Every request that the emulator received, for tests to look at and to wait for. */
export class Journal {
  readonly #limit: number;
  readonly #changes = new EventEmitter().setMaxListeners(0);
  #entries: JournalEntry[] = [];
  #count = 0;

  /** @param limit how many requests are kept, the latest ones */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  /** The requests so far, in order of arrival. */
  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** The requests for one operation, in order of arrival. */
  of(operation: string): JournalEntry[] {
    return this.#entries.filter((entry) => entry.operation === operation);
  }

  /** Forgets the requests so far. Numbers go on. */
  clear(): void {
    this.#entries = [];
  }

  /** Calls back whenever an entry is added or learns more. Gives what ends that. */
  watch(listener: (entry: JournalEntry) => void): () => void {
    this.#changes.on('change', listener);
    return () => this.#changes.off('change', listener);
  }

  /**
   * Resolves with the first entry that matches, at once if there is one. The predicate is asked again whenever
   * an entry is added or learns more (its body, its status, its end).
   * @throws the signal's reason, as the cause of an AbortError, when it is aborted first
   */
  async waitFor(
    predicate: (entry: JournalEntry) => boolean,
    signal?: AbortSignal,
  ): Promise<JournalEntry> {
    for (;;) {
      const found = this.#entries.find(predicate);
      if (found) return found;
      await once(this.#changes, 'change', signal ? { signal } : {});
    }
  }

  /** Adds a request whose head has arrived. For the emulator's own use. */
  add(arrival: Arrival): JournalEntry {
    this.#count += 1;
    const entry: JournalEntry = {
      n: this.#count,
      at: Date.now(),
      ...arrival,
      body: undefined,
      status: null,
      endedAt: null,
      effect: false,
      carriedOut: 0,
    };
    this.#entries.push(entry);
    if (this.#entries.length > this.#limit) this.#entries.shift();
    this.#changes.emit('change', entry);
    return entry;
  }

  /** Adds what has become known of a request. For the emulator's own use. */
  update(
    entry: JournalEntry,
    news: Partial<Pick<JournalEntry, 'body' | 'status' | 'endedAt' | 'effect' | 'carriedOut'>>,
  ): void {
    Object.assign(entry, news);
    this.#changes.emit('change', entry);
  }
}
