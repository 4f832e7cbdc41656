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
  type ReleaseContext,
  type SetupContext,
  timer,
} from './context.ts';
import { chooseSeries, firstGate, guardAssigned, guardWrites, lastGate, observe } from './gates.ts';
import { endIfLive, endIfRolledBack } from './if-needed.ts';
import type { DeployReport } from './model/report.ts';
import { isLiveAlready } from './model/verdict.ts';
import { endReport, failReport, openReport } from './open-report.ts';
import { findAddress, followDomain } from './preview-domain.ts';
import {
  assignPreview,
  endIfClosed,
  endLeaseIfStopped,
  findPreviewProject,
  leasePreviewProject,
  noPreviewProject,
  type Place,
} from './previews/preview.ts';
import type { Recorder } from './recorder.ts';
import { release } from './release.ts';
import { verify } from './verify.ts';

/**
 * Deploys a commit, in this order:
 *
 * 1. The first gate (of an undecided run after 2): is the commit older than an earlier release? Then the run's own record is
 *    begun (with `if-needed` in 6).
 * 2. Is the pull request open? Then a project is leased, if none is given: the first write.
 * 3. Reads, in parallel: variables, domains, the checks as they are now. Without a lease, 1 and 2 run in parallel, too.
 * 4. Writes, in parallel: variables, the preview's hostname, the push (with `if-needed` in 6); and the release to roll back
 *    to is found. A conflict or a failed write ends the run, so that new code never runs with old variables.
 * 5. Is the hostname still assigned to the project?
 * 6. Only with `if-needed`: is the commit live? If not, the record is begun and the commit pushed.
 * 7. The last gate, which waits for the record; then the deployment, its checks, perhaps a rollback.
 * 8. The preview's domain is verified, and the last reads.
 *
 * A cancel or a timeout ends the run, and leaves the deployment as it is: the service can't cancel one. It never throws
 * for an error of the service: the report has it, with all that was found until then.
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
    // A pull request's run with allow-production is undecided: only its project shows to which releases it is compared.
    const gate = request.isUndecided ? undefined : firstGate(setup);
    gate?.catch(() => undefined);
    if (request.target.kind === 'lease') await gate;
    const place = await findPlace(setup);
    const { projectId } = place;
    const deploying = { ...setup, place, projectId, section: report };
    const prepared = await endLeaseIfStopped(run, place, async () => {
      if (request.isUndecided) {
        await chooseSeries(deploying);
        await firstGate(deploying);
      }
      report.projectId = projectId;
      recorder?.save(report);
      host.report({ type: 'started', projectId, ...knownCommit(request) });
      return await prepare(deploying, gate);
    });

    // In parallel with the deployment, its checks and a rollback, which wait for neither: the query right after the assignment
    // whether the pull request is open, which ends all if it is not, and the verification of the preview's domain.
    const result = await inScope(host.signal, async (scope) => {
      scope.endsWith(prepared.preview?.stillOpenCheck);
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
  await endIfClosed(preview);
  if (deploys) {
    const { projectId, isNew } = await leasePreviewProject(run, preview, target.from, guarded);
    return { projectId, preview, lease: { preview, isNew } };
  }
  const projectId = await findPreviewProject(run, preview, target.from);
  if (projectId === undefined) throw noPreviewProject;
  return { projectId, preview, lease: { preview, isNew: false } };
}

/**
 * What comes before the deployment, in two rounds of parallel requests: reads, then writes and the search for a release to
 * roll back to. A lease was made before, and a run with `if-needed` pushes later.
 *
 * @param gate the first one, which rejects if earlier releases forbid this one
 */
async function prepare(run: ReleaseContext, gate: Promise<void> | undefined) {
  const { host, request, place, projectId, report } = run;
  const { pusher } = request;
  const { preview: requested, lease } = place;
  const [observed] = await Promise.all([
    observe(run),
    gate,
    // Of a leased project this was asked before the lease.
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
    // All go on to their end, whatever becomes of the others; of several failures the first in this order ends the run.
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
    await preview?.stillOpenCheck.catch((closed: unknown) => {
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
    // If it is needed, this begins the own record. The run fails if the records of others can't be read.
    const end = await endIfLive(run, prepared);
    if (end !== undefined) return end;
    pushed = pusher !== undefined && (await run.phase('push', () => pushCommit(run, pusher)));
  }
  await lastGate(run);
  const end = ifNeeded ? await endIfRolledBack(run, prepared) : undefined;
  if (end !== undefined) return end;
  const { failedChecks, ...outcome } = await release(run, { ...prepared, pushed });
  const { error } = outcome;
  const { fallback, wrote } = prepared;
  if (fallback === undefined || failedChecks === undefined || error === undefined) return outcome;
  const { rollBack } = await import('./rollback.ts');
  const failed = { fallback, written: wrote.length, results: failedChecks };
  return await rollBack(run, { ...outcome, error }, failed);
}
