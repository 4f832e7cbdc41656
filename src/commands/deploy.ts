import type { Environment } from '../contract/environment.ts';
import { productionState } from '../core/deployment/evidence.ts';
import { createStatusReader } from '../core/deployment/status.ts';
import type { DesiredVariable } from '../core/environment/desired.ts';
import type { ConflictPolicy } from '../core/environment/recovery.ts';
import type { Outcome } from '../core/outcome.ts';
import type { DeployReport, Phase } from '../core/report/report.ts';
import { fillTemplate } from '../core/template.ts';
import type { ServiceClient } from '../service/client.ts';
import { followDeployment } from './deployment/follow.ts';
import { postDeployment } from './deployment/post.ts';
import { awaitSite, openSite, type Site } from './deployment/site.ts';
import { syncEnvironment } from './environment/sync.ts';
import { explain } from './explain.ts';
import { type Host, RunAborted } from './host.ts';

/** What the deploy command is asked to do. Everything has been checked. */
export interface DeployRequest {
  projectId: string;
  /** 40 hex digits, or empty for the service's own HEAD. */
  commit: string;
  /** False: sync the environment only. */
  deploy: boolean;
  variables: readonly DesiredVariable[];
  onConflict: ConflictPolicy;
  wait: 'auto' | 'stream' | 'poll' | 'none';
  /** Path templates with `{projectId}` and `{deploymentId}`. */
  statusPath: string;
  eventsPath: string;
  successStates: readonly string[];
  failureStates: readonly string[];
  /** The page to probe; absent if none is. */
  verify?: {
    url: URL;
    contains: string;
    /** True if only this very commit can make the page good. */
    namesCommit: boolean;
  };
  /** Makes the idempotency key of one operation on one target. */
  keyFor: (operation: string, target: string) => string;
  userAgent: string;
}

/** How long the page may take to answer before the deployment, in milliseconds. */
const firstLook = 3000;

/** A run that is under way: the report so far, and what its parts share. */
interface Run {
  client: ServiceClient;
  host: Host;
  request: DeployRequest;
  started: number;
  report: Omit<DeployReport, 'phases' | 'requests' | 'durationMs'> & { phases: Phase[] };
  site: Site | undefined;
}

/** Times a part of the run, also when it fails. */
async function phase<T>(run: Run, name: Phase['name'], work: () => Promise<T>): Promise<T> {
  const { host, started, report } = run;
  const start = host.clock.now() - started;
  try {
    return await work();
  } finally {
    report.phases.push({ name, start, end: host.clock.now() - started });
  }
}

/** Syncs the variables. Gives the metadata as last seen, or undefined if the run must end here. */
async function sync(run: Run): Promise<Environment | undefined> {
  const { client, host, request, report } = run;
  const { projectId, variables, onConflict: policy } = request;
  const end = await syncEnvironment(client, host, { projectId, variables, policy });
  report.environment = end.result;
  if (end.error !== undefined) throw end.error;
  const { ambiguous } = end.result;
  const conflicts = end.result.variables.filter(({ outcome }) => outcome === 'conflict');
  if (ambiguous.length + conflicts.length === 0) return end.environment;
  const told = [...ambiguous, ...conflicts].map(({ name, reason }) => `${name} ${reason}`);
  report.outcome = 'conflict';
  report.error = `Nothing was deployed, because of ${told.length === 1 ? 'a conflict' : 'conflicts'}: ${told.join('; ')}. Settle it on the service, or set env-on-conflict to overwrite or keep, and run the job again.`;
  return undefined;
}

/** Looks at the page before anything changes: only a page that is not good yet can prove anything later. */
async function siteCanProve({ host, request, site }: Run): Promise<boolean> {
  if (site === undefined || request.verify?.namesCommit === true) return site !== undefined;
  const limit = AbortSignal.timeout(firstLook);
  try {
    return !(await site.look(AbortSignal.any([host.signal, limit]))).isGood;
  } catch (error) {
    host.signal.throwIfAborted();
    if (limit.aborted) return false;
    throw error;
  }
}

async function deployCommit(
  run: Run,
  environment: Environment,
  siteProves: boolean,
): Promise<Outcome> {
  const { client, host, request, report, site } = run;
  const { projectId, commit, wait } = request;
  const { deploymentId, status } = await postDeployment(client, host, request);
  const acceptedAt = host.clock.now();
  report.deployment = { id: host.clean(deploymentId), status: host.clean(status) };
  host.report({ type: 'deployment-accepted', deploymentId: report.deployment.id, commit });
  if (wait === 'none') return 'accepted';
  const ids = {
    projectId: encodeURIComponent(projectId),
    deploymentId: encodeURIComponent(deploymentId),
  };
  const end = await followDeployment(client, host, {
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
  if (end.witness !== undefined) report.witness = end.witness;
  if (end.outcome === 'failed') {
    const said = end.message === undefined ? '' : `: ${end.message}`;
    report.error = `The deployment ended as "${end.status}"${said}. The step's log has the lines of its build, as far as the service shows them.`;
  } else if (end.outcome === 'unconfirmed')
    report.error = `${end.message ?? 'Nothing confirms the end'}.`;
  return end.outcome;
}

async function carryOut(run: Run): Promise<void> {
  const { host, request, report, site } = run;
  const { projectId, commit } = request;
  host.report({ type: 'started', projectId, commit });
  const [environment, siteProves] = await Promise.all([
    phase(run, 'environment', () => sync(run)),
    request.deploy && siteCanProve(run),
  ]);
  if (environment === undefined) return;
  if (!request.deploy) {
    report.outcome = 'synced';
    return;
  }
  const outcome = await phase(run, 'deployment', () => deployCommit(run, environment, siteProves));
  if (outcome === 'succeeded' && site !== undefined && report.witness !== 'site') {
    await phase(run, 'verification', () => awaitSite(site, host));
  }
  report.outcome = outcome;
}

/** Ends the report of a run that was cut off or failed. What was seen before stands. */
function settle({ host, report }: Run, error: unknown): void {
  const reason: unknown = host.signal.aborted ? host.signal.reason : error;
  const { deployment, phases } = report;
  const verifying = phases.some(({ name }) => name === 'verification');
  report.outcome = reason instanceof RunAborted ? reason.outcome : 'failed';
  report.error = explain(reason);
  if (!(reason instanceof RunAborted) || deployment === undefined) return;
  report.error += verifying
    ? ' The deployment itself succeeded, but the page under verify-url did not answer as wanted in that time.'
    : ` The deployment ${deployment.id} was last seen as "${deployment.status}" and may still go live: the service shows no way to cancel it.`;
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
  const site = verify === undefined ? undefined : openSite({ ...verify, userAgent }, host);
  const run: Run = { client, host: tapped, request, started: host.clock.now(), report, site };
  try {
    await carryOut(run);
  } catch (error) {
    settle(run, error);
  } finally {
    await site?.close();
  }
  const durationMs = host.clock.now() - run.started;
  return { ...report, requests: client.requests, durationMs };
}
