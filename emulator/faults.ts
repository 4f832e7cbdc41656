/**
 * What goes wrong with a matched request. "Takes effect" means that the emulator carries the request out as
 * it would without the fault. Times are in milliseconds.
 */
export type FaultKind =
  /** The connection is reset before the request takes effect. */
  | { kind: 'reset-before' }
  /** The request takes effect, then the connection is reset without an answer. */
  | { kind: 'reset-after' }
  /** The connection is reset, or this status is answered, and the request takes effect later. */
  | { kind: 'late-effect'; delayMs: number; status?: number }
  /** The request takes effect twice, as when a proxy repeats it; the second answer is the one that is sent. */
  | { kind: 'twice' }
  /** The connection stays open and nothing is ever answered. */
  | { kind: 'stall'; effect: boolean }
  /** The request takes effect; the answer breaks off in the middle of its body; of one that git streams, after so many bytes. */
  | { kind: 'cut-body'; bytes?: number }
  /** The connection is reset after so many bytes of a body that git sends, before the request takes effect. */
  | { kind: 'cut-request'; bytes: number }
  /** The request is carried out as soon as this has happened. */
  | { kind: 'hold'; until: () => Promise<unknown> }
  /** The request takes effect; the answer is an HTML page with status 200. */
  | { kind: 'not-json' }
  /** The answer is this one. */
  | {
      kind: 'status';
      status: number;
      headers?: Record<string, string>;
      body?: string;
      effect: boolean;
    }
  /** The request takes effect; the body comes in pieces over this time; of one that is streamed, each waits a tenth of it. */
  | { kind: 'slow-body'; durationMs: number }
  /** The request takes effect; the body is a JSON string of this many bytes. */
  | { kind: 'oversized'; bytes: number };

/** Which requests a fault strikes. A field that is absent matches everything. */
export interface FaultMatch {
  method?: string;
  /** The whole path without the query, or a pattern. */
  path?: string | RegExp;
  /** The operation's name, as in the journal, or a pattern. */
  operation?: string | RegExp;
  /** How often the fault strikes; 1 if absent, `Infinity` for always. */
  times?: number;
  /** How many matching requests pass first. */
  after?: number;
  /** When it ends, in milliseconds since the epoch. */
  endsAt?: number;
}

export type FaultSpec = FaultMatch & FaultKind;

/** A fault that was added. */
export interface FaultHandle {
  /** How often it struck. */
  readonly fired: number;
  /** Ends it. */
  remove(): void;
}

interface Armed {
  readonly spec: FaultSpec;
  seen: number;
  fired: number;
}

/** The scripted faults of an emulator. Of several that match a request, the one added first strikes. */
export class Faults {
  #armed: Armed[] = [];

  /** Adds a fault to the script. */
  add(spec: FaultSpec): FaultHandle {
    const armed: Armed = { spec, seen: 0, fired: 0 };
    this.#armed.push(armed);
    return {
      get fired() {
        return armed.fired;
      },
      remove: () => {
        this.#armed = this.#armed.filter((other) => other !== armed);
      },
    };
  }

  /** Ends all faults. */
  clear(): void {
    this.#armed = [];
  }

  /** The fault that strikes this request, or null. Counts it. For the emulator's own use. */
  strike(request: { method: string; path: string; operation: string }): FaultKind | null {
    for (const armed of this.#armed) {
      if (!matches(armed.spec, request)) continue;
      const { after = 0, times = 1 } = armed.spec;
      if (armed.fired >= times) continue;
      armed.seen += 1;
      if (armed.seen <= after) continue;
      armed.fired += 1;
      return armed.spec;
    }
    return null;
  }
}

function matches(
  spec: FaultMatch,
  request: { method: string; path: string; operation: string },
): boolean {
  const { method, path, operation, endsAt = Number.POSITIVE_INFINITY } = spec;
  if (method !== undefined && method !== request.method) return false;
  if (!fits(operation, request.operation) || !fits(path, request.path)) return false;
  return Date.now() < endsAt;
}

function fits(wanted: string | RegExp | undefined, text: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? wanted === text : text.search(wanted) !== -1;
}
