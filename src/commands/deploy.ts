import type { DeployReport } from '../core/report/report.ts';
import type { ServiceClient } from '../service/client.ts';
import { deployAndVerify } from './deploy/commit.ts';
import { type DeployRequest, phase, type Run } from './deploy/context.ts';
import { besideDomain, findProject, judgeDomain } from './deploy/domain.ts';
import { prepareVariables, syncVariables } from './deploy/environment.ts';
import { guardWrites, observe } from './deploy/observe.ts';
import { planRun } from './deploy/plan-run.ts';
import { openSite } from './deployment/site.ts';
import { explain } from './explain.ts';
import { EarlyEnd, type Host } from './host.ts';
import { confirmLease, giveBack, placePreview } from './preview/preview.ts';
import { settle } from './settle.ts';

export type { DeployRequest } from './deploy/context.ts';

/** Tells what went wrong beside the error that ends the run. */
function warnOf(host: Host, error: unknown): void {
  if (host.signal.aborted) return;
  host.report({ type: 'warning', text: explain(error, host.clean) });
}

/** Brings the variables and the domain to where the deployment needs them. */
async function prepare(run: Run) {
  const { client, host, request, report } = run;
  const { preview, keyFor } = request;
  const { projectId } = report;
  const seen = await observe(run);
  guardWrites(run, seen);
  const { observed, ledger, own, siteProves } = seen;
  const plan = await prepareVariables(run, { observed, ledger });
  const [synced, placing] = await Promise.allSettled([
    phase(run, 'environment', () => syncVariables(run, { observed, ledger }, plan)),
    preview && placePreview(client, host, preview, projectId, own, keyFor),
  ]);
  if (synced.status === 'rejected') {
    // The domain may stand between two projects now, which the variables' error does not say.
    if (placing.status === 'rejected') warnOf(host, placing.reason);
    throw synced.reason;
  }
  if (placing.status === 'rejected') throw placing.reason;
  if (preview !== undefined) await confirmLease(client, preview, projectId);
  return { environment: synced.value, placed: placing.value, siteProves };
}

/** Prepares the run; one that must end here gives a leased project back. */
async function prepareOrGiveBack(run: Run): Promise<Awaited<ReturnType<typeof prepare>>> {
  const { client, host, request, report } = run;
  const { preview, keyFor } = request;
  try {
    return await prepare(run);
  } catch (error) {
    const isLeased = preview !== undefined && preview.projects.length > 0;
    if (isLeased && error instanceof EarlyEnd) {
      const { projectId } = report;
      await giveBack(client, host, preview, projectId, keyFor).catch((cause: unknown) => {
        warnOf(host, cause);
      });
    }
    throw error;
  }
}

async function carryOut(run: Run): Promise<void> {
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
function whatIsLeft({ deployment, isRequested, phases }: Run['report']): string {
  if (phases.some(({ name }) => name === 'verification')) {
    return ' The deployment itself succeeded, but the page under verify-url did not answer as wanted in that time.';
  }
  if (deployment !== undefined) {
    return ` The deployment ${deployment.id} was last seen as "${deployment.status}" and may still go live: the service shows no way to cancel it.`;
  }
  return isRequested === true ? ' A deployment had been asked for, and may still go live.' : '';
}

/** Ends the report of a run that was cut off or failed. What was seen before stands. */
function endReport({ host, report }: Run, error: unknown): void {
  Object.assign(report, settle(host, error));
  if (host.signal.aborted) report.error += whatIsLeft(report);
}

/**
 * Syncs the variables, deploys the commit, and follows it to its end. New code never goes live with old
 * variables: a conflict or a failed write ends the run before the deployment.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function deploy(
  client: ServiceClient,
  host: Host,
  request: DeployRequest,
): Promise<DeployReport> {
  const { projectId, commit, verify, userAgent } = request;
  const report: Run['report'] = { outcome: 'failed', projectId, commit, phases: [] };
  const tapped: Host = {
    ...host,
    report: (progress) => {
      if (progress.type === 'status' && report.deployment !== undefined) {
        report.deployment.status = progress.status;
      }
      host.report(progress);
    },
  };
  const run: Run = {
    client,
    host: tapped,
    request,
    started: host.clock.now(),
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
