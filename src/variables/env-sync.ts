import { assemble, type CommentContext } from '../comments/model/assemble.ts';
import { guardProject, listDomains } from '../domains/guard.ts';
import { countChangedResources, type PlanGates, refusePlan } from '../kernel/change.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { LedgerKeeper } from '../ledger/model/ledger.ts';
import {
  closeWith,
  nameInText,
  nameOf,
  type RunReport,
  requestsFact,
  showTime,
} from '../report/closing.ts';
import { code, fold, heading, plain, quoteMessage } from '../report/markdown.ts';
import { countPlan, countSigns, iconOfPlan, planInComment, showRefused } from '../report/plan.ts';
import { asPlanRefusal, type RunOutcome, reportOn } from '../step/run-outcome.ts';
import { type Run, Stop } from '../step/step.ts';
import type { VariablesRequest } from './intent.ts';
import { plannedChanges } from './plan.ts';
import {
  describeDrift,
  describeRuntimes,
  type EnvironmentView,
  planOfVariables,
  renderEnvironment,
} from './render.ts';
import {
  countChanged,
  countVariables,
  describeCounts,
  type EnvironmentResult,
  isBlank,
  listElsewhere,
} from './result.ts';
import { observeVariables, planSync, showVariablesPlan, syncVariables } from './sync.ts';

/** A sync without what is opened with the service. */
export type SyncSettings = Omit<EnvSyncRequest, keyof VariablesRequest | 'ledgers'>;

/** The validated request of the env-sync command. */
export interface EnvSyncRequest extends VariablesRequest {
  projectId: string;
  ledgers: LedgerKeeper;
  /** True: show what would change and write nothing. */
  planOnly: boolean;
  gates: PlanGates;
  /** True if the run's code is not merged, so that the run must not affect a site. */
  guarded: boolean;
}

type EnvSyncResult = Omit<SyncReport, keyof RunOutcome | 'requests' | 'durationMs'>;

/** Observes, plans and applies; or shows the plan if only that is requested or allowed. */
async function syncProject(
  run: Run,
  request: EnvSyncRequest,
  report: EnvSyncResult,
): Promise<RunOutcome> {
  const { host } = run;
  const { projectId, ledgers, planOnly, gates } = request;
  const known = await observeVariables(run, projectId, ledgers);
  const syncing = await planSync(host, { ...request, ...known });
  const { plan } = syncing;
  const changed = countChangedResources(plannedChanges(plan, host.clean));
  const size = plan.variables.length + plan.deletions.length;
  const refusal = refusePlan({ digest: plan.digest, changed, size }, gates);
  if (planOnly || refusal !== undefined) {
    report.environment = showVariablesPlan(host, syncing);
    if (!planOnly && refusal) throw new Stop(refusal.outcome, refusal.diagnostic);
    if (refusal === undefined) return { outcome: 'planned' };
    const diagnostic = asPlanRefusal(refusal.diagnostic);
    host.report({ type: 'warning', diagnostic });
    report.refusal = diagnostic;
    return { outcome: 'planned' };
  }
  if (request.guarded && changed > 0) {
    guardProject(host, projectId, (await listDomains(run)) ?? [], undefined);
  }
  await syncVariables(run, syncing, safe`Not all variables were synced.`, report);
  return { outcome: 'synced' };
}

/**
 * Syncs a project's variables, or shows what a sync would change.
 *
 * @returns the report; errors of the service or the run are in it, not thrown
 */
export async function envSync(run: Run, request: EnvSyncRequest): Promise<SyncReport> {
  const { projectId } = request;
  const found: EnvSyncResult = { projectId };
  const report = await reportOn(run, found, () => syncProject(run, request, found));
  const { environment } = report;
  for (const text of environment === undefined ? [] : describeRuntimes(environment)) {
    run.host.report({ type: 'note', text });
  }
  return report;
}

