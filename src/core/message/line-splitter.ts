/** A character that a word of printable ASCII, such as a key, cannot hold; no half of a pair. */
const gap = /[^\x21-\x7e]/u;

/** The last place after a gap within so many characters; 0 if there is none. */
function lastGap(line: string, within: number): number {
  let at = within;
  while (at > 0 && !gap.test(line[at - 1] ?? '')) at -= 1;
  const isHalf = /[\ud800-\udbff]/.test(line[at - 1] ?? '');
  return isHalf ? at - 1 : at;
}

/**
 * Makes lines of a text that comes in pieces. A line that is longer than allowed is parted after a space or
 * another character beyond ASCII, never within a word, where it could part a secret. Of a word that is itself
 * more than twice as long, the beginning is given as a line, and the rest is passed over.
 */
export class LineSplitter {
  readonly #longest: number;
  #rest = '';
  #isPassing = false;

  /** @param longest the most characters of a line, but for one that is a single word */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Takes a piece, and gives the lines that are whole now. */
  take(piece: string): string[] {
    const whole = `${this.#rest}${this.#afterWord(piece)}`.split(/\r\n|\r(?!$)|\n/);
    const [last = '', ...before] = this.#part(whole.pop() ?? '').toReversed();
    const lines = [...whole.flatMap((line) => this.#part(line)), ...before.toReversed()];
    this.#isPassing ||= last.length > 2 * this.#longest;
    this.#rest = this.#isPassing ? '' : last;
    return last !== this.#rest ? [...lines, last] : lines;
  }

  /** What is left at the end; empty if nothing is. */
  finish(): string {
    const rest = this.#rest;
    this.#rest = '';
    return rest;
  }

  /** What follows in a piece on the word that is passed over. */
  #afterWord(piece: string): string {
    if (!this.#isPassing) return piece;
    const at = piece.search(gap);
    this.#isPassing = at < 0;
    return at < 0 ? '' : piece.slice(at).replace(/^(?:\r\n|\r|\n)/, '');
  }

  #part(line: string): string[] {
    const parts: string[] = [];
    let rest = line;
    while (rest.length > this.#longest) {
      const wordEnd = rest.slice(this.#longest).search(gap);
      const at = lastGap(rest, this.#longest) || (wordEnd < 0 ? 0 : this.#longest + wordEnd);
      if (at === 0) break;
      parts.push(rest.slice(0, at));
      rest = rest.slice(at);
    }
    return [...parts, rest];
  }
}
