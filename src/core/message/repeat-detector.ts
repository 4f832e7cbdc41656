/** A longer text is not kept: nobody sends so much a second time. */
const longest = 200_000;

/** A shorter piece, in an event like those before it, may well be said twice on purpose. */
const shortestRepeat = 16;

/** What was said up to now, or since a certain place. */
interface Stretch {
  text: string;
  pieces: number;
}

const add = ({ text, pieces }: Stretch, piece: string): Stretch => ({
  text: text.length > longest ? text : `${text}${piece}`,
  pieces: pieces + 1,
});

/**
 * Knows a piece that closes a stream, or a part of one, by saying once more as a whole what came in pieces.
 */
export class RepeatDetector {
  #all: Stretch = { text: '', pieces: 0 };
  #part: Stretch = { text: '', pieces: 0 };
  #kind = '';

  /**
   * Takes a piece.
   *
   * @param kind tells events of one kind from others: a closing one seldom looks like those of the pieces
   * @returns false if it only repeats all that was said so far, or since such a repetition
   */
  isNew(piece: string, kind: string): boolean {
    const isOther = kind !== this.#kind;
    const repeats = ({ text, pieces }: Stretch) =>
      piece === text && (isOther || (pieces > 1 && text.length >= shortestRepeat));
    if (repeats(this.#all) || repeats(this.#part)) {
      this.#part = { text: '', pieces: 0 };
      return false;
    }
    this.#kind = kind;
    this.#all = add(this.#all, piece);
    this.#part = add(this.#part, piece);
    return true;
  }
}
