import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After how many bytes garbage is collected. */
const interval = 2 * 1024 * 1024;

/** How many bytes are left until then, of all bodies that are read. */
let left = interval;

/** V8's `gc` once it was requested; undefined inside if V8 doesn't know the flag. */
let collector: { collect: (() => void) | undefined } | undefined;

/** V8 gives the function to a context that is made while this flag is set. */
function findCollector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  return runInNewContext('globalThis.gc');
}

/** Collects garbage, and resets V8's own interval to the default, because it keeps the memory that its runs free. */
function collectGarbage(): void {
  collector ??= { collect: findCollector() };
  if (collector.collect === undefined) return;
  // Opening a pool shortens that interval (see `pool.ts`).
  setFlagsFromString('--heap-growing-percent=0');
  collector.collect();
}

/**
 * Passes a body through and collects garbage at intervals: V8 would let a long body fill tens of megabytes. A short
 * body costs nothing.
 */
export async function* collecting(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    yield chunk;
    left -= chunk.length;
    if (left > 0) continue;
    left = interval;
    collectGarbage();
  }
}
