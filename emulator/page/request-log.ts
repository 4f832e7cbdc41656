import type { CacheServer } from '../cache/index.ts';
import type { GitHubStandIn } from '../github/index.ts';
import type { Emulator } from '../index.ts';

/** Whom a request was for. */
export const sides = ['service', 'git', 'site', 'GitHub', 'cache'] as const;
export type Side = (typeof sides)[number];

/** A request as the page and the terminal show it: without its query, its body and its headers but one. */
export interface RequestRow {
  /** 1 for the first request. */
  readonly n: number;
  /** Higher whenever the row changes. */
  version: number;
  /** When it came, in milliseconds since the epoch. */
  readonly at: number;
  readonly side: Side;
  readonly method: string;
  readonly path: string;
  /** The operation's name; an empty string if there is none. */
  readonly operation: string;
  /** Who sent it: its header `user-agent`. */
  readonly agent: string;
  /** The status of the answer; null while there is none, or if the connection was cut. */
  status: number | null;
  /** How long it took to its end, in milliseconds; null while it has not ended. */
  ms: number | null;
}

/** What the requests of all journals have in common. */
interface Entry {
  at: number;
  method: string;
  path: string;
  headers: { 'user-agent'?: string | undefined };
  status: number | null;
  endedAt: number | null;
}

/** Which requests are shown. */
export interface RequestFilter {
  side: Side | '';
  /** `failed`: an error, or no answer. `open`: not ended yet. */
  status: 'failed' | 'open' | '';
  /** What the method, the path, the operation or the sender has in it, in any case. */
  text: string;
}

const longestPath = 500;

/** The requests to all parts of the emulator, in the order of arrival: the latest ones only. */
export class RequestLog {
  readonly #limit: number;
  readonly #secrets: readonly string[];
  readonly #byEntry = new WeakMap<Entry, RequestRow>();
  readonly #listeners = new Set<(row: RequestRow) => void>();
  #rows: RequestRow[] = [];
  #count = 0;
  #version = 0;

  /**
   * @param limit how many rows are kept
   * @param secrets what is never shown, whoever puts it into a path
   */
  constructor(limit: number, secrets: readonly string[]) {
    this.#limit = limit;
    this.#secrets = secrets.filter((secret) => secret !== '');
  }

  /** How many requests came so far, those too that are no longer kept. */
  get count(): number {
    return this.#count;
  }

  /** The version of the latest change. */
  get version(): number {
    return this.#version;
  }

  /** Those kept that pass a filter, newest first. */
  rows(filter: RequestFilter): RequestRow[] {
    return this.#rows.filter((row) => passes(row, filter)).reverse();
  }

  /** Those kept that changed after a version, oldest first. */
  changedSince(version: number): RequestRow[] {
    return version === this.#version ? [] : this.#rows.filter((row) => row.version > version);
  }

  /** Calls back once for each request, when it has ended. */
  onEnd(listener: (row: RequestRow) => void): void {
    this.#listeners.add(listener);
  }

  /** Takes a request, or what is new of one. */
  note(side: Side, operation: string, entry: Entry): void {
    const row = this.#byEntry.get(entry) ?? this.#add(side, operation, entry);
    this.#version += 1;
    row.version = this.#version;
    row.status = entry.status;
    if (row.ms !== null || entry.endedAt === null) return;
    row.ms = entry.endedAt - entry.at;
    for (const listener of this.#listeners) listener(row);
  }

  #add(side: Side, operation: string, entry: Entry): RequestRow {
    this.#count += 1;
    const row: RequestRow = {
      n: this.#count,
      version: 0,
      at: entry.at,
      side,
      method: entry.method,
      path: this.#shown(entry.path),
      operation,
      agent: this.#shown(entry.headers['user-agent'] ?? ''),
      status: null,
      ms: null,
    };
    this.#byEntry.set(entry, row);
    this.#rows.push(row);
    if (this.#rows.length > this.#limit) this.#rows.shift();
    return row;
  }

  #shown(text: string): string {
    const plain = this.#secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
    return plain.length > longestPath ? `${plain.slice(0, longestPath)}…` : plain;
  }
}

/** True for a request without an answer that says that it went well. */
export const isFailed = ({ status, ms }: RequestRow): boolean =>
  status === null ? ms !== null : status >= 400;

/** Whether a row passes a filter. */
export function passes(row: RequestRow, { side, status, text }: RequestFilter): boolean {
  if (side !== '' && row.side !== side) return false;
  if (status === 'failed' && !isFailed(row)) return false;
  if (status === 'open' && row.ms !== null) return false;
  if (text === '') return true;
  const { method, path, operation, agent } = row;
  return `${method} ${path} ${operation} ${agent}`.toLowerCase().includes(text.toLowerCase());
}

/** Notes each request of the emulator's parts in a log. Gives what ends that. */
export function followRequests(
  log: RequestLog,
  { emulator, github, cache }: { emulator: Emulator; github: GitHubStandIn; cache?: CacheServer },
): () => void {
  const ends = [
    emulator.journal.watch((entry) => {
      const { operation } = entry;
      if (operation === 'page') return;
      const side = operation === 'git' || operation === 'site' ? operation : 'service';
      log.note(side, side === 'service' ? operation : '', entry);
    }),
    github.watch((entry) => {
      const isGit = /\/(?:info\/refs|git-(?:upload|receive)-pack)$/.test(entry.path);
      log.note(isGit ? 'git' : 'GitHub', entry.operationId ?? '', entry);
    }),
    cache?.journal.watch((entry) => log.note('cache', entry.operation, entry)),
  ];
  return () => {
    for (const end of ends) end?.();
  };
}
