/** A shorter piece of base64 could be any word's. */
const shortestPiece = 8;

/** So many bytes of a text decide how each of its encodings begins, and whether there is one. */
const tellingBytes = 8;

/**
 * Base64 of some bytes by themselves, and what stays the same of it inside the base64 of more bytes, where the
 * first can stand at three places of a group. The characters at its edges that hold bits of its neighbours too
 * are left out.
 */
function base64Forms(bytes: Buffer): string[] {
  const bits = 8 * bytes.length;
  const alone = bytes.toString('base64url').replaceAll('-', '+').replaceAll('_', '/');
  const pieces = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return encoded.slice(Math.ceil((8 * shift) / 6), Math.floor((8 * shift + bits) / 6));
  });
  return [alone, ...pieces.filter((piece) => piece.length >= shortestPiece)];
}

function encodingsOf(bytes: Buffer): string[] {
  const hexadecimal = bytes.toString('hex');
  return [...base64Forms(bytes), hexadecimal, hexadecimal.toUpperCase()];
}

/**
 * The ways of writing a text in which none of its characters is to be seen: base64 (of the ordinary alphabet,
 * without padding) and hexadecimal (in small letters), both of its UTF-8.
 */
export function encodings(text: string): string[] {
  return encodingsOf(Buffer.from(text));
}

/** How each of a text's {@link encodings} begins, at least four characters of it; the rest is not worked out. */
export function encodedBeginnings(text: string): string[] {
  // One unit more: the last may be half of a character.
  return encodingsOf(Buffer.from(text.slice(0, tellingBytes + 1)).subarray(0, tellingBytes));
}
