import { pipeline, Readable, type Transform } from 'node:stream';
import type { Dispatcher } from 'undici';

/** A body that is not what its `content-encoding` says, or whose encoding is unknown. */
export class UndecodableBody extends Error {
  override readonly name = 'UndecodableBody';
}

type Bytes = AsyncIterable<Uint8Array>;

/** The most bytes that are decoded: some of them decode to nothing at all. */
const maxEncoded = 64 * 1024 * 1024;

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
  if (decoder === undefined) {
    await encoded.return?.();
    throw new UndecodableBody(`the response has the unknown content-encoding "${encoding}"`);
  }
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
  return encodings.reduceRight<Bytes>(decodeOne, body);
}
