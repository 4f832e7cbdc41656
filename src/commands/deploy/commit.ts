import type { Environment } from '../../contract/environment.ts';
import { productionState } from '../../core/deployment/evidence.ts';
import { createStatusReader } from '../../core/deployment/status.ts';
import type { Outcome } from '../../core/outcome.ts';
import { fillTemplate } from '../../core/template.ts';
import { followDeployment } from '../deployment/follow.ts';
import { postDeployment } from '../deployment/post.ts';
import { awaitSite } from '../deployment/site.ts';
import { type Deploying, phase } from './context.ts';

/** How long the page may take to answer before the deployment, in milliseconds. */
const firstLook = 3000;

/**
 * Looks at the page before anything changes: only a page that is not there yet can prove anything later. One
 * that does not answer in time proves something only if its text names the commit.
 */
export async function siteCanProve({ host, request, site }: Deploying): Promise<boolean> {
  if (site === undefined) return false;
  const limit = AbortSignal.timeout(firstLook);
  try {
    return (await site.look(AbortSignal.any([host.signal, limit]))).isAbsent;
  } catch (error) {
    host.signal.throwIfAborted();
    if (limit.aborted) return request.verify?.namesCommit === true;
    throw error;
  }
}

async function deployCommit(
  run: Deploying,
  environment: Environment,
  siteProves: boolean,
): Promise<Outcome> {
  const { host, request, report, site } = run;
  const { commit, wait } = request;
  const { projectId } = report;
  report.isRequested = true;
  host.report({ type: 'deployment-requested' });
  const { deployment, doubt } = await postDeployment(run, { projectId, commit });
  const { deploymentId } = deployment;
  const status = deployment.status ?? 'accepted';
  if (doubt !== undefined) report.doubts = [doubt];
  const acceptedAt = host.clock.now();
  report.deployment = { id: host.clean(deploymentId), status: host.clean(status) };
  host.report({ type: 'deployment-accepted', deploymentId: report.deployment.id, commit });
  if (wait === 'none') return 'accepted';
  const ids = {
    projectId: encodeURIComponent(projectId),
    deploymentId: encodeURIComponent(deploymentId),
  };
  const end = await followDeployment(run, {
    projectId,
    deploymentId,
    status,
    acceptedAt,
    wait,
    statusPath: fillTemplate(request.statusPath, ids),
    eventsPath: fillTemplate(request.eventsPath, ids),
    read: createStatusReader(request.successStates, request.failureStates),
    wasPending: productionState(environment) === 'pending',
    siteProves,
    ...(site === undefined ? {} : { site }),
  });
  report.deployment.status = end.status;
  if (end.witness !== undefined) report.witness = end.witness;
  if (end.outcome === 'failed') {
    const said = end.message === undefined ? '' : `: ${end.message}`;
    report.error = `The deployment ended as "${end.status}"${said}. The step's log has the lines of its build, as far as the service shows them.`;
  } else if (end.outcome === 'unconfirmed')
    report.error = `${end.message ?? 'Nothing confirms the end'}.`;
  return end.outcome;
}

/** Deploys the commit, follows it to its end, and then looks at its page. */
export async function deployAndVerify(
  run: Deploying,
  environment: Environment,
  siteProves: boolean,
): Promise<Outcome> {
  const { host, report, site } = run;
  const outcome = await phase(run, 'deployment', () => deployCommit(run, environment, siteProves));
  if (outcome === 'succeeded' && site !== undefined && report.witness !== 'site') {
    await phase(run, 'verification', () => awaitSite(site, host));
  }
  return outcome;
}
