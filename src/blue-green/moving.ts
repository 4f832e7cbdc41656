import { explainError } from '../frame/explain-error.ts';
import type { Run } from '../frame/run.ts';
import type { Coded } from '../kernel/catalogue/coded.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { Deploying } from '../release/context.ts';
import type { SwappedDomain, SwapReport } from '../release/swap-report.ts';
import type { Swap } from '../release/swap-request.ts';
import {
  giveBack,
  type Moved,
  moveDomain,
  thatStillRuns,
  whyNotBack,
  withCountedKeys,
} from './move-domain.ts';

/** The domains of a run on their way from one project to the other, and back. */
export class Moving {
  readonly #run: Deploying;
  readonly #counted: Run;
  readonly #swap: Swap;
  readonly #domains = new Map<string, SwappedDomain>();
  /** When the move of the last of them began that this run has touched. */
  #began = 0;

  constructor(run: Deploying, swap: Swap) {
    this.#run = run;
    this.#counted = withCountedKeys(run, 'move');
    this.#swap = swap;
    for (const name of swap.domains) this.#set(name, { state: 'stays' });
  }

  /** Moves them all, one after the other. @throws what `moveDomain` throws */
  async move(): Promise<void> {
    const { domains, seats, from, to } = this.#swap;
    if (from !== undefined) this.#run.host.report({ type: 'moving', ...this.#moved, from });
    for (const hostname of domains) {
      // Until it is known to be there, nobody knows where it is.
      this.#set(hostname, { state: 'gone' });
      this.#tell();
      this.#began = this.#run.host.clock.now();
      const onGap = (gap: number) => this.#set(hostname, { state: 'gone', gap });
      await moveDomain(this.#counted, { hostname, from: seats.get(hostname), to }, onGap);
      this.#set(hostname, { ...this.#domains.get(hostname), state: 'moved' });
      this.#tell();
      this.#run.host.report({
        type: 'note',
        text: safe`${trusted(hostname)} is moved to ${trusted(to)}`,
      });
    }
  }

  /** Tells which of the domains that were moved are not verified. */
  leaveUnverified(hostnames: readonly string[]): void {
    for (const hostname of hostnames) {
      this.#set(hostname, { state: 'moved', ...this.#domains.get(hostname), isUnverified: true });
    }
    this.#tell();
  }

  /**
   * Moves back what was moved, also after the end of the run; but not to a project that another run deploys to.
   *
   * @returns why it was not done; undefined if all are back, or were nowhere before
   */
  async moveBack(): Promise<Coded | undefined> {
    const { from } = this.#swap;
    if (from === undefined) return undefined;
    const run = thatStillRuns(this.#counted);
    const touched = [...this.#domains].filter(([, { state }]) => state !== 'stays').reverse();
    if (touched.length === 0) return undefined;
    const taken = await whyNotBack(run, { ...this.#moved, from });
    if (taken !== undefined) return taken.message;
    let wrong: Coded | undefined;
    for (const [hostname] of touched) {
      await this.#giveBack(run, hostname, from).catch((error: unknown) => {
        wrong ??= explainError(error, run.host.clean);
        this.#set(hostname, { ...this.#domains.get(hostname), state: 'gone' });
      });
      this.#tell();
    }
    return wrong;
  }

  async #giveBack(run: Run, hostname: string, from: string): Promise<void> {
    const known = this.#domains.get(hostname);
    let gap = known?.gap;
    const onGap = (more: number) => {
      gap = (gap ?? 0) + more;
    };
    const now = await giveBack(run, { hostname, from, to: this.#swap.to }, from, onGap);
    // The one whose move did not come to its end: nobody has seen since when it was away.
    if (known?.state === 'gone' && now === 'back') gap = run.host.clock.now() - this.#began;
    const back = known?.state === 'moved' ? 'moved-back' : 'stays';
    const is = now === 'taken' ? 'gone' : back;
    this.#set(hostname, { state: is, ...(gap !== undefined && { gap }) });
    if (now !== 'back') return;
    const text = safe`${trusted(hostname)} is moved back to ${trusted(from)}`;
    this.#run.host.report({ type: 'note', text });
  }

  get #moved(): Omit<Moved, 'from'> {
    const { to, domains } = this.#swap;
    return { to, domains, preview: this.#run.request.target.preview?.hostname ?? '' };
  }

  /** True if each of them is where the run found it. */
  get isUndone(): boolean {
    return [...this.#domains.values()].every(
      ({ state }) => state === 'stays' || state === 'moved-back',
    );
  }

  /** Where they are, in words. */
  get whereabouts(): SafeText {
    const { from, to } = this.#swap;
    if (this.live === to) return safe`The domains are on ${trusted(to)} now.`;
    return this.isUndone && from !== undefined
      ? safe`The domains are on ${trusted(from)}, as before.`
      : safe`The domains may not all be on one project now: run the job again, which gathers them.`;
  }

  /** The project that serves all of them; undefined if none does. */
  get live(): string | undefined {
    const states = [...this.#domains.values()].map(({ state }) => state);
    if (states.every((state) => state === 'moved')) return this.#swap.to;
    return this.isUndone ? this.#swap.from : undefined;
  }

  #set(hostname: string, rest: Omit<SwappedDomain, 'hostname'>): void {
    this.#domains.set(hostname, { hostname: trusted(hostname), ...rest });
  }

  #tell(): void {
    const { from, to, gathered } = this.#swap;
    const { live } = this;
    const swap: SwapReport = {
      to,
      domains: [...this.#domains.values()],
      ...(from !== undefined && { from }),
      ...(live !== undefined && { live }),
      ...(gathered !== undefined && { gathered }),
    };
    this.#run.found({ swap });
  }
}
