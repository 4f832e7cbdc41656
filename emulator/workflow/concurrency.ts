/** What `concurrency:` says of a run or a job. */
export type Group = {
  name: string;
  cancelsRunning: boolean;
  /** True: all wait; else a newer one that waits takes the place of an older one. */
  isQueue: boolean;
};

type Waiting = { start: (mayRun: boolean) => void };
type Line = { cancel: () => void; waiting: Waiting[] };

/** Lets one run at a time be at work in a group, as GitHub does. */
export class ConcurrencyGroups {
  readonly #lines = new Map<string, Line>();

  /**
   * Runs something once its group is free.
   * @param cancel called if a newer one cancels it while it runs
   * @returns undefined if it was cancelled while it waited
   */
  async run<Result>(
    group: Group | undefined,
    cancel: () => void,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    if (group === undefined) return await work();
    // GitHub does not tell upper case from lower case here.
    const name = group.name.toLowerCase();
    if (!(await this.#enter(name, group, cancel))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave(name);
    }
  }

  #enter(name: string, { cancelsRunning, isQueue }: Group, cancel: () => void): Promise<boolean> {
    const line = this.#lines.get(name);
    if (line === undefined) {
      this.#lines.set(name, { cancel, waiting: [] });
      return Promise.resolve(true);
    }
    if (!isQueue) for (const { start } of line.waiting.splice(0)) start(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    line.waiting.push({
      start: (mayRun) => {
        if (mayRun) line.cancel = cancel;
        resolve(mayRun);
      },
    });
    if (cancelsRunning) line.cancel();
    return promise;
  }

  #leave(name: string): void {
    const next = this.#lines.get(name)?.waiting.shift();
    if (next === undefined) this.#lines.delete(name);
    else next.start(true);
  }
}
