import { isAt, type SiteChecks } from '../checks/apply.ts';
import { awaitChecks, describeFailed, describeMissing } from '../checks/await-checks.ts';
import { type CheckResult, countFailed } from '../checks/result.ts';
import type { Ending } from '../frame/ending.ts';
import type { Host } from '../frame/step.ts';
import type { ReleaseContext } from '../release/context.ts';

/** How long the checks may take before the deployment, in milliseconds. */
const firstLook = 3000;

/** Runs the checks once before the deployment, within a short time. */
export async function lookOnce({ signal }: Host, checks: SiteChecks): Promise<void> {
  const limit = AbortSignal.timeout(firstLook);
  try {
    await checks.look(AbortSignal.any([signal, limit]));
  } catch (error) {
    signal.throwIfAborted();
    if (!limit.aborted) throw error;
  }
}

/**
 * Runs the checks before anything changes: only checks that fail now can confirm the deployment later. One with a
 * temporary fault can do so only if it contains the commit.
 */
export async function checksCanProve({ host, checks, request }: ReleaseContext): Promise<boolean> {
  if (checks === undefined) return false;
  await lookOnce(host, checks);
  // The preview of a swap is still on the other project: the page may already be on this one.
  const isElsewhere = request.target.kind === 'swap';
  return checks.asked.some(
    ({ check, last }) =>
      (last?.isAbsent && !isElsewhere) || (!last?.isGood && check?.namesCommit === true),
  );
}

/** The results of the checks, and the failure that they cause; the run continues without one. */
interface Verification {
  results: readonly CheckResult[];
  failure?: Ending | undefined;
}

/** Runs the checks until they pass or their time is over. */
export async function verify(run: ReleaseContext): Promise<Verification> {
  const { host, request, checks, domain, found } = run;
  if (checks === undefined || request.checks === undefined) return { results: [] };
  const { timeout } = request.checks;
  run.waitsFor(() => describeMissing(checks));
  const awaiting = {
    host,
    checks,
    timeout,
    domain,
    found: (results: Results) => found({ checks: results }),
  };
  const results = await run.phase('verification', () => awaitChecks(awaiting));
  return { results, failure: endOfChecks(run, checks, results) };
}

type Results = readonly CheckResult[];

/** The failure that finished checks cause; undefined if none failed. */
export function endOfChecks(
  run: ReleaseContext,
  checks: SiteChecks,
  results: Results,
): Ending | undefined {
  const { host, request, domain, found } = run;
  const { timeout = 0, place } = request.checks ?? {};
  if (countFailed(results) > 0) {
    return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
  }
  const passed = checks.all.filter((_, index) => results[index]?.held === true);
  const origin = place?.origin;
  if (passed.some(({ check }) => check?.url.origin === origin) && origin !== undefined) {
    found({ site: host.clean(origin) });
  }
  if (domain !== undefined && passed.some((one) => isAt(one, domain.hostname))) domain.held();
  return undefined;
}