/** The report of the env-sync command. */
export interface SyncReport extends RunReport {
  projectId: string;
  environment?: EnvironmentResult;
  /** Why a plan that is only shown would not be applied. */
  refusal?: Diagnostic;
  /** True if the step fails because the service differs from the declared state. */
  drifted?: true;
}

/** Titles that count variables; others are the outcome's name. */
const titles: Readonly<Partial<Record<Outcome, (environment: EnvironmentResult) => SafeText>>> = {
  synced: (environment) => {
    const changed = countChanged(environment);
    return changed === 0 ? safe`nothing changed` : safe`${changed} changed`;
  },
  planned: (environment) => {
    const groups = [planOfVariables(environment)];
    return countPlan(groups, [[countSigns(groups, '!'), safe`to check`]]);
  },
  failed: (environment) => {
    const { failed } = countVariables(environment);
    return failed === 0 ? safe`failed` : safe`${failed} of ${environment.variables.length} failed`;
  },
  conflict: (environment) => safe`${countVariables(environment).conflicts} in conflict`,
};

/** The title of a sync's report. */
export function describeSync({ outcome, environment, drifted, refusal }: SyncReport): SafeText {
  const title = environment && titles[outcome]?.(environment);
  if (environment !== undefined && outcome === 'planned') {
    const drift = describeDrift(environment);
    const isAll = planOfVariables(environment).lines.length === listElsewhere(environment).length;
    if (drift !== undefined) return isAll ? drift : safe`${drift} · ${title ?? safe``}`;
  }
  if (drifted === true && title !== undefined) return safe`Drift of variables: ${title}`;
  const counts = title ?? nameInText(outcome);
  return safe`Variables: ${showRefused(counts, refusal)}`;
}

/** The last line of a sync's log. */
export function closeSync(report: SyncReport): string {
  const { outcome, environment } = report;
  const counts =
    environment && !isBlank(environment) ? `variables: ${describeCounts(environment)}` : undefined;
  return closeWith(nameOf(outcome), report, counts);
}

/** The title as a heading, in a comment with the start of the project's id, because there may be several. */
function showSyncTitle(level: 2 | 3, report: SyncReport): string {
  const title = heading(level, iconOfPlan(report), describeSync(report));
  const mark = plain(shorten(unsafeText(report.projectId.slice(0, 8)), 8));
  return level === 3 ? `${title} <sub>project&#160;${mark}</sub>` : title;
}

function renderSyncBody(report: SyncReport, view: EnvironmentView): string[] {
  const { error, refusal, environment, projectId, helpUrl } = report;
  const facts: string[] = [];
  const details = [`- Project: ${code(unsafeText(projectId))}`];
  const time = showTime(report);
  if (time !== undefined) facts.push(`Took ${time}`);
  if (environment !== undefined) {
    // A plan has its counts in the title, and any other sync a single one.
    const counts = environment.isPlanned ? '' : describeCounts(environment);
    if (counts.includes(',')) facts.push(counts);
    details.push(`- Plan digest: ${code(unsafeText(environment.digest))}`);
  }
  details.push(...requestsFact(report).map((text) => `- ${text}`));
  return [
    ...quoteMessage(error, helpUrl),
    ...quoteMessage(refusal, helpUrl),
    ...(facts.length === 0 ? [] : [facts.join(' · ')]),
    ...(environment === undefined ? [] : renderEnvironment(environment, view)),
    fold('Details', [details.join('\n')]),
  ];
}

/** A sync's job summary, in GitHub-flavored Markdown. */
export function renderSync(report: SyncReport): string {
  return [showSyncTitle(2, report), ...renderSyncBody(report, {}), ''].join('\n\n');
}

/** The plan of a project's variables as a pull request's comment. */
export function renderSyncComment(report: SyncReport, context: CommentContext): string {
  return assemble(context, [showSyncTitle(3, report), ...renderSyncBody(report, planInComment)]);
}
