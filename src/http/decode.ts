import { pipeline, Readable, type Transform } from 'node:stream';
import type { Dispatcher } from 'undici';

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

/** Decodes a page as browsers do: by its byte order mark, or the charset of its `content-type`; otherwise as UTF-8. */
export function decodeText(bytes: Buffer, contentType: string): string {
  const start = bytes.toString('hex', 0, 3);
  const [, marked] = marks.find(([mark]) => start.startsWith(mark)) ?? [];
  const [, named] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(marked ?? named).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
