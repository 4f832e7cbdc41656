type Waiter = {
  predicate: (line: string) => boolean;
  resolve: (line: string) => void;
  reject: (reason: unknown) => void;
};

/** Lines as they come, to be waited for. */
export class LineFeed {
  readonly lines: string[] = [];
  readonly #onLine: ((line: string) => void) | undefined;
  #waiters: Waiter[] = [];
  #ended: Error | undefined;

  /** @param onLine called with each line. */
  constructor(onLine?: (line: string) => void) {
    this.#onLine = onLine;
  }

  /** Adds a line. */
  push(line: string): void {
    this.lines.push(line);
    this.#onLine?.(line);
    this.#waiters = this.#waiters.filter((waiter) => {
      const found = waiter.predicate(line);
      if (found) waiter.resolve(line);
      return !found;
    });
  }

  /** No line comes any more: whoever still waits is refused. */
  end(cause?: unknown): void {
    this.#ended = new Error(
      `The run ended without the line that was waited for:\n${this.lines.join('\n')}`,
      { cause },
    );
    for (const { reject } of this.#waiters.splice(0)) reject(this.#ended);
  }

  /** The first line, past or to come, for which the predicate holds. */
  waitFor(predicate: (line: string) => boolean): Promise<string> {
    const past = this.lines.find(predicate);
    if (past !== undefined) return Promise.resolve(past);
    if (this.#ended !== undefined) return Promise.reject(this.#ended);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#waiters.push({ predicate, resolve, reject });
    return promise;
  }
}
