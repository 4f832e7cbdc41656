import { cut } from '../text/cut.ts';

/**
 * Makes lines of a text that comes in pieces. Of a line that is longer than allowed, the beginning is given, cut,
 * and the rest is passed over.
 */
export class LineSplitter {
  readonly #longest: number;
  #line = '';
  #isPassing = false;
  /** A carriage return at the end of a piece: the next may begin with the rest of the line's end. */
  #held = '';

  /** @param longest the most UTF-16 units of a line */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Takes a piece, and gives the lines that are whole now. */
  take(piece: string): string[] {
    const text = this.#held + piece;
    this.#held = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...others] = text
      .slice(0, text.length - this.#held.length)
      .split(/\r\n|\r|\n/);
    const lines = this.#add(first);
    for (const segment of others) lines.push(...this.#end(), ...this.#add(segment));
    return lines;
  }

  /** What is left at the end; empty if nothing is. */
  finish(): string {
    const rest = this.#line;
    this.#line = '';
    return rest;
  }

  #add(segment: string): string[] {
    if (this.#isPassing) return [];
    this.#line += segment;
    if (this.#line.length <= this.#longest) return [];
    this.#isPassing = true;
    return [cut(this.finish(), this.#longest)];
  }

  #end(): string[] {
    const lines = this.#isPassing ? [] : [this.finish()];
    this.#isPassing = false;
    return lines;
  }
}
