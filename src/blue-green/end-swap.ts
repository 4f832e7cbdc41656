import { awaitChecks, describeFailed, describeMissing } from '../checks/await-checks.ts';
import { countFailed } from '../checks/model/check-result.ts';
import { resultOf } from '../checks/site-checks.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo, verificationOf } from '../domains/model/domain-state.ts';
import { VerificationLooks } from '../domains/verification-looks.ts';
import { type Ending, endByError } from '../frame/ending.ts';
import type { Run } from '../frame/run.ts';
import { coded, reword, withoutCode } from '../kernel/catalogue/coded.ts';
import { listNames } from '../kernel/text/list-names.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { Deploying } from '../release/context.ts';
import type { Swap } from '../release/swap-request.ts';
import { openAll } from './checks.ts';
import { lookAtDomains } from './look-at-domains.ts';
import { checksAt } from './model/checks.ts';
import { MovedByOthers } from './move-domain.ts';
import { Moving } from './moving.ts';

/** Ends the run before it deploys to a project that has come to serve a domain since, by a fresh look. */
export async function confirmIdle(run: Run, { domains, seats }: Swap): Promise<void> {
  const seen = await lookAtDomains(run, domains);
  for (const hostname of domains) {
    const domain = seen.get(hostname);
    const project = domain && assignedTo(domain);
    const from = seats.get(hostname);
    if (project !== from) throw new MovedByOthers(run.host, { hostname, from }, project);
  }
}

/** @throws MovedByOthers if a look does not show all domains where they were moved to */
function expectMoved(
  { host }: Deploying,
  { domains, to }: Swap,
  seen: ReadonlyMap<string, ConnectedDomain>,
): void {
  for (const hostname of domains) {
    const domain = seen.get(hostname);
    const project = domain && assignedTo(domain);
    if (project !== to) throw new MovedByOthers(host, { hostname, from: to }, project);
  }
}

/**
 * Looks whether all are where they were moved to, and follows those whose verification has begun anew by that.
 *
 * @returns those that are not verified in the time that a domain has for that
 * @throws MovedByOthers
 */
async function awaitVerified(run: Deploying, swap: Swap): Promise<string[]> {
  const { client, host, request } = run;
  const { domains } = swap;
  const taught = { success: request.successStates, failure: request.failureStates };
  const looks = new VerificationLooks(host, request.target.preview?.timeout ?? 0);
  let seen = await lookAtDomains(run, domains);
  for (;;) {
    expectMoved(run, swap, seen);
    const verifications = domains.map((hostname) => {
      const domain: ConnectedDomain = seen.get(hostname) ?? { hostname };
      return { hostname, verification: verificationOf(domain, taught) };
    });
    const pending = verifications.filter(({ verification }) => verification === 'pending');
    if (pending.length === 0 || looks.isOver) {
      const isOpen = new Set(['pending', 'bad']);
      return verifications
        .filter(({ verification }) => isOpen.has(verification))
        .map(({ hostname }) => hostname);
    }
    const revalidate = await looks.next(host.signal);
    const looked = pending.map(async ({ hostname }) => {
      return [hostname, await client.getConnectedDomain(hostname, revalidate)] as const;
    });
    seen = new Map([...seen, ...(await Promise.all(looked))]);
  }
}

/** Runs the checks at the domains themselves, and says how that ended: well if it is undefined. */
async function checkDomains(
  run: Deploying,
  { checks: request, seats, from, domains }: Swap,
  unverified: readonly string[],
): Promise<Ending | undefined> {
  const { host, found } = run;
  // A domain that served before has to work; one that is new is only told of until it is verified.
  const isNew = (hostname: string) => from === undefined || seats.get(hostname) !== from;
  const waiting = unverified.filter(isNew);
  const again = unverified.filter((hostname) => !isNew(hostname));
  const warn = (names: readonly string[], is: SafeText) => {
    if (names.length === 0) return;
    const text = safe`${listNames(names, trusted)}: ${is}. The domains action shows the DNS records that are missing.`;
    host.report({ type: 'warning', text: coded('SD6014', text) });
  };
  warn(waiting, safe`not verified yet, and not checked there`);
  warn(again, safe`not verified again since it was moved, so that visitors may not reach it`);
  const served = domains.filter((hostname) => !waiting.includes(hostname));
  const groups = request === undefined ? [] : checksAt(request, served);
  if (request === undefined || groups.length === 0) return undefined;
  const { timeout } = request;
  const checks = openAll(groups, run.request.userAgent, host);
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

/** Undoes a move whose checks failed at the domains. */
async function rollBack(
  { from }: Swap,
  moving: Moving,
  { error = coded('SD6016', safe``) }: Ending,
): Promise<Ending> {
  if (from === undefined) return { outcome: 'failed', error };
  const wrong = await moving.moveBack();
  if (moving.isUndone) {
    const back = safe`The domains were moved back to ${trusted(from)}, which serves them as before.`;
    const text = safe`${back} ${withoutCode(error)}`;
    return { outcome: 'rolled-back', error: coded('SD6015', text) };
  }
  const also = wrong === undefined ? safe`` : safe` ${withoutCode(wrong)}`;
  const first = safe`The checks failed at the domains, and these could not all be moved back. ${moving.whereabouts}${also}`;
  return { outcome: 'failed', error: coded('SD6016', first) };
}

/** Undoes a move that was cut off, or did not come to its end. @throws the error of a run that was cut off */
async function undo(run: Deploying, moving: Moving, error: unknown): Promise<Ending> {
  const { host } = run;
  // Whoever moves them the same way goes on with it.
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
 * Moves the domains to the project that was deployed to and checked, checks it there, and moves them back if that
 * fails. Of a run that did not end well nothing is moved.
 */
export async function endSwap(run: Deploying, swap: Swap, ending: Ending): Promise<Ending> {
  if (ending.outcome !== 'succeeded') return ending;
  const moving = new Moving(run, swap);
  let failed: Ending | undefined;
  try {
    run.waitsFor(() => safe``);
    await run.phase('move', () => moving.move());
    const unverified = await run.phase('domain', () => awaitVerified(run, swap));
    moving.leaveUnverified(unverified);
    failed = await checkDomains(run, swap, unverified);
    // The checks take their time, and nothing is called live that somebody has moved meanwhile.
    if (failed === undefined && swap.checks !== undefined) {
      expectMoved(run, swap, await lookAtDomains(run, swap.domains));
    }
  } catch (error) {
    return await undo(run, moving, error);
  }
  if (failed !== undefined) return await rollBack(swap, moving, failed);
  return ending;
}
