import { reportOn } from '../frame/ending.ts';
import type { Run } from '../frame/run.ts';
import { awaitChecks, describeFailed } from './await-checks.ts';
import { type CheckResult, countFailed } from './model/check-result.ts';
import { type ChecksRequest, openChecks } from './site-checks.ts';

/** Runs checks alone: nothing is deployed or synced, and the service is not asked. */
export async function watchSite(run: Run, request: ChecksRequest, userAgent: string) {
  const { host } = run;
  const { timeout } = request;
  return await reportOn<{ checks?: readonly CheckResult[] }>(run, {}, async (found) => {
    const checks = openChecks(request, userAgent, host);
    try {
      const results = await awaitChecks({
        host,
        checks,
        timeout,
        found: (known) => found({ checks: known }),
      });
      if (countFailed(results) === 0) return { outcome: 'synced' };
      return { outcome: 'failed', error: describeFailed(checks, results, timeout) };
    } finally {
      await checks.close();
    }
  });
}
