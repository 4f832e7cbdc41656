import { setImmediate as nextTurn } from 'node:timers/promises';

/** A body, read up to a limit. */
interface BoundedBody {
  text: string;
  /** True if there was more than `maxBytes`. */
  truncated: boolean;
}

/** Grows a buffer to at least this length, and at least doubles it. */
function withCapacity(bytes: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
  if (length <= bytes.length) return bytes;
  return Buffer.concat([bytes], Math.max(length, 2 * bytes.length));
}

/**
 * Reads a body up to a number of bytes, and discards the rest. It is copied as it arrives: many small pieces would take
 * a hundred times the memory of the body.
 *
 * Resolves with a whole body once its connection can be reused.
 */
export async function readBytes(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: Buffer; truncated: boolean }> {
  let bytes = Buffer.alloc(0);
  let size = 0;
  for await (const chunk of body) {
    const kept = chunk.subarray(0, maxBytes - size);
    bytes = withCapacity(bytes, size + kept.length);
    bytes.set(kept, size);
    size += kept.length;
    if (kept.length < chunk.length) return { bytes: bytes.subarray(0, size), truncated: true };
  }
  await nextTurn();
  return { bytes: bytes.subarray(0, size), truncated: false };
}

/** Reads a body of UTF-8 text as {@link readBytes} reads bytes. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BoundedBody> {
  const { bytes, truncated } = await readBytes(body, maxBytes);
  // Without a byte order mark, which is not part of a text.
  return { text: new TextDecoder().decode(bytes), truncated };
}

/**
 * Waits for some work until the signal aborts. For work that does not observe a signal at all times, such as opening a
 * connection; it is abandoned then.
 *
 * @throws the signal's reason, or what the work throws
 */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
