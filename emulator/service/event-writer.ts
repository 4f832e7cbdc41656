import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StreamDialect } from '../dialect.ts';
import type { Frame } from './event-shapes.ts';

/** Writes frames in the dialect's bytes. Each write throws an AbortError when the client is gone. */
export class EventWriter {
  readonly #signal: AbortSignal;
  readonly #to: Writable;
  readonly #stream: StreamDialect;

  constructor(to: Writable, stream: StreamDialect, signal: AbortSignal) {
    this.#to = to;
    this.#stream = stream;
    this.#signal = signal;
  }

  /** What comes before the first event. */
  async open(first: (text: string) => Frame): Promise<void> {
    const { bom, retryMs, oversizedFrameBytes } = this.#stream;
    if (bom) await this.#write('\uFEFF');
    if (retryMs !== null) await this.#lines([`retry: ${retryMs}`]);
    if (oversizedFrameBytes === null) return;
    await this.frame(first('x'.repeat(oversizedFrameBytes)), null);
  }

  /** What comes after the last event. */
  async close(): Promise<void> {
    if (this.#stream.endWithDone) await this.frame({ event: null, data: '[DONE]' }, null);
  }

  /** The frames that tell one event. */
  async frames(frames: Iterable<Frame>, id: number): Promise<void> {
    for (const frame of frames) await this.frame(frame, id);
  }

  /** A line that is no event. */
  async comment(text: string): Promise<void> {
    await this.#lines([`: ${text}`]);
  }

  /** One event; without an id it cannot be resumed after. */
  async frame({ event, data, continued = false }: Frame, id: number | null): Promise<void> {
    const { comments } = this.#stream;
    await this.#lines([
      ...(comments ? [': a comment'] : []),
      ...(id === null || continued ? [] : [`id: ${id}`]),
      ...(event === null ? [] : [`event: ${event}`]),
      ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
    ]);
  }

  async #lines(lines: readonly string[]): Promise<void> {
    const end = this.#stream.crlf ? '\r\n' : '\n';
    await this.#write([...lines, '', ''].join(end));
  }

  async #write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    const size = this.#stream.splitBytes ?? bytes.length;
    for (let start = 0; start < bytes.length; start += size) {
      const more = this.#to.write(bytes.subarray(start, start + size));
      if (!more) await once(this.#to, 'drain', { signal: this.#signal });
      else if (size < bytes.length) await nextTurn(undefined, { signal: this.#signal });
    }
  }
}
