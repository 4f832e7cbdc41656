import type { Environment } from '../../contract/environment.ts';
import { productionState } from '../../core/deployment/production.ts';
import { createStatusReader } from '../../core/deployment/status.ts';
import type { DeployReport } from '../../core/report/report.ts';
import { fillTemplate } from '../../core/template.ts';
import { type SafeText, safe } from '../../core/text/safe.ts';
import type { Ending } from '../ending.ts';
import { type Followed, follow } from '../follow/follow.ts';
import type { Host } from '../host.ts';
import type { Deploying } from './context.ts';
import { deploymentSubject } from './deployment-subject.ts';
import { gatherEvidence } from './evidence.ts';
import { awaitPage } from './page.ts';
import { postOnceSeen } from './request-deployment.ts';

/** How long the page may take to answer before the deployment, in milliseconds. */
const firstLook = 3000;

/**
 * Looks at the page before anything changes: only a page that is not there yet can prove anything later. One
 * that does not answer in time proves something only if its text names the commit.
 */
export async function pageCanProve({ host, request, page }: Deploying): Promise<boolean> {
  if (page === undefined) return false;
  const limit = AbortSignal.timeout(firstLook);
  try {
    return (await page.look(AbortSignal.any([host.signal, limit]))).isAbsent;
  } catch (error) {
    host.signal.throwIfAborted();
    if (limit.aborted) return request.verify?.namesCommit === true;
    throw error;
  }
}

/** What a deployment rests on. */
interface Prepared {
  environment: Environment;
  /** True if the page can prove a success. */
  pageProves: boolean;
  /** True if this run has pushed the commit. */
  pushed: boolean;
}

/** How a deployment ended, and who said so. */
type Deployed = Ending & Pick<DeployReport, 'confirmedBy'>;

/** Says how a deployment ended, with an error if it did not end well. */
function endingOf({ outcome, confirmedBy, message, status }: Followed): Deployed {
  const end: Deployed = { outcome, ...(confirmedBy && { confirmedBy }) };
  if (outcome === 'succeeded') return end;
  if (outcome === 'unconfirmed') {
    return { ...end, error: safe`${message ?? safe`Nothing confirms the end`}.` };
  }
  const said = message === undefined ? safe`` : safe`: ${message}`;
  const error = safe`The deployment ended as "${status}"${said}. The step's log has the lines of its build, as far as the service shows them.`;
  return { ...end, error };
}

async function deployCommit(
  run: Deploying,
  { environment, pageProves, pushed }: Prepared,
): Promise<Deployed> {
  const { host, request, projectId, found } = run;
  const { wait } = request;
  host.report({ type: 'deployment-requested' });
  const { deployment, uncertainty } = await postOnceSeen(run, pushed);
  const { deploymentId } = deployment;
  const status = deployment.status ?? 'accepted';
  const acceptedAt = host.clock.now();
  const id = host.clean(deploymentId);
  let lastStep: SafeText | undefined;
  let lastSeen = host.clean(status);
  const see = (seen: SafeText) => {
    if (seen !== lastSeen) lastStep = lastSeen;
    lastSeen = seen;
    found({ deployment: { id, status: seen }, ...(lastStep !== undefined && { lastStep }) });
  };
  if (uncertainty !== undefined) found({ uncertainties: [uncertainty] });
  see(lastSeen);
  host.report({ type: 'deployment-accepted', deploymentId: id });
  if (wait === 'none') return { outcome: 'accepted' };
  const ids = {
    projectId: encodeURIComponent(projectId),
    deploymentId: encodeURIComponent(deploymentId),
  };
  const report: Host['report'] = (progress) => {
    if (progress.type === 'status') see(progress.status);
    host.report(progress);
  };
  const watched = { ...run, host: { ...host, report } };
  const paths = {
    statusPath: fillTemplate(request.statusPath, ids),
    eventsPath: fillTemplate(request.eventsPath, ids),
  };
  const read = createStatusReader(request.successStates, request.failureStates);
  const wasPending = productionState(environment) === 'pending';
  const followed = await follow(watched, {
    subject: deploymentSubject(watched, { ...paths, deploymentId, read }),
    wait,
    status,
    acceptedAt,
    read,
    hint: safe`If it means the end, add it to success-states or failure-states.`,
    watch: (tracker, signal) =>
      gatherEvidence({ ...watched, tracker, wasPending, pageProves, signal }),
  });
  see(followed.status);
  return endingOf(followed);
}

/** Deploys the commit, follows it to its end, and then looks at its page. */
export async function deployAndVerify(run: Deploying, prepared: Prepared): Promise<Ending> {
  const { host, page, found } = run;
  const deployed = await run.phase('deployment', () => deployCommit(run, prepared));
  const { confirmedBy, ...ending } = deployed;
  const { outcome } = ending;
  if (confirmedBy !== undefined) found({ confirmedBy });
  if (outcome === 'succeeded' || outcome === 'failed') found({ deploymentEnd: outcome });
  const site = page && host.clean(page.origin);
  if (confirmedBy === 'site' && site !== undefined) found({ site });
  if (ending.outcome === 'succeeded' && page !== undefined && confirmedBy !== 'site') {
    await run.phase('verification', () => awaitPage(page, host));
    if (site !== undefined) found({ site });
  }
  return ending;
}
