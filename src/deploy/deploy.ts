import { openChecks } from '../checks/apply.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { pushCommit } from '../push/push-commit.ts';
import { allOrFirstFailure, type RunOutcome, warnOf } from '../step/run-outcome.ts';
import { inScope } from '../step/scope.ts';
import { type Run, Stop } from '../step/step.ts';
import { listChanged } from '../variables/result.ts';
import { listCleanNames, planSync, syncVariables } from '../variables/sync.ts';
import {
  type DeployRequest,
  knownCommit,
  type Place,
  type ReleaseContext,
  type SetupContext,
  timer,
} from './context.ts';
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
import {
  assignPreview,
  endIfClosed,
  endLease,
  findPreviewProject,
  leasePreviewProject,
  noPreviewProject,
} from './previews/preview.ts';
import type { Recorder } from './recorder.ts';
import { release } from './release.ts';
import { verify } from './verify.ts';

export type { DeployRequest, Target } from './context.ts';

/**
 * Deploys a commit: finds the project, syncs its variables, pushes, releases, checks, and rolls back. A conflict or a
 * failed write ends it before the deployment, so that new code never runs with old variables. It never throws for an
 * error of the service: the report has it, with all that was found until then.
 *
 * @param recorder of the run on GitHub; absent: nothing is recorded
 */
export async function deploy(
  run: Run,
  request: DeployRequest,
  recorder?: Recorder,
): Promise<DeployReport> {
  const report = openReport(request);
  const { host } = run;
  try {
    await using checks = request.checks && openChecks(request.checks, host);
    const setup = { ...run, request, recorder, checks, report, phase: timer(run, report.phases) };
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
      recorder?.save(report);
      host.report({ type: 'started', projectId, ...knownCommit(request) });
      return await prepare(deploying, allowed);
    });

    // Two things go on meanwhile: the one check after the assignment that the pull request is open, and the preview's
    // domain becomes verified. A close after that is noticed before a rollback, or by the last reads.
    const result = await inScope(host.signal, async (scope) => {
      scope.endsWith(prepared.preview?.stillOpen);
      const scoped = { ...deploying, host: { ...host, signal: scope.signal } };
      const domain = followDomain(scoped, prepared.preview, scope);
      const released = await releaseOnce(scoped, prepared);
      return domain === undefined ? released : await domain.awaitVerified(released);
    });
    if (result.outcome !== 'succeeded' && !isLiveAlready(result)) {
      return endReport(run, report, result);
    }

    // The last reads, together: a newer record, the pull request's state, the address.
    recorder?.beginLastRead(host.signal);
    const [isOpen, address] = await Promise.all([
      place.preview?.isOpen?.(),
      findAddress(deploying),
    ]);
    if (address !== undefined) report.address = address;
    if (prepared.preview !== undefined && isOpen === false) throw await prepared.preview.end();
    return endReport(run, report, result);
  } catch (error) {
    return failReport(run, report, error);
  }
}

/** Finds the project to deploy to: the given one, or a leased one. */
async function findPlace(run: SetupContext): Promise<Place> {
  const { target, guarded, deploys } = run.request;
  if (target.kind === 'project') {
    return { projectId: target.id, preview: target.preview, lease: undefined };
  }
  const { preview } = target;
  if (deploys) {
    const { projectId, isNew } = await leasePreviewProject(run, preview, target.from, guarded);
    return { projectId, preview, lease: { preview, isNew } };
  }
  await endIfClosed(preview);
  const projectId = await findPreviewProject(run, preview, target.from);
  if (projectId === undefined) throw noPreviewProject;
  return { projectId, preview, lease: { preview, isNew: false } };
}

/**
 * Runs what comes before the deployment. A lease that this run has made is ended if a Stop ends that; any other
 * error, as of the service or a timeout, leaves it.
 */
async function keptOnlyIf<Done>(
  run: Run,
  { projectId, lease }: Place,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (lease?.isNew && error instanceof Stop) {
      await endLease(run, lease.preview, projectId).catch((cause: unknown) =>
        warnOf(run.host, cause),
      );
    }
    throw error;
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
  if (request.deploys && missing.length > 0) {
    // New code would go live without it.
    const message = safe`Nothing was written or deployed: the service requires variables that have no value: ${listCleanNames(missing)}. Add them to env-from, or set them on the service.`;
    throw new Stop('failed', diagnose('SD4003', message));
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
      request.rollsBack
        ? import('./rollback.ts').then((rollback) => rollback.findGoodRelease(run))
        : undefined,
    ]);
    await guardAssigned(run, observed);
    const wrote = report.environment === undefined ? [] : listChanged(report.environment);
    return { environment, wrote, preview, pushed: pushed === true, fallback, checksProve };
  } catch (error) {
    // The hostname of a closed pull request is removed first, with its lease; that is then no lost lease.
    const preview = await assigning?.catch(() => undefined);
    await preview?.stillOpen.catch((closed: unknown) => {
      if (!(error instanceof Stop)) warnOf(host, error);
      throw closed;
    });
    throw error;
  }
}

/** The release, at most once, and its rollback if its checks fail; with `deploy: false`, only the checks. */
async function releaseOnce(
  run: ReleaseContext,
  prepared: Awaited<ReturnType<typeof prepare>>,
): Promise<RunOutcome> {
  const { request } = run;
  const { pusher, ifNeeded } = request;
  let { pushed } = prepared;
  if (!request.deploys) return (await verify(run)).failure ?? { outcome: 'synced' };
  if (ifNeeded) {
    const end = await endIfLive(run, prepared);
    if (end !== undefined) return end;
    pushed = pusher !== undefined && (await run.phase('push', () => pushCommit(run, pusher)));
  }
  // The last looks: other runs may have deployed, rolled back or moved domains meanwhile.
  await recordThenGuard(run);
  const end = ifNeeded ? await endIfRolledBack(run, prepared) : undefined;
  if (end !== undefined) return end;
  const { failedChecks, ...outcome } = await release(run, { ...prepared, pushed });
  const { error } = outcome;
  const { fallback, wrote } = prepared;
  if (fallback === undefined || failedChecks === undefined || error === undefined) return outcome;
  const { rollBack } = await import('./rollback.ts');
  const failed = { before: fallback, written: wrote.length, results: failedChecks };
  return await rollBack(run, { ...outcome, error }, failed);
}
