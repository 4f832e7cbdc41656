import { cut, type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { cleanIndented } from '../step/clean.ts';
import { type Host, longestLine, longestText } from '../step/step.ts';

/**
 * Splits a text that arrives in pieces into lines. A line over the limit is cut, and its rest is dropped.
 */
export class LineSplitter {
  readonly #longest: number;
  #line = '';
  #isDropping = false;
  /** A carriage return at the end of a piece: the next piece may start with the line feed. */
  #pending = '';

  /** @param longest the maximum length of a line in UTF-16 units */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** Adds a piece, and returns the lines that are now complete. */
  split(piece: string): string[] {
    const text = this.#pending + piece;
    this.#pending = text.endsWith('\r') ? '\r' : '';
    const [first = '', ...others] = text
      .slice(0, text.length - this.#pending.length)
      .split(/\r\n|\r|\n/);
    const lines = this.#add(first);
    for (const segment of others) lines.push(...this.#end(), ...this.#add(segment));
    return lines;
  }

  /** The last, incomplete line; may be empty. */
  finish(): string {
    const rest = this.#line;
    this.#line = '';
    return rest;
  }

  #add(segment: string): string[] {
    if (this.#isDropping) return [];
    this.#line += segment;
    if (this.#line.length <= this.#longest) return [];
    this.#isDropping = true;
    return [cut(this.finish(), this.#longest)];
  }

  #end(): string[] {
    const lines = this.#isDropping ? [] : [this.finish()];
    this.#isDropping = false;
    return lines;
  }
}

/** A character other than printable ASCII, after which a line may be split. */
const gap = /[^\x21-\x7e]/u;

const isHalf = (character: string | undefined): boolean => /[\ud800-\udbff]/.test(character ?? '');

/** Where a line is split: after the last gap within the limit, or else in the middle of a word. */
function splitIndex(line: string, longest: number): number {
  let at = longest;
  while (at > 0 && !gap.test(line[at - 1] ?? '')) at -= 1;
  const end = at === 0 ? longest : at;
  return isHalf(line[end - 1]) ? end - 1 : end;
}

/** Splits a line into lines of at most `longest` UTF-16 units, which must be at least 2. */
export function splitLine(line: SafeText, longest: number): SafeText[] {
  const parts: SafeText[] = [];
  let rest: string = line;
  while (rest.length > longest) {
    const end = splitIndex(rest, longest);
    parts.push(unsafeText(rest.slice(0, end).trimEnd()));
    rest = rest.slice(end);
  }
  return [...parts, unsafeText(rest)];
}

/** The maximum length of a turn's text, in the report and in the log. */
const longestTurn = 60_000;

/** Logs a turn's text as it arrives, line by line and sanitized, and keeps its start. */
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

  /** True if the text is longer than what is kept. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** True if there is no text yet. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Adds a piece of the text. @throws the run's signal's reason */
  async append(piece: string): Promise<void> {
    this.#isEmpty &&= piece.trim() === '';
    if (this.#isCut) return;
    for (const line of this.#splitter.split(piece)) {
      this.#show(line);
      await this.#host.drained();
      this.#host.signal.throwIfAborted();
    }
  }

  /** Ends the text, and returns what is kept. */
  finish(): SafeText {
    const rest = this.#splitter.finish();
    if (rest !== '') this.#show(rest);
    return unsafeText(this.#lines.join('\n').trimEnd().replace(/^\n+/, ''));
  }

  #show(line: string): void {
    const clean = this.#host.cleanText;
    const isCut = line.length >= longestText;
    const shown = cleanIndented(line, (words) => clean(words, isCut));
    for (const part of splitLine(shown, longestLine)) this.#showPart(part);
  }

  #showPart(shown: SafeText): void {
    if (this.#isCut) return;
    if (this.#length + shown.length > longestTurn) {
      this.#isCut = true;
      this.#host.report({ type: 'note', text: safe`The rest of the AI's answer is not shown.` });
      return;
    }
    this.#length += shown.length + 1;
    this.#lines.push(shown);
    this.#host.report({ type: 'build-log', text: shown });
  }
}
