import { setTimeout as delay } from 'node:timers/promises';
import type { Dialect } from '../../dialect.ts';
import type { ProvisioningWords } from '../../message-dialect.ts';
import { untilAborted } from '../until-aborted.ts';

/** The making of a project, which takes its time (section "Project", `provisioningState`). */
export class Provisioning {
  /** A project that is made by hand is ready from the start. */
  state: keyof ProvisioningWords = 'ready';
  /** Resolves at the end, good or bad. */
  ended: Promise<void> = Promise.resolve();

  /**
   * Starts over.
   * @param work makes what the project needs; the provisioning fails if it throws
   * @param signal aborted when the emulator closes, which rejects {@link ended}
   */
  start(work: () => Promise<unknown>, dialect: Dialect, signal: AbortSignal): void {
    this.state = 'working';
    this.ended = this.#run(work, dialect, signal);
  }

  async #run(work: () => Promise<unknown>, dialect: Dialect, signal: AbortSignal): Promise<void> {
    const { provisioningEnds: wanted, provisionMs } = dialect;
    const made = work().then(
      () => true,
      () => false,
    );
    await delay(provisionMs, undefined, { signal });
    const good = await made;
    signal.throwIfAborted();
    if (wanted === 'never') await untilAborted(signal);
    this.state = good && wanted === 'success' ? 'ready' : 'failed';
  }
}
