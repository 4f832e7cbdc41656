import { reportConnected } from '../core/domains/connected.ts';
import { type DomainsPlan, planDomains, planProblems } from '../core/domains/plan.ts';
import { describeFaults } from '../core/domains/present.ts';
import { refusePlan } from '../core/gate.ts';
import type { Outcome } from '../core/outcome.ts';
import {
  type ChangeResult,
  type DomainsReport,
  emptyReport,
} from '../core/report/domains-report.ts';
import { clean } from '../core/text/clean.ts';
import { applyDomains } from './domains/apply.ts';
import { checkNames } from './domains/availability.ts';
import type { Seen } from './domains/connections.ts';
import { planEnvironment } from './domains/environment.ts';
import { observeDomains } from './domains/observe.ts';
import { describePlan, measurePlan, showDomains } from './domains/present.ts';
import type { DomainsRequest, Managing, Report } from './domains/run.ts';
import { followDomains } from './domains/verification.ts';
import type { SyncRequest } from './environment/sync.ts';
import { syncVariables } from './environment/sync-variables.ts';
import { EarlyEnd } from './host.ts';
import type { Run } from './run.ts';
import { settle } from './settle.ts';

export type { DomainsRequest } from './domains/run.ts';

/** The longest that a list of problems may be, in characters: it becomes one annotation. */
const longestProblems = 3500;

/** What is said where a site file is not merged that would change something. */
const unmerged =
  'Nothing was changed: the site file of a pull request, or of any run of code that is not merged, must not change domains and variables. Show its plan with mode: plan and apply it after the merge, or set allow-production: true.';

/** Carries the plan out, and follows the verification if that is asked for. */
async function apply(run: Managing, plan: DomainsPlan, seen: Seen): Promise<void> {
  const { host, request, report } = run;
  const results: ChangeResult[] = [];
  report.results = results;
  await applyDomains({ ...run, results }, plan, seen);
  if (request.follow === undefined) return;
  const hostnames = request.declared.connections.map(({ hostname }) => hostname);
  const trouble = await followDomains(run, hostnames, seen, request.follow);
  if (trouble !== undefined) {
    const text = `The verification could not be followed to its end. ${trouble}`;
    host.report({ type: 'warning', text });
  }
}

/** Ends the run where the plan cannot, or must not, be applied. */
function guard(
  { request, report, host }: Managing,
  plan: DomainsPlan,
  environment: SyncRequest | undefined,
): void {
  const problems = planProblems(plan);
  if (problems.length > 0) {
    const all = clean(problems.map(host.clean).join('; '), longestProblems);
    throw new EarlyEnd('failed', `Nothing was changed: ${all}.`);
  }
  const gated = { digest: report.digest, ...measurePlan(plan, environment) };
  if (request.guarded && !request.planOnly && gated.changed + gated.settings > 0) {
    throw new EarlyEnd('failed', unmerged);
  }
  const refusal = refusePlan(gated, request.gates);
  if (refusal === undefined) return;
  if (!request.planOnly) throw new EarlyEnd(refusal.outcome, refusal.message);
  host.report({ type: 'warning', text: `It would not be applied. ${refusal.message}` });
}

/** How an apply ended in which nothing failed: what does not show is not called done. */
const outcomeOf = ({ results }: Report): Outcome =>
  results.some(({ outcome }) => outcome === 'unconfirmed') ? 'unconfirmed' : 'synced';

async function carryOut(run: Managing): Promise<void> {
  const { host, request, report } = run;
  await checkNames(run);
  const [observed, environment] = await Promise.all([
    observeDomains(run, request.declared),
    planEnvironment(run),
  ]);
  const plan = planDomains(request.declared, observed, host.cleanLine);
  describePlan(run, plan, environment);
  const seen: Seen = new Map(
    plan.connections.flatMap(({ declared, observed: domain }) =>
      domain === undefined ? [] : [[declared.hostname, domain]],
    ),
  );
  report.connected = reportConnected(plan, seen, host.cleanLine);
  try {
    guard(run, plan, environment);
  } catch (error) {
    showDomains(run, plan, environment);
    throw error;
  }
  if (request.planOnly) showDomains(run, plan, environment);
  else {
    if (environment !== undefined) {
      const found = (part: Partial<Report>) => Object.assign(report, part);
      await syncVariables(run, environment, 'No domain was changed', found);
    }
    try {
      await apply(run, plan, seen);
    } finally {
      report.connected = reportConnected(plan, seen, host.cleanLine);
    }
  }
  const faults = describeFaults(report, request.planOnly ? undefined : request.follow);
  for (const text of faults.warnings) host.report({ type: 'warning', text });
  if (faults.error !== undefined) throw new EarlyEnd('failed', faults.error);
  report.outcome = request.planOnly ? 'planned' : outcomeOf(report);
}

/**
 * Brings a site's domains, and the variables of its site file, to what is declared; or shows the plan.
 *
 * @returns the report; it never throws for what the service or the run does
 */
export async function manageDomains(run: Run, request: DomainsRequest): Promise<DomainsReport> {
  const { client, host } = run;
  const started = host.clock.now();
  const report: Report = { outcome: 'failed', ...emptyReport() };
  try {
    await carryOut({ ...run, request, report });
    host.signal.throwIfAborted();
  } catch (error) {
    Object.assign(report, settle(host, error));
  }
  return { ...report, requests: client.requests, durationMs: host.clock.now() - started };
}
