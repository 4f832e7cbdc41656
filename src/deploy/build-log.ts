import type { Host } from '../frame/host.ts';
import { cleanIndented } from '../frame/indented.ts';
import { forFreeText, type SafeText } from '../kernel/text/safe.ts';

/** The most characters of a line's indentation that are kept. */
const widest = 40;

/** How long the last lines are waited for once the deployment has failed, in milliseconds. */
const longestRest = 2000;

/** A stream that says nothing for so long then has no more to say, in milliseconds. */
const silence = 500;

/** How often that is looked at, in milliseconds. */
const glance = 100;

/** Shows the build's log as it comes, and keeps its last lines. */
export class BuildLog {
  readonly #host: Host;
  readonly #lines: SafeText[] = [];
  #eventAt: number | undefined;
  #isClosed = false;
  #hasEnded = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** The last lines, with their indentation. */
  get lines(): readonly SafeText[] {
    return this.#lines;
  }

  /** Takes a text of one or more lines. @throws the run's signal's reason */
  async take(text: string): Promise<void> {
    const { report, drained, signal } = this.#host;
    const clean = forFreeText(this.#host.clean);
    for (const line of text.split(/\r\n|\r|\n/)) {
      const shown = cleanIndented(line, (words) => clean(words), widest);
      if (shown !== '') {
        report({ type: 'build-log', text: shown });
        this.#lines.push(shown);
        if (this.#lines.length > mostLines) this.#lines.shift();
      }
      await drained();
      signal.throwIfAborted();
    }
  }

  /** The stream said something. @param isEnd true if that was how the deployment ended */
  eventSeen(isEnd: boolean): void {
    this.#eventAt = this.#host.clock.now();
    this.#isClosed = false;
    this.#hasEnded ||= isEnd;
  }

  /** The stream was closed, or could not be opened. */
  closed(): void {
    this.#isClosed = true;
  }

  /** Waits for the lines that may still come, now that the deployment has failed. @throws the signal's reason */
  async rest(signal: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    const started = clock.now();
    while (clock.now() - started < longestRest && !this.#isWhole(started)) {
      await clock.sleep(glance, signal);
    }
  }

  /** One that was closed in the middle is opened again; one that never said anything is not there. */
  #isWhole(since: number): boolean {
    if (this.#isClosed) return this.#hasEnded || this.#eventAt === undefined;
    return this.#host.clock.now() - Math.max(since, this.#eventAt ?? since) >= silence;
  }
}

/** The most lines of a build's log that a report keeps. */
export const mostLines = 20;

/** What counts errors and finds none, or only warns. */
const harmless = /\b(0|no) (errors?|failures?|problems?)\b|\bwarn(ing)?\b/i;

/** What names an error, and is no part of a file's name. */
const error = /(error|exception)([\s:[\]()!,]|$)|\bfatal\b|\bpanic(ked)?\b|^\s*[✗✘✖×]/i;

/** What speaks of a failure: it may only follow from an error. */
const failure =
  /\b(failed|failure|fails|cannot|can't|could not|unable to|not found|no such|denied|killed|out of memory|npm err!|exit(ed)?( with)?( code| status)?:? [1-9])/i;

/** What a package manager says of every script that failed. */
const wrapper =
  /^\s*(npm (err(or)?\b|warn)|error: command .* (failed|exited)|error command failed)/i;

/**
 * The line of a build's log that says best why it failed: the first that names an error, else the first that speaks of
 * a failure, else the last that says anything.
 *
 * @returns undefined if no line says anything
 */
export function decisiveLine(lines: readonly SafeText[]): SafeText | undefined {
  const telling = lines.filter((line) => line.trim() !== '');
  const own = telling.filter((line) => !harmless.test(line) && !wrapper.test(line));
  return (
    own.find((line) => error.test(line)) ??
    own.find((line) => failure.test(line)) ??
    telling.find((line) => wrapper.test(line)) ??
    telling.at(-1)
  );
}
