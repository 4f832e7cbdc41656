import { openChecks } from '../checks/apply.ts';
import { type Ending, explainError, reportOn } from '../frame/ending.ts';
import { EarlyEnd, type Found, type Host, type Run, RunAborted } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import {
  assignPreview,
  confirmLease,
  endIfClosed,
  endLease,
  type LeasedProject,
} from '../previews/preview.ts';
import { pushCommit } from '../push/push-commit.ts';
import {
  type DeployRequest,
  knownCommit,
  type ReleaseContext,
  type SetupContext,
  timer,
} from '../release/context.ts';
import type { DeployReport, DeployState, Phase } from '../release/model/report.ts';
import { listCleanNames, type PlannedSync, planSync } from '../variables/plan-sync.ts';
import { countChanged, type EnvironmentResult, listChanged } from '../variables/result.ts';
import { syncVariables } from '../variables/sync.ts';
import { decideProduction, guardHistory, guardWrites, observe } from './gates.ts';
import { deployIfNeeded } from './if-needed.ts';
import {
  asUnconfirmed,
  describeLeftovers,
  isLiveAlready,
  stageOf,
  withLiveness,
} from './model/verdict.ts';
import { planRun } from './plan-run.ts';
import { alongsideDomain, findAddress, findProject, unlessClosed } from './preview-domain.ts';
import { releaseOrRollBack } from './release-or-roll-back.ts';
import { verify } from './verify.ts';

export type { DeployRequest, Target } from '../release/context.ts';

/** Reports an error in addition to the one that ends the run. */
function warnOf(host: Host, error: unknown): void {
  if (host.signal.aborted) return;
  host.report({ type: 'warning', diagnostic: explainError(error, host.clean) });
}

/** Reports all but the first of several parallel failures: the first one ends the run. */
function warnOfOthers(host: Host, ends: readonly PromiseSettledResult<unknown>[]): void {
  const failed = ends.filter((end) => end.status === 'rejected');
  for (const { reason } of failed.slice(1)) warnOf(host, reason);
}

/** Ends the run if a required variable has no value: new code would go live without it. */
function guardRequired({ named: { missing } }: PlannedSync): void {
  if (missing.length === 0) return;
  const message = safe`Nothing was written or deployed: the service requires variables that have no value: ${listCleanNames(missing)}. Add them to env-from, or set them on the service.`;
  throw new EarlyEnd('failed', diagnose('SD4003', message));
}

/**
 * Syncs the variables, assigns the domain and pushes the commit before the deployment.
 *
 * @param allowed rejects if earlier deployments forbid this one
 */
async function prepareProject(run: ReleaseContext, allowed: Promise<void>) {
  const { request, projectId, found } = run;
  const { target, pusher } = request;
  const { preview } = target;
  const isLeased = target.kind === 'lease';
  // Of a leased project this was checked before the lease.
  const isOpen = preview && !isLeased ? endIfClosed(preview) : Promise.resolve();
  isOpen.catch(() => undefined);
  const [observed] = await Promise.all([observe(run), allowed]);
  guardWrites(run, observed);
  const { known, own, checksProve } = observed;
  const syncing = await planSync(run.host, { ...request, ...known, projectId });
  if (request.deploy) guardRequired(syncing.plan);
  let wrote: readonly SafeText[] = [];
  const onSynced = (part: { environment: EnvironmentResult }) => {
    wrote = listChanged(part.environment);
    found(part);
  };
  const nothingDeployed = safe`Nothing was deployed`;
  const [synced, assigning, pushing, finding] = await Promise.allSettled([
    run.phase('environment', () => syncVariables(run, syncing, nothingDeployed, onSynced)),
    preview && isOpen.then(() => assignPreview(run, preview, { projectId, isLeased }, own)),
    pusher && !request.ifNeeded && run.phase('push', () => pushCommit(run, pusher)),
    request.rollsBack && import('./rollback.ts').then((before) => before.findGoodRelease(run)),
  ]);
  // The domain may have no project now, which another error does not report.
  warnOfOthers(run.host, [synced, assigning, pushing, finding]);
  const domain = assigning.status === 'fulfilled' ? assigning.value : undefined;
  try {
    if (synced.status === 'rejected') throw synced.reason;
    if (assigning.status === 'rejected') throw assigning.reason;
    if (pushing.status === 'rejected') throw pushing.reason;
    if (finding.status === 'rejected') throw finding.reason;
    if (isLeased) await confirmLease(run, target.preview, projectId);
    const pushed = pushing.value === true;
    const assigned = domain && { ...domain, isRead: domain.domain === own };
    const rollbackContext = finding.value && { before: finding.value, written: wrote.length };
    return { environment: synced.value, wrote, assigned, checksProve, pushed, rollbackContext };
  } catch (error) {
    // The hostname of a closed pull request is removed first, with its lease; that is then no lost lease.
    await domain?.stillOpen.catch((closed: unknown) => {
      if (!(error instanceof EarlyEnd)) warnOf(run.host, error);
      throw closed;
    });
    throw error;
  }
}

