import { type Host, longestLine, longestText } from '../frame/host.ts';
import { cleanIndented } from '../frame/indented.ts';
import { cut } from '../kernel/text/cut.ts';
import { forFreeText, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

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

/** A character that words of printable ASCII do not hold; no half of a pair. */
const gap = /[^\x21-\x7e]/u;

const isHalf = (character: string | undefined): boolean => /[\ud800-\udbff]/.test(character ?? '');

/** Where a line is parted: after the last gap within so many UTF-16 units, or else in the middle of a word. */
function placeIn(line: string, longest: number): number {
  let at = longest;
  while (at > 0 && !gap.test(line[at - 1] ?? '')) at -= 1;
  const place = at === 0 ? longest : at;
  return isHalf(line[place - 1]) ? place - 1 : place;
}

/** Parts a line into lines of at most so many UTF-16 units, of which there must be at least two. */
export function splitLine(line: SafeText, longest: number): SafeText[] {
  const parts: SafeText[] = [];
  let rest: string = line;
  while (rest.length > longest) {
    const place = placeIn(rest, longest);
    parts.push(unsafeText(rest.slice(0, place).trimEnd()));
    rest = rest.slice(place);
  }
  return [...parts, unsafeText(rest)];
}

/** The most characters of a turn's text that are kept, and that are shown in the log. */
export const longestTurn = 60_000;

/** Shows what a turn says as it arrives, line by line and defused, and keeps the beginning of it. */
export class TurnText {
  readonly #host: Host;
  readonly #splitter = new LineSplitter(longestText);
  readonly #lines: SafeText[] = [];
  #length = 0;
  #isCut = false;
  #isEmpty = true;

  constructor(host: Host) {
    this.#host = host;
  }

  /** True if the turn said more than is kept. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True if the turn has said nothing yet. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Takes a piece of the text. @throws the run's signal's reason */
  async take(piece: string): Promise<void> {
    this.#isEmpty &&= piece.trim() === '';
    if (this.#isCut) return;
    for (const line of this.#splitter.take(piece)) {
      this.#show(line);
      await this.#host.drained();
      this.#host.signal.throwIfAborted();
    }
  }

  /** Takes it that nothing more comes, and gives what is kept. */
  finish(): SafeText {
    const rest = this.#splitter.finish();
    if (rest !== '') this.#show(rest);
    return unsafeText(this.#lines.join('\n').trimEnd().replace(/^\n+/, ''));
  }

  #show(line: string): void {
    const clean = forFreeText(this.#host.cleanText);
    const isCut = line.length >= longestText;
    const shown = cleanIndented(line, (words) => clean(words, isCut));
    for (const part of splitLine(shown, longestLine)) this.#showPart(part);
  }

  #showPart(shown: SafeText): void {
    if (this.#isCut) return;
    if (this.#length + shown.length > longestTurn) {
      this.#isCut = true;
      this.#host.report({ type: 'note', text: safe`The turn says more; it is not shown.` });
      return;
    }
    this.#length += shown.length + 1;
    this.#lines.push(shown);
    this.#host.report({ type: 'build-log', text: shown });
  }
}
