import type { DeployReport } from '../core/report/report.ts';
import { deployAndVerify } from './deploy/commit.ts';
import { type Deploying, type DeployRequest, phase } from './deploy/context.ts';
import { besideDomain, findProject, judgeDomain } from './deploy/domain.ts';
import { prepareVariables } from './deploy/environment.ts';
import { observe } from './deploy/observe.ts';
import { planRun } from './deploy/plan-run.ts';
import { openSite } from './deployment/site.ts';
import { syncVariables } from './environment/sync-variables.ts';
import { EarlyEnd, type Host } from './host.ts';
import { confirmLease, giveBack, placePreview } from './preview/preview.ts';
import type { Run } from './run.ts';
import { settle } from './settle.ts';

export type { DeployRequest } from './deploy/context.ts';

/** Brings the variables and the domain to where the deployment needs them. */
async function prepare(run: Deploying) {
  const { request, report } = run;
  const { preview } = request;
  const { projectId } = report;
  const { known, own, siteProves } = await observe(run);
  const plan = prepareVariables(run, known);
  const syncing = { ...known, plan, policy: request.onConflict };
  const [synced, placing] = await Promise.allSettled([
    phase(run, 'environment', () =>
      syncVariables(run, syncing, 'Nothing was deployed', (part) => Object.assign(report, part)),
    ),
    preview && placePreview(run, preview, projectId, own),
  ]);
  if (synced.status === 'rejected') throw synced.reason;
  if (placing.status === 'rejected') throw placing.reason;
  if (preview !== undefined) await confirmLease(run, preview, projectId);
  return { environment: synced.value, placed: placing.value, siteProves };
}

/** Prepares the run; one that must end here gives a leased project back. */
async function prepareOrGiveBack(run: Deploying): Promise<Awaited<ReturnType<typeof prepare>>> {
  const { preview } = run.request;
  try {
    return await prepare(run);
  } catch (error) {
    const isLeased = preview !== undefined && preview.projects.length > 0;
    if (isLeased && error instanceof EarlyEnd) {
      await giveBack(run, preview, run.report.projectId);
    }
    throw error;
  }
}

async function carryOut(run: Deploying): Promise<void> {
  const { host, request, report } = run;
  const { commit, preview } = request;
  report.projectId = await findProject(run);
  host.report({ type: 'started', projectId: report.projectId, commit });
  const { environment, placed, siteProves } = await prepareOrGiveBack(run);
  const outcome = await besideDomain(run, placed, async () =>
    request.deploy ? await deployAndVerify(run, environment, siteProves) : 'synced',
  );
  report.outcome = judgeDomain(run, outcome);
  if (report.outcome === 'succeeded' && (await preview?.isOpen?.()) === false) {
    const message = 'The pull request was closed while it was being deployed: its preview is gone.';
    throw new EarlyEnd('skipped', message, 'pull-request-closed');
  }
}

/** What a run that was cut off leaves behind. */
function whatIsLeft({ deployment, isRequested, phases }: Deploying['report']): string {
  if (phases.some(({ name }) => name === 'verification')) {
    return ' The deployment itself succeeded, but the page under verify-url did not answer as wanted in that time.';
  }
  if (deployment !== undefined) {
    return ` The deployment ${deployment.id} was last seen as "${deployment.status}" and may still go live: the service shows no way to cancel it.`;
  }
  return isRequested === true ? ' A deployment had been asked for, and may still go live.' : '';
}

/** Ends the report of a run that was cut off or failed. What was seen before stands. */
function endReport({ host, report }: Deploying, error: unknown): void {
  Object.assign(report, settle(host, error));
  if (host.signal.aborted) report.error += whatIsLeft(report);
}

/**
 * Syncs the variables, deploys the commit, and follows it to its end. New code never goes live with old
 * variables: a conflict or a failed write ends the run before the deployment.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function deploy(given: Run, request: DeployRequest): Promise<DeployReport> {
  const { client, host } = given;
  const { projectId, commit, verify, userAgent } = request;
  const report: Deploying['report'] = { outcome: 'failed', projectId, commit, phases: [] };
  const tapped: Host = {
    ...host,
    report: (progress) => {
      if (progress.type === 'status' && report.deployment !== undefined) {
        report.deployment.status = progress.status;
      }
      host.report(progress);
    },
  };
  const run: Deploying = {
    ...given,
    host: tapped,
    request,
    report,
    site: undefined,
  };
  try {
    if (verify !== undefined) run.site = openSite({ ...verify, userAgent }, host);
    if (request.planOnly) report.outcome = await planRun(run);
    else await carryOut(run);
  } catch (error) {
    endReport(run, error);
  } finally {
    await run.site?.close();
  }
  const durationMs = host.clock.now() - run.started;
  return { ...report, requests: client.requests, durationMs };
}