/**
 * Runs what comes before the deployment, and ends the project's lease if the run ends there, unless an earlier run
 * leased it.
 */
async function orGiveBack<Done>(
  run: SetupContext,
  { projectId, isNew }: LeasedProject,
  work: () => Promise<Done>,
): Promise<Done> {
  const { preview } = run.request.target;
  try {
    return await work();
  } catch (error) {
    if (isNew && preview !== undefined && error instanceof EarlyEnd) {
      await endLease(run, preview, projectId).catch((cause: unknown) => warnOf(run.host, cause));
    }
    throw error;
  }
}

async function runRelease(given: SetupContext): Promise<Ending> {
  const isLate = given.request.onProductionDecided !== undefined;
  const allowed = isLate ? Promise.resolve() : guardHistory(given);
  // It is awaited before the first write, which a lease is.
  allowed.catch(() => undefined);
  if (given.request.target.kind === 'lease') await allowed;
  const leased = await findProject(given);
  const { projectId } = leased;
  const guarded = await orGiveBack(given, leased, async () => {
    const decided = await decideProduction(given, projectId);
    if (isLate) await guardHistory(decided);
    return decided;
  });
  given.found({ projectId });
  const run = { ...guarded, projectId };
  const { deploy, ifNeeded, target } = run.request;
  const deployCommit = ifNeeded ? deployIfNeeded : releaseOrRollBack;
  run.host.report({ type: 'started', projectId, ...knownCommit(run.request) });
  const { assigned, ...prepared } = await orGiveBack(run, leased, () =>
    prepareProject(run, allowed),
  );
  const ending = await unlessClosed(run, assigned?.stillOpen, (open) =>
    alongsideDomain(open, assigned, async (inner) =>
      deploy
        ? await deployCommit(inner, prepared)
        : ((await verify(inner)).failure ?? { outcome: 'synced' }),
    ),
  );
  if (ending.outcome !== 'succeeded' && !isLiveAlready(ending)) return ending;
  run.request.onEnding?.();
  const [isOpen] = await Promise.all([target.preview?.isOpen?.(), findAddress(run)]);
  if (assigned !== undefined && isOpen === false) throw await assigned.end();
  return ending;
}

/**
 * Syncs the variables, deploys the commit and follows the deployment to its end. A conflict or a failed write ends the
 * run before the deployment, so that new code never runs with old variables.
 *
 * @returns the report, also of a failed run
 */
export async function deploy(run: Run, request: DeployRequest): Promise<DeployReport> {
  const { target, planOnly } = request;
  const { host } = run;
  const phases: Phase[] = [];
  let describeWait = () => safe``;
  let restsOnChecks = () => false;
  const waitsFor: ReleaseContext['waitsFor'] = (describe, rests = () => false) => {
    describeWait = describe;
    restsOnChecks = rests;
  };
  const work = async (found: Found<DeployState>) => {
    const checks = request.checks && openChecks(request.checks, host);
    const deploying = { ...run, request, checks, found, waitsFor, phase: timer(run, phases) };
    try {
      return await (planOnly ? planRun(deploying) : runRelease(deploying));
    } finally {
      await checks?.close();
    }
  };
  const left = (state: DeployState) => describeLeft(host, state, describeWait);
  const initial = {
    ...knownCommit(request),
    phases,
    ...(target.kind === 'project' && { projectId: target.id }),
    ...(target.preview && { preview: { hostname: unsafeText(target.preview.hostname) } }),
  };
  const report = await reportOn<DeployState>(run, initial, work, left);
  return withLiveness(restsOnChecks() ? asUnconfirmed(report) : report);
}

/** The variables that were written without a deployment, as a sentence. */
function whatIsWritten(state: DeployState): SafeText {
  if (stageOf(state) !== 'not-requested') return safe``;
  const { environment } = state;
  const written = environment === undefined ? 0 : countChanged(environment);
  if (written === 0) return safe``;
  return written === 1
    ? safe` 1 variable was written for the next deployment.`
    : safe` ${written} variables were written for the next deployment.`;
}

const isTimedOut = ({ signal: { reason } }: Host): boolean =>
  reason instanceof RunAborted && reason.outcome === 'timed-out';

/**
 * What a failed or interrupted run leaves behind, for the end of its error.
 *
 * @param describeWait what the run waited for at a timeout
 */
export function describeLeft(
  host: Host,
  state: DeployState,
  describeWait: () => SafeText,
): SafeText {
  const left = host.signal.aborted ? describeLeftovers(state) : safe``;
  const cut = left === '' ? left : safe` ${left}`;
  const why = isTimedOut(host) ? describeWait() : safe``;
  const written = safe`${cut}${whatIsWritten(state)}`;
  return why === '' ? written : safe`${written} ${why}`;
}
