import type { Writable } from 'node:stream';
import type { Part } from './part.ts';
import { passes, type RequestLog } from './request-log.ts';
import { type RequestQuery, renderRow } from './sections/requests.ts';

/** How often the page is brought up to date, in milliseconds: what happens in between comes in one piece. */
const pace = 200;

/** A part as it is sent: where it stands, and its HTML without the parts in it. */
interface SentPart {
  readonly id: string;
  readonly slot: string;
  /** The part before it in its slot, or null if it is the first. */
  readonly after: string | null;
  readonly html: string;
}

/** A page that is open in a browser. */
interface Client {
  readonly response: Writable;
  /** The run whose page it is; null for the page of everything. */
  readonly run: string | null;
  readonly query: RequestQuery;
  /** What it has of each part. */
  has: ReadonlyMap<string, string>;
  /** The version of the requests that it has. */
  version: number;
}

/** Keeps the pages that are open in browsers up to date, by server-sent events. */
export class LivePages {
  readonly #emulator: string;
  readonly #partsNow: (run: string | null) => readonly Part[];
  readonly #log: RequestLog;
  readonly #clients = new Set<Client>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param emulator which one it is: a page of another one loads itself anew
   * @param partsNow gives all parts of a page, as they are
   */
  constructor(
    emulator: string,
    partsNow: (run: string | null) => readonly Part[],
    log: RequestLog,
  ) {
    this.#emulator = emulator;
    this.#partsNow = partsNow;
    this.#log = log;
  }

  /** Takes a page, and tells it everything once. */
  connect(response: Writable, query: RequestQuery, run: string | null): void {
    const client: Client = { response, query, run, has: new Map(), version: 0 };
    this.#clients.add(client);
    response.once('close', () => this.#leave(client));
    response.write(`retry: 1000\nevent: emulator\ndata: ${this.#emulator}\n\n`);
    this.#update(client, this.#sentParts(run));
    // The world knows no single event for what changes in it, and some of it changes with the time alone.
    this.#timer ??= setInterval(() => this.#updateAll(), pace);
  }

  /** Leaves all pages. */
  close(): void {
    for (const { response } of this.#clients) response.end();
  }

  #leave(client: Client): void {
    this.#clients.delete(client);
    if (this.#clients.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #updateAll(): void {
    for (const [run, clients] of Map.groupBy(this.#clients, (client) => client.run)) {
      const parts = this.#sentParts(run);
      for (const client of clients) {
        // Who reads slowly is told the latest state when they have read the one before: nothing piles up.
        if (!client.response.writableNeedDrain) this.#update(client, parts);
      }
    }
  }

  #sentParts(run: string | null): SentPart[] {
    const last = new Map<string, string>();
    return this.#partsNow(run).map(({ id, slot, render }) => {
      const after = last.get(slot) ?? null;
      last.set(slot, id);
      return { id, slot, after, html: render(null).toString() };
    });
  }

  #update(client: Client, all: readonly SentPart[]): void {
    const parts = all.filter(({ id, html }) => client.has.get(id) !== html);
    const has = new Map(all.map(({ id, html }) => [id, html]));
    const removed = [...client.has.keys()].filter((id) => !has.has(id));
    const requests = this.#requests(client);
    client.has = has;
    client.version = this.#log.version;
    if (parts.length + removed.length === 0 && requests === undefined) return;
    const message = JSON.stringify({ parts, removed, requests });
    client.response.write(`data: ${message}\n\n`);
  }

  #requests({ version, run, query: { filter, most } }: Client) {
    if (run !== null) return undefined;
    const changed = this.#log.changedSince(version);
    if (changed.length === 0) return undefined;
    const shown = changed.filter((row) => passes(row, filter)).slice(-most);
    const gone = changed.filter((row) => !passes(row, filter));
    return {
      rows: shown.map((row) => ({ id: `request-${row.n}`, html: renderRow(row).toString() })),
      // A filter of a status may pass a request that is under way, and not one that has ended.
      removed: gone.map(({ n }) => `request-${n}`),
      count: this.#log.rows(filter).length,
    };
  }
}
