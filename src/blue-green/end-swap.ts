import { resultOf } from '../checks/apply.ts';
import { awaitChecks, describeFailed, describeMissing } from '../checks/await-checks.ts';
import { countFailed } from '../checks/result.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo, verificationOf } from '../domains/evaluate.ts';
import { VerificationSchedule } from '../domains/follow-verification.ts';
import { type Ending, endByError, explainError } from '../frame/ending.ts';
import type { Run } from '../frame/step.ts';
import { type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ReleaseContext } from '../release/context.ts';
import type { Swap, SwappedDomain, SwapReport } from '../release/model/report.ts';
import { openAll, readDomainsOf } from './find-idle.ts';
import {
  giveBack,
  type Moved,
  MovedByOthers,
  moveDomain,
  thatStillRuns,
  whyNotBack,
  withCountedKeys,
} from './move-domain.ts';
import { checksAt } from './plan.ts';

/** Ends the run if the project that it would deploy to serves a domain by now. */
export async function confirmIdle(run: Run, { domains, slots }: Swap): Promise<void> {
  const assigned = await readDomainsOf(run, domains);
  for (const hostname of domains) {
    const domain = assigned.get(hostname);
    const project = domain && assignedTo(domain);
    const from = slots.get(hostname);
    if (project !== from) throw new MovedByOthers(run.host, { hostname, from }, project);
  }
}

/** @throws MovedByOthers if a domain is not on the project that it was moved to */
function expectMoved(
  { host }: ReleaseContext,
  { domains, to }: Swap,
  assigned: ReadonlyMap<string, ConnectedDomain>,
): void {
  for (const hostname of domains) {
    const domain = assigned.get(hostname);
    const project = domain && assignedTo(domain);
    if (project !== to) throw new MovedByOthers(host, { hostname, from: to }, project);
  }
}

/**
 * Checks that all domains are where they were moved to, and follows those that the move has made pending again.
 *
 * @returns those that are not verified in time
 * @throws MovedByOthers
 */
async function awaitVerified(run: ReleaseContext, swap: Swap): Promise<string[]> {
  const { client, host, request } = run;
  const { domains } = swap;
  const schedule = new VerificationSchedule(host, request.target.preview?.timeout ?? 0);
  let assigned = await readDomainsOf(run, domains);
  for (;;) {
    expectMoved(run, swap, assigned);
    const verifications = domains.map((hostname) => {
      const domain: ConnectedDomain = assigned.get(hostname) ?? { hostname };
      return { hostname, verification: verificationOf(domain, request.customStatuses) };
    });
    const pending = verifications.filter(({ verification }) => verification === 'pending');
    if (pending.length === 0 || schedule.isOver) {
      const isOpen = new Set(['pending', 'bad']);
      return verifications
        .filter(({ verification }) => isOpen.has(verification))
        .map(({ hostname }) => hostname);
    }
    const revalidate = await schedule.next(host.signal);
    const reading = pending.map(async ({ hostname }) => {
      return [hostname, await client.readConnectedDomain(hostname, revalidate)] as const;
    });
    assigned = new Map([...assigned, ...(await Promise.all(reading))]);
  }
}

/** Runs the checks at the domains themselves. @returns the failure; undefined if all pass */
async function checkDomains(
  run: ReleaseContext,
  { checks: request, slots, from, domains }: Swap,
  unverified: readonly string[],
): Promise<Ending | undefined> {
  const { host, found } = run;
  // A domain that served before has to work; a new one only causes a warning until it is verified.
  const isNew = (hostname: string) => from === undefined || slots.get(hostname) !== from;
  const waiting = unverified.filter(isNew);
  const again = unverified.filter((hostname) => !isNew(hostname));
  const warn = (names: readonly string[], is: SafeText) => {
    if (names.length === 0) return;
    const text = safe`${listNames(names, unsafeText)}: ${is}. The domains action shows the missing DNS records.`;
    host.report({ type: 'warning', diagnostic: diagnose('SD6014', text) });
  };
  warn(waiting, safe`not verified yet, so not checked`);
  warn(again, safe`not verified since the move, so visitors may not reach it`);
  const served = domains.filter((hostname) => !waiting.includes(hostname));
  const groups = request === undefined ? [] : checksAt(request, served);
  if (request === undefined || groups.length === 0) return undefined;
  const { timeout } = request;
  const checks = openAll(groups, host);
  const before = (run.checks?.all ?? []).map((one) =>
    resultOf(one, one.check === undefined ? null : true),
  );
  try {
    run.waitsFor(() => describeMissing(checks));
    const results = await run.phase('verification', () =>
      awaitChecks({
        host,
        checks,
        timeout,
        found: (known) => found({ checks: [...before, ...known] }),
      }),
    );
    if (countFailed(results) === 0) return undefined;
    return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
  } finally {
    await checks.close();
  }
}

