import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture as its pixels: red, green and blue, or as many bytes as a pixel has. */
interface Pixels {
  width: number;
  height: number;
  /** Bytes of a pixel. */
  size: number;
  bytes: Buffer;
}

/** How each byte of a line follows from those before it, beside it and above it (PNG, section 9). */
const filters: readonly ((left: number, above: number, corner: number) => number)[] = [
  () => 0,
  (left) => left,
  (_, above) => above,
  (left, above) => (left + above) >> 1,
  (left, above, corner) => {
    const [a, b, c] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
    const [toLeft = 0, toAbove = 0, toCorner = 0] = [a, b, c];
    if (toLeft <= toAbove && toLeft <= toCorner) return left;
    return toAbove <= toCorner ? above : corner;
  },
];

/** Undoes the filter of each line. Outside the picture everything is 0. */
function unfilter(raw: Buffer, { width, height, size }: Omit<Pixels, 'bytes'>): Buffer {
  const line = width * size;
  const bytes = Buffer.alloc(height * line);
  const byteAt = (x: number, y: number) => (x < 0 || y < 0 ? 0 : (bytes[y * line + x] ?? 0));
  for (let y = 0; y < height; y += 1) {
    const begin = y * (line + 1);
    const filter = filters[raw[begin] ?? 0] ?? (() => 0);
    for (let x = 0; x < line; x += 1) {
      const beside = filter(byteAt(x - size, y), byteAt(x, y - 1), byteAt(x - size, y - 1));
      bytes[y * line + x] = (raw[begin + 1 + x] ?? 0) + beside;
    }
  }
  return bytes;
}

function readPng(png: Buffer): Pixels {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(body);
  }
  // The header is the first chunk: width, height, depth, kind of colour.
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const size = { 2: 3, 6: 4 }[png[25] ?? 0];
  if (png[24] !== 8 || size === undefined)
    throw new Error('not a PNG in the format of browser screenshots');
  const bytes = unfilter(inflateSync(Buffer.concat(data)), { width, height, size });
  return { width, height, size, bytes };
}

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(body.length, 0);
  around.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([around.subarray(0, 4), named, around.subarray(4)]);
};

/** How far two colours are from each other. */
const distance = (one: number, other: number): number =>
  [16, 8, 0].reduce(
    (sum, shift) => sum + (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2,
    0,
  );

/** The 256 colours that are most of a picture, and the place of the nearest of them for each colour that it has. */
function paletteOf(colours: readonly number[]) {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byCount = [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour);
  const palette = byCount.slice(0, 256);
  const nearest = (colour: number): number =>
    palette.reduce(
      (best, one, place) =>
        distance(one, colour) < distance(palette[best] ?? 0, colour) ? place : best,
      0,
    );
  return { palette, places: new Map(byCount.map((colour) => [colour, nearest(colour)])) };
}

/** Makes a browser's picture small, for a repository: of 256 colours at most, which a page of text hardly exceeds. */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, size, bytes } = readPng(png);
  const colours = Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * size, 3));
  const { palette, places } = paletteOf(colours);
  const rows = Buffer.alloc(height * (width + 1));
  for (const [at, colour] of colours.entries()) {
    rows[at + Math.floor(at / width) + 1] = places.get(colour) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const table = Buffer.alloc(palette.length * 3);
  for (const [place, colour] of palette.entries()) table.writeUIntBE(colour, place * 3, 3);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
