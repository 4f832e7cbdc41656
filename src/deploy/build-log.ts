import type { SafeText } from '../kernel/text/safe.ts';
import { cleanIndented } from '../step/clean.ts';
import type { Host } from '../step/step.ts';

/** The most characters of a line's indentation that are kept. */
const widest = 40;

/** How long to wait for the last lines of a failed deployment, in milliseconds. */
const longestRest = 2000;

/** How long the stream must be silent to count as complete, in milliseconds. */
const silence = 500;

/** How often that is checked, in milliseconds. */
const interval = 100;

/** The most lines of a build's log that a report keeps. */
const mostLines = 20;

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

  /** Shows a text of one or more lines. @throws the run's signal's reason */
  async add(text: string): Promise<void> {
    const { report, drained, signal } = this.#host;
    const clean = this.#host.clean;
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

  /** The stream sent an event. @param isEnd true if it is the end of the deployment */
  onEvent(isEnd: boolean): void {
    this.#eventAt = this.#host.clock.now();
    this.#isClosed = false;
    this.#hasEnded ||= isEnd;
  }

  /** The stream was closed, or could not be opened. */
  closed(): void {
    this.#isClosed = true;
  }

  /** Waits for the last lines of a failed deployment. @throws the signal's reason */
  async rest(signal: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    const started = clock.now();
    while (clock.now() - started < longestRest && !this.#isWhole(started)) {
      await clock.sleep(interval, signal);
    }
  }

  /** A stream that was closed early is reopened; one that never sent an event does not exist. */
  #isWhole(since: number): boolean {
    if (this.#isClosed) return this.#hasEnded || this.#eventAt === undefined;
    return this.#host.clock.now() - Math.max(since, this.#eventAt ?? since) >= silence;
  }
}

/** Lines that count no errors, or only warn. */
const harmless = /\b(0|no) (errors?|failures?|problems?)\b|\bwarn(ing)?\b/i;

/** Lines that name an error; not as part of a file name. */
const error = /(error|exception)([\s:[\]()!,]|$)|\bfatal\b|\bpanic(ked)?\b|^\s*[✗✘✖×]/i;

/** Lines about a failure, which may only be the consequence of an error. */
const failure =
  /\b(failed|failure|fails|cannot|can't|could not|unable to|not found|no such|denied|killed|out of memory|npm err!|exit(ed)?( with)?( code| status)?:? [1-9])/i;

/** What a package manager prints after every failed script. */
const wrapper =
  /^\s*(npm (err(or)?\b|warn)|error: command .* (failed|exited)|error command failed)/i;

/**
 * The line of a build's log that best explains its failure: the first that names an error, else the first about a
 * failure, else the last that is not empty.
 *
 * @returns undefined if all lines are empty
 */
export function decisiveLine(lines: readonly SafeText[]): SafeText | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const own = filled.filter((line) => !harmless.test(line) && !wrapper.test(line));
  return (
    own.find((line) => error.test(line)) ??
    own.find((line) => failure.test(line)) ??
    filled.find((line) => wrapper.test(line)) ??
    filled.at(-1)
  );
}
