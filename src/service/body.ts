/** A body, read as far as it was wanted. */
export interface BoundedBody {
  text: string;
  /** True if there was more than `maxBytes`. */
  truncated: boolean;
}

/** Reads a body of UTF-8 text up to a number of bytes, and gives up the rest. */
export async function readBounded(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<BoundedBody> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  const bytes = Buffer.concat(chunks);
  return { text: bytes.subarray(0, maxBytes).toString(), truncated: size > maxBytes };
}
