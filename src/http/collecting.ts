import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After how many bytes garbage is collected. */
const interval = 2 * 1024 * 1024;

/** V8's own function, which it gives to a context made while this flag is set; undefined if it does not know the flag. */
function findCollector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  // Its own collections may wait, as they do by default (see `pool.ts`): pages that they free are kept, ours are not.
  setFlagsFromString('--heap-growing-percent=0');
  return runInNewContext('globalThis.gc');
}

/**
 * Hands a body on, and has garbage collected now and again. V8 would let a long one fill tens of megabytes that
 * nobody uses, the more the faster it comes. A short one, as most are, costs nothing.
 */
export async function* collecting(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let collect: (() => void) | undefined;
  let left = interval;
  for await (const chunk of body) {
    yield chunk;
    left -= chunk.length;
    if (left > 0) continue;
    left = interval;
    collect ??= findCollector();
    collect?.();
  }
}
