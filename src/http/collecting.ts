import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After how many bytes garbage is collected. */
const interval = 2 * 1024 * 1024;

/** How many bytes are left until then, of all bodies that are read. */
let left = interval;

/** V8's own function, once it was asked for; without one if it does not know the flag. */
let collector: { collect: (() => void) | undefined } | undefined;

/** V8 gives the function to a context that is made while this flag is set. */
function findCollector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  return runInNewContext('globalThis.gc');
}

/** Collects garbage, and lets V8's own collections wait as long as they do by default: it keeps what these free. */
function collectGarbage(): void {
  collector ??= { collect: findCollector() };
  if (collector.collect === undefined) return;
  // Each pool that is opened has them come sooner (see `pool.ts`).
  setFlagsFromString('--heap-growing-percent=0');
  collector.collect();
}

/**
 * Hands a body on, and has garbage collected now and again. V8 would let a long one fill tens of megabytes that
 * nobody uses, the more the faster it comes. A short one, as most are, costs nothing.
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