/** Moves the domains back after their checks failed. */
async function rollBack(
  { from, to }: Swap,
  moving: Moving,
  { error = diagnose('SD6016', safe``) }: Ending,
): Promise<Ending> {
  if (from === undefined) return { outcome: 'failed', error };
  const wrong = await moving.moveBack();
  if (moving.isMovedBack) {
    const back = safe`The domains are back on project ${unsafeText(from)}.`;
    const text = safe`${back} On the new project, ${unsafeText(to)}: ${error.text}`;
    return { outcome: 'rolled-back', error: diagnose('SD6015', text) };
  }
  const also = wrong === undefined ? safe`` : safe` ${wrong.text}`;
  const first = safe`The checks failed at the domains, and not all domains could be moved back. ${moving.whereabouts}${also}`;
  return { outcome: 'failed', error: diagnose('SD6016', first) };
}

/** Moves the domains back after an interrupted or failed move. @throws the error of an interrupted run */
async function endInterrupted(
  run: ReleaseContext,
  moving: Moving,
  error: unknown,
): Promise<Ending> {
  const { host } = run;
  // Another run that moves them to the same project continues.
  const isRival = error instanceof MovedByOthers && error.project === run.projectId;
  if (!isRival) await moving.moveBack();
  if (host.signal.aborted) throw error;
  const ending = endByError(host, error);
  return {
    ...ending,
    error: reword(ending.error, (why) => safe`${why} ${moving.whereabouts}`),
  };
}

/**
 * Moves the domains to the deployed and checked project, runs the checks there, and moves them back if those fail. After
 * a run that did not succeed nothing is moved.
 */
export async function endSwap(run: ReleaseContext, swap: Swap, ending: Ending): Promise<Ending> {
  if (ending.outcome !== 'succeeded') return ending;
  const moving = new Moving(run, swap);
  let failed: Ending | undefined;
  try {
    run.waitsFor(() => safe``);
    await run.phase('move', () => moving.move());
    const unverified = await run.phase('domain', () => awaitVerified(run, swap));
    moving.leaveUnverified(unverified);
    failed = await checkDomains(run, swap, unverified);
    // Another run may have moved a domain while the checks ran.
    if (failed === undefined && swap.checks !== undefined) {
      expectMoved(run, swap, await readDomainsOf(run, swap.domains));
    }
  } catch (error) {
    return await endInterrupted(run, moving, error);
  }
  if (failed !== undefined) return await rollBack(swap, moving, failed);
  return ending;
}

/** Moves the domains of a run from one project to the other, and back. */
class Moving {
  readonly #run: ReleaseContext;
  readonly #counted: Run;
  readonly #swap: Swap;
  readonly #domains = new Map<string, SwappedDomain>();
  /** When the move of the last domain that this run touched began. */
  #began = 0;

  constructor(run: ReleaseContext, swap: Swap) {
    this.#run = run;
    this.#counted = withCountedKeys(run, 'move');
    this.#swap = swap;
    for (const name of swap.domains) this.#set(name, { state: 'stays' });
  }

