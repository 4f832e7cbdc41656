import { pipeline, Readable, type Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Dispatcher } from 'undici';

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
): Promise<{ text: string; truncated: boolean }> {
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

/** After how many bytes garbage is collected. */
const interval = 2 * 1024 * 1024;

/** How many bytes are left until then, of all bodies that are read. */
let left = interval;

/** V8's `gc` once it was requested; undefined inside if V8 doesn't know the flag. */
let collector: { collect: (() => void) | undefined } | undefined;

/** Collects garbage, and resets V8's own interval to the default, because it keeps the memory that its runs free. */
function collectGarbage(): void {
  if (collector === undefined) {
    // V8 gives the function to a context that is made while this flag is set.
    setFlagsFromString('--expose-gc');
    collector = { collect: runInNewContext('globalThis.gc') };
  }
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

/** A body that is not what its `content-encoding` says, or whose encoding is unknown. */
export class UndecodableBody extends Error {
  override readonly name = 'UndecodableBody';
}

type Bytes = AsyncIterable<Uint8Array>;

/** The most bytes that are decoded: some of them decode to nothing at all. */
const maxEncoded = 64 * 1024 * 1024;

/** The most encodings that are decoded: each takes memory. */
const maxEncodings = 5;

/** The most characters of an unknown encoding that are shown. */
const longestName = 40;

/** The largest window of zstd, as a power of two: RFC 9659 allows no other on the web. */
const zstdWindow = 23;

/** Makes the decoder of an encoding; undefined if it is unknown. */
async function createDecoder(encoding: string, first: number): Promise<Transform | undefined> {
  const zlib = await import('node:zlib');
  if (encoding === 'gzip' || encoding === 'x-gzip') return zlib.createGunzip();
  if (encoding === 'br') return zlib.createBrotliDecompress();
  // Some servers omit the header of zlib, which begins with 8 as the method.
  if (encoding === 'deflate')
    return (first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
  // Node has it since 22.15.
  return encoding === 'zstd'
    ? zlib.createZstdDecompress?.({ params: { [zlib.constants.ZSTD_d_windowLogMax]: zstdWindow } })
    : undefined;
}

/** Lets text pass: an unknown encoding is usually none, such as `utf-8`, and browsers ignore it. */
async function* onlyText(body: Bytes, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of body) {
    try {
      decoder.decode(chunk, { stream: true });
    } catch (cause) {
      const name = encoding.slice(0, longestName);
      const message = `the response has the unknown content-encoding "${name}"`;
      throw new UndecodableBody(message, { cause });
    }
    yield chunk;
  }
}

/** Decodes one encoding. An empty body has none: the answer to HEAD, 204 and 304 may name one nevertheless. */
async function* decodeOne(body: Bytes, encoding: string): AsyncGenerator<Uint8Array> {
  const encoded = body[Symbol.asyncIterator]();
  let broken: unknown;
  const read = () =>
    encoded.next().catch((error: unknown) => {
      broken = error;
      throw error;
    });
  let next = await read();
  while (next.done !== true && next.value.length === 0) next = await read();
  if (next.done === true) return;
  async function* source() {
    try {
      for (let size = 0; next.done !== true; next = await read()) {
        size += next.value.length;
        if (size > maxEncoded) throw new UndecodableBody('the response is too long to be decoded');
        yield next.value;
      }
    } finally {
      await encoded.return?.();
    }
  }
  const decoder = await createDecoder(encoding, next.value[0] ?? 0);
  if (decoder === undefined) return yield* onlyText(source(), encoding);
  // What it throws, reading from the decoder throws.
  pipeline(Readable.from(source(), { objectMode: false }), decoder, () => undefined);
  try {
    yield* decoder;
  } catch (cause) {
    if (broken !== undefined) throw broken;
    if (cause instanceof UndecodableBody) throw cause;
    throw new UndecodableBody(`the response is not valid ${encoding}`, { cause });
  }
}

/**
 * Decodes a body by its `content-encoding`, as it arrives. Stop reading to bound what it decodes to.
 *
 * @throws UndecodableBody while it is read
 */
export function decodeBody({
  headers,
  body,
}: Pick<Dispatcher.ResponseData, 'headers' | 'body'>): Bytes {
  const encodings = [headers['content-encoding'] ?? []]
    .flat()
    .flatMap((value) => value.toLowerCase().split(','))
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity');
  if (encodings.length > maxEncodings) return onlyText(body, encodings.join());
  return encodings.reduceRight<Bytes>(decodeOne, body);
}

const marks: readonly (readonly [mark: string, charset: string])[] = [
  ['efbbbf', 'utf-8'],
  ['feff', 'utf-16be'],
  ['fffe', 'utf-16le'],
];

/** Where a page names its own charset, which is readable only if that is not UTF-16. */
const charsetInPage =
  /(?:<meta\s[^>]*\bcharset|<\?xml\s[^>]*\bencoding)\s*=\s*["']?(?!utf-16)([^\s"'/>;]+)/i;

/** How many bytes of a page may name its charset, as in browsers. */
const longestHead = 1024;

/** A comment, which may have no end in the start of a page. */
const comment = /<!--[\s\S]*?(?:-->|$)/g;

/** The charset that the start of a page names; undefined if it names none, or is not of HTML or XML. */
function charsetOf(bytes: Buffer, contentType: string): string | undefined {
  const [type = ''] = contentType.split(';');
  // JSON and scripts may have markup in their texts.
  if (!/html|xml|^\s*$/i.test(type)) return undefined;
  const head = bytes.toString('latin1', 0, longestHead).replace(comment, '');
  return charsetInPage.exec(head)?.[1];
}

/**
 * Decodes a page as browsers do: by its byte order mark, the charset of its `content-type`, or, of HTML and XML, the one
 * that its start names; otherwise as UTF-8.
 */
export function decodeText(bytes: Buffer, contentType: string): string {
  const start = bytes.toString('hex', 0, 3);
  const [, marked] = marks.find(([mark]) => start.startsWith(mark)) ?? [];
  const [, named] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(marked ?? named ?? charsetOf(bytes, contentType)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
