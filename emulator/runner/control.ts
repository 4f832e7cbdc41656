import type { Grace, RunningProcess } from './process.ts';

/** Cancels or kills a step from outside, also when that is asked before its process has started. */
export class StepControl {
  readonly #grace: Grace;
  #process: RunningProcess | undefined;
  #killed = false;
  #cancelled = false;

  /** @param grace how long a cancelled process may take. */
  constructor(grace: Grace) {
    this.#grace = grace;
  }

  /** True once the step was cancelled while it ran or before. */
  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Takes the step's process. */
  attach(process: RunningProcess): void {
    this.#process = process;
    if (this.#killed) process.kill();
    else if (this.#cancelled) void process.cancel(this.#grace);
  }

  /** Cancels the step as the runner does when a run is cancelled. */
  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    void this.#process?.cancel(this.#grace);
  }

  /** Kills the step's process tree at once. */
  kill(): void {
    this.#killed = true;
    this.#process?.kill();
  }
}
