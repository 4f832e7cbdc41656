import type { Writable } from 'node:stream';

/** An answer before it goes on the wire. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The whole body, or what writes it and resolves at its end. */
  readonly body: Buffer | StreamBody;
  /** True if the request changed the emulated world. */
  readonly effect: boolean;
}

/** Writes a body over time. The signal is aborted when the client is gone or the emulator closes. */
export type StreamBody = (to: Writable, signal: AbortSignal) => Promise<'end' | 'reset'>;

/** A JSON answer. */
export function json(status: number, value: unknown, effect = false): Reply {
  return text(status, 'application/json', JSON.stringify(value), effect);
}

/** An answer of some text; charset UTF-8. */
export function text(status: number, type: string, body: string, effect = false): Reply {
  const headers = { 'content-type': `${type}; charset=utf-8` };
  return { status, headers, body: Buffer.from(body), effect };
}

/** An answer without a body. */
export function empty(status: number, effect = false): Reply {
  return { status, headers: {}, body: Buffer.alloc(0), effect };
}

/** A small page, for answers that should have been JSON. */
export function htmlPage(title: string): string {
  return `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}
