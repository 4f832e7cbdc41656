import { LineSplitter } from '../../core/message/line-splitter.ts';
import { splitLine } from '../../core/message/split-line.ts';
import { forFreeText, type SafeText, safe, trusted } from '../../core/text/safe.ts';
import { type Host, longestLine, longestText } from '../host.ts';
import { cleanIndented } from '../indented.ts';

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
    return trusted(this.#lines.join('\n').trimEnd().replace(/^\n+/, ''));
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
