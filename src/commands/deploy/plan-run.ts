import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import type { PlannedChange } from '../../core/change.ts';
import { assignedTo } from '../../core/preview/domain-state.ts';
import type { EnvironmentResult } from '../../core/report/environment.ts';
import { nameClean, type PlannedSync, showPlan } from '../environment/plan.ts';
import { describeConflicts } from '../environment/sync-variables.ts';
import { EarlyEnd } from '../host.ts';
import { guardName, seeOwn } from '../preview/preview.ts';
import type { Ending } from '../settle.ts';
import type { Deploying, Findings } from './context.ts';
import { guardWrites, observe } from './observe.ts';

/** What would be done to the preview's domain; undefined if it is where it should be. */
function planDomain(
  { request, host }: Deploying,
  domains: readonly ConnectedDomain[] | undefined,
  seen: ConnectedDomain | undefined,
): PlannedChange | undefined {
  const { preview } = request;
  if (preview === undefined) return undefined;
  const name = preview.hostname;
  const change = (action: string, reason: string): PlannedChange => ({
    type: 'domain',
    resource: 'connected-domain',
    name,
    action,
    reason,
  });
  if (domains === undefined) return change('assign', 'the connected domains cannot be listed');
  if (seen === undefined) return change('connect', 'not connected yet');
  const current = assignedTo(seen);
  if (current === undefined) return change('assign', 'not assigned to a project');
  if (current.toLowerCase() === request.projectId.toLowerCase()) return undefined;
  return change('assign', `assigned to ${host.clean(current)}`);
}

/** The project that a plan is for: the one that is given, or the one that the preview's hostname has leased. */
async function projectOf(run: Deploying): Promise<string | undefined> {
  const { preview, projectId } = run.request;
  if (preview === undefined || preview.projects.length === 0) return projectId;
  const domains = await run.client.listConnectedDomains();
  const own = await seeOwn(run, preview, domains);
  guardName(preview, own);
  const current = own && assignedTo(own)?.toLowerCase();
  return preview.projects.find((project) => project.toLowerCase() === current);
}

/** Tells why a run would write nothing. @returns true if it would be refused */
function isRefused(run: Deploying, seen: Parameters<typeof guardWrites>[1]): boolean {
  try {
    guardWrites(run, seen);
    return false;
  } catch (error) {
    if (!(error instanceof EarlyEnd)) throw error;
    const text = `It would not be applied. ${error.message}`;
    run.host.report({ type: 'warning', text });
    return true;
  }
}

/** Why a run would deploy nothing; undefined if it would deploy. */
function whyBlocked(
  { named: { missing } }: PlannedSync,
  environment: EnvironmentResult,
): string | undefined {
  if (missing.length > 0) return `required variables without a value: ${nameClean(missing)}`;
  return describeConflicts(environment);
}

/** Shows what a run would do. It reads, and writes nothing anywhere. */
export async function planRun(given: Deploying): Promise<Partial<Findings> & Ending> {
  const { host, found } = given;
  const projectId = await projectOf(given);
  if (projectId === undefined) {
    const deed =
      'one of preview-projects would be leased: its environment can be planned once it is known which';
    return { outcome: 'planned', deeds: [deed] };
  }
  found({ projectId });
  const request = { ...given.request, projectId };
  const run = { ...given, request };
  host.report({ type: 'started', projectId, commit: request.commit });
  const seen = await observe(run);
  const { syncing, domains, own } = seen;
  const { plan, observed } = syncing;
  const environment = showPlan(host, plan, observed);
  const refused = isRefused(run, seen) ? 'the sites that are served already' : undefined;
  const blocked = refused ?? whyBlocked(plan, environment);
  const domain = planDomain(run, domains, own);
  const what = request.commit === '' ? "HEAD of the project's repository" : request.commit;
  const brought =
    request.bringing === undefined ? '' : "pushed to the project's repository if need be, and ";
  const deeds = [
    ...(domain === undefined ? [] : [`${domain.name}: to ${domain.action} (${domain.reason})`]),
    request.deploy && blocked === undefined
      ? `${what} would be ${brought}deployed`
      : `nothing would be deployed${blocked === undefined ? '' : `, because of ${blocked}`}`,
  ];
  for (const text of deeds) host.report({ type: 'note', text });
  const otherChanges = domain === undefined ? [] : [domain];
  return { outcome: 'planned', environment, otherChanges, deeds };
}