  /** Moves them all, one after the other. @throws what `moveDomain` throws */
  async move(): Promise<void> {
    const { domains, slots, from, to } = this.#swap;
    if (from !== undefined) this.#run.host.report({ type: 'moving', ...this.#moved, from });
    for (const hostname of domains) {
      // Unknown until the move is done.
      this.#set(hostname, { state: 'gone' });
      this.#publish();
      this.#began = this.#run.host.clock.now();
      const onGap = (gap: number) => this.#set(hostname, { state: 'gone', gap });
      await moveDomain(this.#counted, { hostname, from: slots.get(hostname), to }, onGap);
      this.#set(hostname, { ...this.#domains.get(hostname), state: 'moved' });
      this.#publish();
      this.#run.host.report({
        type: 'note',
        text: safe`${unsafeText(hostname)} moved to ${unsafeText(to)}`,
      });
    }
  }

  /** Reports which moved domains are not verified. */
  leaveUnverified(hostnames: readonly string[]): void {
    for (const hostname of hostnames) {
      this.#set(hostname, { state: 'moved', ...this.#domains.get(hostname), isUnverified: true });
    }
    this.#publish();
  }

  /**
   * Moves back what was moved, also after the end of the run; but not to a project that another run deploys to.
   *
   * @returns why not; undefined if all are back, or no project had them before
   */
  async moveBack(): Promise<Diagnostic | undefined> {
    const { from } = this.#swap;
    if (from === undefined) return undefined;
    const run = thatStillRuns(this.#counted);
    const touched = [...this.#domains].filter(([, { state }]) => state !== 'stays').reverse();
    if (touched.length === 0) return undefined;
    const taken = await whyNotBack(run, { ...this.#moved, from });
    if (taken !== undefined) return taken.diagnostic;
    let wrong: Diagnostic | undefined;
    for (const [hostname] of touched) {
      await this.#giveBack(run, hostname, from).catch((error: unknown) => {
        wrong ??= explainError(error, run.host.clean);
        this.#set(hostname, { ...this.#domains.get(hostname), state: 'gone' });
      });
      this.#publish();
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
    // Of an interrupted move it is not known when the domain left its project.
    if (known?.state === 'gone' && now === 'back') gap = run.host.clock.now() - this.#began;
    const back = known?.state === 'moved' ? 'moved-back' : 'stays';
    const is = now === 'taken' ? 'gone' : back;
    this.#set(hostname, { state: is, ...(gap !== undefined && { gap }) });
    if (now !== 'back') return;
    const text = safe`${unsafeText(hostname)} moved back to ${unsafeText(from)}`;
    this.#run.host.report({ type: 'note', text });
  }

  get #moved(): Omit<Moved, 'from'> {
    const { to, domains } = this.#swap;
    return { to, domains, preview: this.#run.request.target.preview?.hostname ?? '' };
  }

  /** True if each of them is where the run found it. */
  get isMovedBack(): boolean {
    return [...this.#domains.values()].every(
      ({ state }) => state === 'stays' || state === 'moved-back',
    );
  }

  /** Where the domains are, as a sentence. */
  get whereabouts(): SafeText {
    const { from, to } = this.#swap;
    if (this.live === to) return safe`The domains are now assigned to ${unsafeText(to)}.`;
    return this.isMovedBack && from !== undefined
      ? safe`The domains are assigned to ${unsafeText(from)}, as before.`
      : safe`The domains may be on different projects now: rerun the job, which moves them together.`;
  }

  /** The project that serves all of them; undefined if none does. */
  get live(): string | undefined {
    const states = [...this.#domains.values()].map(({ state }) => state);
    if (states.every((state) => state === 'moved')) return this.#swap.to;
    return this.isMovedBack ? this.#swap.from : undefined;
  }

  #set(hostname: string, rest: Omit<SwappedDomain, 'hostname'>): void {
    this.#domains.set(hostname, { hostname: unsafeText(hostname), ...rest });
  }

  #publish(): void {
    const { from, to, reconciled } = this.#swap;
    const { live } = this;
    const swap: SwapReport = {
      to,
      domains: [...this.#domains.values()],
      ...(from !== undefined && { from }),
      ...(live !== undefined && { live }),
      ...(reconciled !== undefined && { reconciled }),
    };
    this.#run.found({ swap });
  }
}
