import { openChecks } from '../checks/apply.ts';
import { shaOf } from '../contract/commit.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { asPlanRefusal, type RunOutcome } from '../step/run-outcome.ts';
import { type Run, Stop } from '../step/step.ts';
import type { EnvironmentResult } from '../variables/result.ts';
import {
  describeConflicts,
  listCleanNames,
  type PlannedSync,
  planSync,
  showVariablesPlan,
} from '../variables/sync.ts';
import {
  type DeployRequest,
  knownCommit,
  type ReleaseContext,
  type SetupContext,
  timer,
} from './context.ts';
import { chooseSeries, guardWrites, observe, whyRefused } from './gates.ts';
import type { DeployReport } from './model/report.ts';
import { endReport, failReport, openReport } from './open-report.ts';
import { findPreviewProject, type Place } from './previews/preview.ts';
import type { Recorder } from './recorder.ts';

/** Shows what a run would do. It only reads. */
export async function planDeploy(
  run: Run,
  request: DeployRequest,
  recorder?: Recorder,
): Promise<DeployReport> {
  const report = openReport(request);
  try {
    await using checks = request.checks && openChecks(request.checks, run.host);
    const setup = { ...run, request, recorder, checks, report, phase: timer(run, report.phases) };
    return endReport(run, report, await showPlan(setup));
  } catch (error) {
    return failReport(run, report, error);
  }
}

async function showPlan(setup: SetupContext): Promise<RunOutcome> {
  const { host, report, request } = setup;
  const place = await findPlannedPlace(setup);
  if ('why' in place) {
    report.actions = [place.why];
    return { outcome: 'planned' };
  }
  const { projectId } = place;
  report.projectId = projectId;
  const run = { ...setup, place, projectId, section: report };
  if (request.isUndecided) await chooseSeries(run);
  host.report({ type: 'started', projectId, ...knownCommit(request) });
  const observed = await observe(run);
  const { domains, own } = observed;
  const syncing = await planSync(host, { ...request, ...observed.known, projectId });
  const environment = showVariablesPlan(host, syncing);
  const refusal = await whyRefused(run);
  if (refusal !== undefined) warnOfRefusal(run, refusal);
  const byRecords = refusal && safe`earlier deployments`;
  const refused = warnIfRefused(run, observed)
    ? safe`the domains that the project serves`
    : byRecords;
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
    request.deploys && blocked === undefined
      ? safe`${what} would be ${pushed}deployed${unless}`
      : safe`nothing would be deployed${because}`;
  const otherChanges = domain === undefined ? [] : [domain];
  for (const { name, action, reason } of otherChanges) {
    host.report({ type: 'note', text: safe`${name}: to ${unsafeText(action)} (${reason})` });
  }
  host.report({ type: 'note', text: deploying });
  report.environment = environment;
  report.otherChanges = otherChanges;
  report.actions = [deploying];
  return { outcome: 'planned' };
}

/** The place of a plan; or why it is not known. */
async function findPlannedPlace(run: SetupContext): Promise<Place | { why: SafeText }> {
  const { target } = run.request;
  if (target.kind === 'project') {
    return { projectId: target.id, preview: target.preview, lease: undefined };
  }
  const { preview } = target;
  const projectId = await findPreviewProject(run, preview, target.from);
  if (projectId !== undefined) return { projectId, preview, lease: { preview, isNew: false } };
  const why = run.request.deploys
    ? safe`one of preview-projects would be used: its variables can be planned once it is known which`
    : safe`the run would be skipped (no-preview): this pull request has no preview, and deploy is false`;
  return { why };
}

/** Warns if a run would be refused. @returns true if so */
function warnIfRefused(run: ReleaseContext, observed: Parameters<typeof guardWrites>[1]): boolean {
  try {
    guardWrites(run, observed);
    return false;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    warnOfRefusal(run, error);
    return true;
  }
}

function warnOfRefusal({ host }: ReleaseContext, { diagnostic: refusal }: Stop): void {
  host.report({ type: 'warning', diagnostic: asPlanRefusal(refusal) });
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
