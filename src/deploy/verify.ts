import { isAt, type SiteChecks } from '../checks/apply.ts';
import { awaitChecks, describeFailed, describeMissing } from '../checks/await-checks.ts';
import { type CheckResult, countFailed } from '../checks/result.ts';
import type { Ending } from '../frame/ending.ts';
import type { Host } from '../frame/host.ts';
import type { ReleaseContext } from '../release/context.ts';

/** How long the checks may take to answer before the deployment, in milliseconds. */
const firstLook = 3000;

/** Looks at the site before something is deployed, as far as it answers soon. */
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
 * Runs the checks before anything changes: only checks that do not hold yet can prove anything later. One that only
 * has a fault, which may pass by itself, proves something only if what it wants names the commit.
 */
export async function checksCanProve({ host, checks, request }: ReleaseContext): Promise<boolean> {
  if (checks === undefined) return false;
  await lookOnce(host, checks);
  // The preview of a swap is still at the other project: what is absent there may be at this one already.
  const isElsewhere = request.target.kind === 'swap';
  return checks.asked.some(
    ({ check, last }) =>
      (last?.isAbsent && !isElsewhere) || (!last?.isGood && check?.namesCommit === true),
  );
}

/** What the checks of a site came to, and how that ends the run; it goes on if nothing failed. */
interface Verification {
  results: readonly CheckResult[];
  failure?: Ending | undefined;
}

/** Runs the checks of a site until they hold or their time is up. */
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

/** What checks that have come to their end mean for the run. */
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
  const held = checks.all.filter((_, index) => results[index]?.held === true);
  const origin = place?.origin;
  if (held.some(({ check }) => check?.url.origin === origin) && origin !== undefined) {
    found({ site: host.clean(origin) });
  }
  if (domain !== undefined && held.some((one) => isAt(one, domain.hostname))) domain.held();
  return undefined;
}
