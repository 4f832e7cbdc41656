import { openChecks } from '../checks/apply.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { pushCommit } from '../push/push-commit.ts';
import { allOrFirstFailure, type Ending, warnOf } from '../step/ending.ts';
import { inScope } from '../step/scope.ts';
import { EarlyEnd, type Run } from '../step/step.ts';
import { listCleanNames, planSync } from '../variables/plan-sync.ts';
import { listChanged } from '../variables/result.ts';
import { syncVariables } from '../variables/sync.ts';
import {
  type DeployRequest,
  knownCommit,
  type ReleaseContext,
  type RunRecord,
  timer,
} from './context.ts';
import { findPlace, keptOnlyIf } from './find-place.ts';
import {
  chooseSeries,
  guardAssigned,
  guardThenRecord,
  guardWrites,
  observe,
  recordThenGuard,
} from './gates.ts';
import { endIfLive, endIfRolledBack } from './if-needed.ts';
import type { DeployReport } from './model/report.ts';
import { isLiveAlready } from './model/verdict.ts';
import { endReport, failReport, openReport } from './open-report.ts';
import { findAddress, followDomain } from './preview-domain.ts';
import { assignPreview, endIfClosed } from './previews/preview.ts';
import { release } from './release.ts';
import { verify } from './verify.ts';

export type { DeployRequest, Target } from './context.ts';

/**
 * Deploys a commit: finds the project, syncs its variables, pushes, releases, checks, and rolls back. A conflict or a
 * failed write ends it before the deployment, so that new code never runs with old variables. It never throws for an
 * error of the service: the report has it, with all that was found until then.
 *
 * @param record of the run on GitHub; absent: nothing is recorded
 */
export async function deploy(
  run: Run,
  request: DeployRequest,
  record?: RunRecord,
): Promise<DeployReport> {
  const report = openReport(request);
  const { host } = run;
  try {
    await using checks = request.checks && openChecks(request.checks, host);
    const setup = { ...run, request, record, checks, report, phase: timer(run, report.phases) };
    // Awaited before the first write, which a lease is. An undecided run leases first: only its project shows its series.
    const allowed = request.isUndecided ? undefined : guardThenRecord(setup);
    allowed?.catch(() => undefined);
    if (request.target.kind === 'lease') await allowed;
    const place = await findPlace(setup);
    const { projectId } = place;
    const deploying = { ...setup, place, projectId, section: report };
    const prepared = await keptOnlyIf(run, place, async () => {
      if (request.isUndecided) {
        await chooseSeries(deploying);
        await guardThenRecord(deploying);
      }
      report.projectId = projectId;
      record?.save(report);
      host.report({ type: 'started', projectId, ...knownCommit(request) });
      return await prepare(deploying, allowed);
    });

    // Two things go on meanwhile: the one check after the assignment that the pull request is open, and the preview's
    // domain becomes verified. A close after that is noticed before a rollback, or by the last reads.
    const ending = await inScope(host.signal, async (scope) => {
      scope.endsWith(prepared.preview?.stillOpen);
      const scoped = { ...deploying, host: { ...host, signal: scope.signal } };
      const domain = followDomain(scoped, prepared.preview, scope);
      const done = await releaseOnce(scoped, prepared);
      return domain === undefined ? done : await domain.judge(done);
    });
    if (ending.outcome !== 'succeeded' && !isLiveAlready(ending)) {
      return endReport(run, report, ending);
    }

    // The last reads, together: a newer record, the pull request's state, the address.
    record?.beginLastRead(host.signal);
    const [isOpen, address] = await Promise.all([
      place.preview?.isOpen?.(),
      findAddress(deploying),
    ]);
    if (address !== undefined) report.address = address;
    if (prepared.preview !== undefined && isOpen === false) throw await prepared.preview.end();
    return endReport(run, report, ending);
  } catch (error) {
    return failReport(run, report, error);
  }
}

/**
 * What comes before the deployment, in two rounds of parallel requests: reads, then writes. A lease was made before, and
 * a run with `if-needed` pushes later.
 *
 * @param allowed rejects if earlier deployments forbid this one
 */
async function prepare(run: ReleaseContext, allowed: Promise<void> | undefined) {
  const { host, request, place, projectId, report } = run;
  const { pusher } = request;
  const { preview: requested, lease } = place;
  const [observed] = await Promise.all([
    observe(run),
    allowed,
    // Of a leased project this was read before the lease.
    requested && !lease && endIfClosed(requested),
  ]);
  guardWrites(run, observed);
  const { known, own, checksProve } = observed;
  const syncing = await planSync(host, { ...request, ...known, projectId });
  const { missing } = syncing.plan.named;
  if (request.deploy && missing.length > 0) {
    // New code would go live without it.
    const message = safe`Nothing was written or deployed: the service requires variables that have no value: ${listCleanNames(missing)}. Add them to env-from, or set them on the service.`;
    throw new EarlyEnd('failed', diagnose('SD4003', message));
  }
  const at = { projectId, isLeased: lease !== undefined };
  const assigning = requested && assignPreview(run, requested, at, own);
  try {
    // Of several failures the first in this order ends the run, once all have ended.
    const [environment, preview, pushed, fallback] = await allOrFirstFailure(host, [
      run.phase('environment', () =>
        syncVariables(run, syncing, safe`Nothing was deployed`, report),
      ),
      assigning,
      pusher && !request.ifNeeded && run.phase('push', () => pushCommit(run, pusher)),
      request.rollsBack &&
        import('./rollback.ts').then((rollback) => rollback.findGoodRelease(run)),
    ]);
    await guardAssigned(run, observed);
    const wrote = report.environment === undefined ? [] : listChanged(report.environment);
    return { environment, wrote, preview, pushed: pushed === true, fallback, checksProve };
  } catch (error) {
    // The hostname of a closed pull request is removed first, with its lease; that is then no lost lease.
    const preview = await assigning?.catch(() => undefined);
    await preview?.stillOpen.catch((closed: unknown) => {
      if (!(error instanceof EarlyEnd)) warnOf(host, error);
      throw closed;
    });
    throw error;
  }
}

/** The release, at most once, and its rollback if its checks fail; with `deploy: false`, only the checks. */
async function releaseOnce(
  run: ReleaseContext,
  prepared: Awaited<ReturnType<typeof prepare>>,
): Promise<Ending> {
  const { request } = run;
  const { pusher, ifNeeded } = request;
  let { pushed } = prepared;
  if (!request.deploy) return (await verify(run)).failure ?? { outcome: 'synced' };
  if (ifNeeded) {
    const end = await endIfLive(run, prepared);
    if (end !== undefined) return end;
    pushed = pusher !== undefined && (await run.phase('push', () => pushCommit(run, pusher)));
  }
  // The last looks: other runs may have deployed, rolled back or moved domains meanwhile.
  await recordThenGuard(run);
  const end = ifNeeded && (await endIfRolledBack(run, prepared));
  if (end !== undefined) return end;
  const { ending, failedChecks } = await release(run, { ...prepared, pushed });
  const { error } = ending;
  const { fallback, wrote } = prepared;
  if (fallback === undefined || failedChecks === undefined || error === undefined) return ending;
  const { rollBack } = await import('./rollback.ts');
  const failed = { before: fallback, written: wrote.length, results: failedChecks };
  return await rollBack(run, { ...ending, error }, failed);
}
