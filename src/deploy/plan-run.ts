import { shaOf } from '../contract/commit.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { asPlanRefusal, type Ending } from '../frame/ending.ts';
import { EarlyEnd } from '../frame/step.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { findPreviewProject } from '../previews/preview.ts';
import { knownCommit, type ReleaseContext, type SetupContext } from '../release/context.ts';
import type { DeployState } from '../release/model/report.ts';
import {
  listCleanNames,
  type PlannedSync,
  planSync,
  showVariablesPlan,
} from '../variables/plan-sync.ts';
import type { EnvironmentResult } from '../variables/result.ts';
import { describeConflicts } from '../variables/sync.ts';
import { decideProduction, guardWrites, observe, whyRefused } from './gates.ts';

/** The change of the preview's domain; undefined if there is none. */
function planDomain(
  { request, projectId, host }: ReleaseContext,
  domains: readonly ConnectedDomain[] | undefined,
  observed: ConnectedDomain | undefined,
): PlannedChange | undefined {
  const { preview } = request.target;
  if (preview === undefined) return undefined;
  const name = preview.hostname;
  const to = unsafeText(projectId);
  const change = (action: string, reason: SafeText): PlannedChange => ({
    type: 'domain',
    resource: 'connected-domain',
    name: unsafeText(name),
    action,
    reason,
  });
  if (domains === undefined) return change('assign', safe`the connected domains can't be listed`);
  if (observed === undefined)
    return { ...change('connect', safe`not connected yet`), project: { from: null, to } };
  const current = assignedTo(observed);
  if (current === projectId) return undefined;
  if (current === undefined) {
    return { ...change('assign', safe`not assigned to a project`), project: { from: null, to } };
  }
  const from = host.clean(current);
  return { ...change('assign', safe`assigned to ${from}`), project: { from, to } };
}

/** The project of a plan: the given one, or the one leased by the preview's hostname; or why it is not known. */
async function projectOf(run: SetupContext): Promise<{ projectId: string } | { why: SafeText }> {
  const { target } = run.request;
  if (target.kind === 'project') return { projectId: target.id };
  const projectId = await findPreviewProject(run, target.preview, target.from);
  if (projectId !== undefined) return { projectId };
  return run.request.deploy
    ? {
        why: safe`one of preview-projects would be used: its variables can be planned once it is known which`,
      }
    : {
        why: safe`the run would be skipped (no-preview): this pull request has no preview, and deploy is false`,
      };
}

function warnOfRefusal({ host }: ReleaseContext, { diagnostic: refusal }: EarlyEnd): void {
  host.report({ type: 'warning', diagnostic: asPlanRefusal(refusal) });
}

/** Warns if a run would be refused. @returns true if so */
function isRefused(run: ReleaseContext, observed: Parameters<typeof guardWrites>[1]): boolean {
  try {
    guardWrites(run, observed);
    return false;
  } catch (error) {
    if (!(error instanceof EarlyEnd)) throw error;
    warnOfRefusal(run, error);
    return true;
  }
}

/** Why a run would deploy nothing; undefined if it would deploy. */
function whyBlocked(
  { named: { missing } }: PlannedSync,
  environment: EnvironmentResult,
): SafeText | undefined {
  if (missing.length > 0)
    return safe`required variables without a value: ${listCleanNames(missing)}`;
  return describeConflicts(environment)?.text;
}

/** Shows what a run would do. It only reads. */
export async function planRun(given: SetupContext): Promise<Partial<DeployState> & Ending> {
  const { host, found, request } = given;
  const known = await projectOf(given);
  if ('why' in known) return { outcome: 'planned', actions: [known.why] };
  const { projectId } = known;
  found({ projectId });
  const run = { ...(await decideProduction(given, projectId)), projectId };
  host.report({ type: 'started', projectId, ...knownCommit(request) });
  const observed = await observe(run);
  const { domains, own } = observed;
  const syncing = await planSync(host, { ...request, ...observed.known, projectId });
  const environment = showVariablesPlan(host, syncing);
  const refusal = await whyRefused(run);
  if (refusal !== undefined) warnOfRefusal(run, refusal);
  const byRecords = refusal && safe`earlier deployments`;
  const refused = isRefused(run, observed) ? safe`the domains that the project serves` : byRecords;
  const blocked = refused ?? whyBlocked(syncing.plan, environment);
  const domain = planDomain(run, domains, own);
  const sha = shaOf(request.commit);
  const what = sha === undefined ? safe`HEAD of the project's repository` : safe`${sha}`;
  const pushed =
    request.pusher === undefined
      ? safe``
      : safe`pushed to the project's repository when needed, and `;
  const because = blocked === undefined ? safe`` : safe`, because of ${blocked}`;
  const unless = request.ifNeeded ? safe`, unless it is live already` : safe``;
  const deploying =
    request.deploy && blocked === undefined
      ? safe`${what} would be ${pushed}deployed${unless}`
      : safe`nothing would be deployed${because}`;
  const otherChanges = domain === undefined ? [] : [domain];
  for (const { name, action, reason } of otherChanges) {
    host.report({ type: 'note', text: safe`${name}: to ${unsafeText(action)} (${reason})` });
  }
  host.report({ type: 'note', text: deploying });
  return { outcome: 'planned', environment, otherChanges, actions: [deploying] };
}
