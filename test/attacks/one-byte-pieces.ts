// A process of its own: reads a body that comes in pieces of one byte each, and prints how long it was.
import { readBytes } from '../../src/http/body.ts';

const pieces = Number(process.argv[2]);

async function* inPieces(): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < pieces; n += 1) yield Uint8Array.of(0x78);
}

const { bytes } = await readBytes(inPieces(), 2 * pieces);
process.stdout.write(String(bytes.length));
