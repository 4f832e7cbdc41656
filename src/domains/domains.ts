import pLimit from 'p-limit';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { type CustomStatuses, noCustomStatuses } from '../follow/model/status.ts';
import { type PlanGates, refusePlan } from '../kernel/change.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { joinSafe, safe, shorten } from '../kernel/text/safe.ts';
import { countOf } from '../report/closing.ts';
import { cleanEach } from '../step/clean.ts';
import { asPlanRefusal, type RunOutcome, reportOn } from '../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import { applyDomains, concurrency } from './apply.ts';
import { describeAssignment, isAssignedTo } from './assign-domain.ts';
import { unknownStatuses } from './evaluate.ts';
import { followDomains, type KnownDomains } from './follow-verification.ts';
import type { DeclaredDomains } from './intent.ts';
import {
  type AvailabilityRow,
  availabilityRows,
  checkedTogether,
  describeAvailability,
  tooExpensive,
} from './model/availability.ts';
import { describeCustomStatus } from './model/connected-domain-report.ts';
import {
  countChangedDomains,
  type DomainsPlan,
  domainChanges,
  domainsDigest,
  type ObservedDomains,
  planDomains,
  planProblems,
} from './plan.ts';
import {
  type ChangeResult,
  changeLines,
  countUnchanged,
  type DomainsReport,
  describeFaults,
  emptyReport,
  type ListedRecord,
  listRecord,
  plannedResults,
  reportConnected,
} from './result.ts';

/** The validated request of the domains command. */
export interface DomainsRequest {
  declared: DeclaredDomains;
  /** Names to check for availability and price. */
  check: readonly string[];
  /** The highest allowed price of a checked name, in US dollars. */
  maxPrice: number | undefined;
  planOnly: boolean;
  gates: PlanGates;
  /** True if the site file is not merged, so that it must not change anything. */
  guarded: boolean;
  /** The statuses that the workflow adds. */
  customStatuses?: CustomStatuses;
  /** How long to follow the verification of connected domains, in milliseconds; undefined: not at all. */
  follow: number | undefined;
}

type PartialReport = ReturnType<typeof emptyReport>;

/**
 * Applies the domains that a site file declares, or shows the plan.
 *
 * @returns the report; errors of the service or the run are in it, not thrown
 */
export async function manageDomains(run: Run, request: DomainsRequest): Promise<DomainsReport> {
  const report = emptyReport();
  return await reportOn(run, report, async () => {
    const outcome = await planAndApply(run, request, report);
    run.host.signal.throwIfAborted();
    return outcome;
  });
}

async function planAndApply(
  run: Run,
  request: DomainsRequest,
  report: PartialReport,
): Promise<RunOutcome> {
  const { host } = run;
  const { declared, planOnly, follow } = request;
  report.availability = await checkAvailability(run, request.check);
  guardPrices(host, report.availability, request.maxPrice);
  const plan = planDomains(declared, await observeDomains(run, declared), host.cleanLine);
  const changes = domainChanges(plan, host.cleanLine);
  report.changes = changes;
  report.digest = domainsDigest(plan);
  report.unchanged = countUnchanged(plan);
  const current: KnownDomains = new Map();
  for (const { declared, observed } of plan.connections) {
    if (observed !== undefined) current.set(declared.hostname, observed);
  }
  const reportCurrent = () => {
    report.connected = plan.connections.flatMap(({ declared: { hostname } }) => {
      const domain = current.get(hostname);
      if (domain === undefined) return [];
      return reportConnected(hostname, domain, host.cleanLine, request.customStatuses);
    });
  };
  reportCurrent();
  await reportKept(host, plan, report);

  const unwritable = whyUnwritable(host, plan);
  const refused = unwritable ?? whyRefused(request, plan, report.digest);
  if (planOnly || refused !== undefined) {
    report.isPlanned = true;
    report.results = plannedResults(plan, changes);
    logPlan(host, report.results);
    if (refused !== undefined) {
      if (!planOnly || refused === unwritable) throw refused;
      report.refusal = asPlanRefusal(refused.diagnostic);
      host.report({ type: 'warning', diagnostic: report.refusal });
    }
    return outcomeOf(host, request, report);
  }
  try {
    report.results = await applyDomains(run, plan, current);
    if (follow !== undefined) {
      report.results = await followConnections(run, request, follow, report.results, current);
    }
  } finally {
    reportCurrent();
  }
  return outcomeOf(host, request, report);
}

/** Checks names for availability and price, twenty per request, each once. Returns a row for each given name. */
async function checkAvailability(
  { client, host }: Run,
  names: readonly string[],
): Promise<AvailabilityRow[]> {
  const answers = await pLimit(concurrency).map(checkedTogether(names), (some) =>
    client.checkDomains(some, host.signal),
  );
  const rows = availabilityRows(names, answers.flat(), host.clean);
  for (const row of rows) {
    host.report({ type: 'note', text: host.clean(describeAvailability(row)) });
  }
  return rows;
}

/** @throws Stop if a name costs more than allowed */
function guardPrices(
  { clean }: Host,
  rows: readonly AvailabilityRow[],
  maxPrice: number | undefined,
): void {
  if (maxPrice === undefined) return;
  const expensive = tooExpensive(rows, maxPrice);
  if (expensive.length === 0) return;
  const names = joinSafe(
    expensive.map((name) => clean(name)),
    ', ',
  );
  const message = safe`Nothing was changed: these names cost more than max-price (${maxPrice} USD): ${names}. This action never buys domains.`;
  throw new Stop('failed', diagnose('SD6108', message));
}

/** Reads the declared domains from the service: one request, and one for each declared zone. */
async function observeDomains(
  { client, host }: Run,
  { connections, registrations }: DeclaredDomains,
): Promise<ObservedDomains> {
  const zones = registrations.filter(({ records }) => records !== undefined);
  const [connected, records] = await Promise.all([
    connections.length === 0 ? [] : client.listConnectedDomains(host.signal),
    pLimit(concurrency).map(
      zones,
      async ({ name }) => [name, await client.listDnsRecords(name, host.signal)] as const,
    ),
  ]);
  return { connected, records: new Map(records) };
}

/** Reports the records that are kept and the notices, and logs them. @throws the run's signal's reason */
async function reportKept(host: Host, plan: DomainsPlan, report: PartialReport): Promise<void> {
  const managed = await listRecords(host, plan, 'managed');
  const undeclared = await listRecords(host, plan, 'undeclared');
  if (undeclared.length > 0) {
    const records = countOf(undeclared.length, safe`record`);
    const text = safe`${records} only on the service, kept: see the summary`;
    host.report({ type: 'note', text });
  }
  const notices = plan.zones.flatMap((zone) => zone.plan.notices);
  for (const text of notices) host.report({ type: 'note', text });
  Object.assign(report, { managed, undeclared, notices });
}

/** The records of all zones that the file does not declare or can't change. @throws the run's signal's reason */
async function listRecords(
  host: Host,
  { zones }: DomainsPlan,
  which: 'managed' | 'undeclared',
): Promise<ListedRecord[]> {
  const records = zones.flatMap(({ domain, plan }) =>
    plan[which].map((record) => ({ domain, record })),
  );
  return await cleanEach(host, records, ({ domain, record }) =>
    listRecord(domain, record, host.cleanLine),
  );
}

/** The most characters of a list of problems: it becomes one annotation. */
const longestProblems = 3500;

/** Why a plan can't be written, so that showing it fails, too; undefined if it can. */
function whyUnwritable({ clean }: Host, plan: DomainsPlan): Stop | undefined {
  const problems = planProblems(plan).map((problem) => clean(problem));
  if (problems.length === 0) return undefined;
  const all = shorten(joinSafe(problems, '; '), longestProblems);
  return new Stop('failed', diagnose('SD6105', safe`Nothing was changed: ${all}`));
}

const unmerged = diagnose(
  'SD6106',
  safe`Nothing was changed: unmerged code must not change domains. Use mode: plan and apply the site file after the merge, or set allow-production: true.`,
);

/** Why a plan must not be applied; undefined if it may. */
function whyRefused(
  { planOnly, guarded, gates }: DomainsRequest,
  plan: DomainsPlan,
  digest: string,
): Stop | undefined {
  const changed = countChangedDomains(plan);
  const settings = plan.settings.length;
  if (guarded && !planOnly && changed + settings > 0) return new Stop('failed', unmerged);
  const records = plan.zones.flatMap((zone) => zone.plan.records);
  const size = plan.connections.length + records.length;
  const stopped = refusePlan({ digest, changed, settings, size }, gates);
  return stopped && new Stop(stopped.outcome, stopped.diagnostic);
}

/** Logs the plan without applying it. */
function logPlan(host: Host, results: readonly ChangeResult[]): void {
  const isNew = new Set(
    results.filter(({ action }) => action === 'connect').map(({ name }) => name),
  );
  for (const result of results) {
    const { action, name } = result;
    // A new domain is one line, as in the summary.
    if (action === 'assign' && isNew.has(name)) continue;
    host.report({ type: 'lines', entries: changeLines(result) });
  }
}

/**
 * Follows the verification of the declared domains. A failure is a warning.
 *
 * @returns the results, those as unconfirmed that only the response to the assignment shows
 */
async function followConnections(
  run: Run,
  { declared, customStatuses }: DomainsRequest,
  timeout: number,
  results: readonly ChangeResult[],
  current: KnownDomains,
): Promise<readonly ChangeResult[]> {
  const { host } = run;
  const assigned = results.filter(
    ({ action, outcome }) => action === 'assign' && outcome === 'done',
  );
  const unread = new Set<string>(assigned.map(({ name }) => name));
  const trouble = await followDomains(run, {
    hostnames: declared.connections.map(({ hostname }) => hostname),
    known: current,
    unread,
    projectId: undefined,
    timeout,
    customStatuses,
    read: async (some, revalidate, bounds) => {
      const domains = await run.client.readConnectedDomainStatuses(some, revalidate, bounds);
      return new Map(domains.map((domain) => [domain.hostname.toLowerCase(), domain]));
    },
    onRead: warnOfStatuses(host, customStatuses),
    signal: host.signal,
  });
  if (trouble !== undefined) {
    const text = safe`Following the verification failed. ${trouble.message}`;
    host.report({ type: 'warning', diagnostic: diagnose('SD6107', text) });
    return results;
  }
  const projects = new Map<string, string | null | undefined>(
    declared.connections.map((one) => [one.hostname, one.projectId]),
  );
  return results.map((result) => {
    if (!assigned.includes(result)) return result;
    const domain = unread.has(result.name) ? undefined : current.get(result.name);
    if (isAssignedTo(domain, projects.get(result.name) ?? null)) return result;
    const reason = safe`the service accepted it, but shows ${describeAssignment(host, domain)}`;
    return { ...result, outcome: 'unconfirmed', reason };
  });
}

/** The most warnings about unknown statuses. */
const mostWarnings = 5;

/** Makes the function that warns once of each unknown status of domains, with the inputs that define it. */
function warnOfStatuses(
  { report, clean }: Host,
  customStatuses: CustomStatuses = noCustomStatuses,
): (domain: ConnectedDomain) => void {
  const warned = new Set<string>();
  return (domain) => {
    for (const word of unknownStatuses(domain, customStatuses)) {
      if (warned.has(word) || warned.size === mostWarnings) continue;
      warned.add(word);
      const text = safe`Domain ${clean(domain.hostname)}: ${describeCustomStatus(clean(word))}`;
      report({ type: 'warning', diagnostic: diagnose('SD6111', text) });
    }
  };
}

/** Determines the outcome. @throws Stop if something failed */
function outcomeOf(
  host: Host,
  { planOnly, follow }: DomainsRequest,
  report: PartialReport,
): RunOutcome {
  const faults = describeFaults(report, planOnly ? undefined : follow);
  for (const text of faults.warnings) host.report({ type: 'warning', diagnostic: text });
  if (faults.error !== undefined) throw new Stop('failed', faults.error);
  if (planOnly) return { outcome: 'planned' };
  const isShown = report.results.every(({ outcome }) => outcome !== 'unconfirmed');
  return { outcome: isShown ? 'synced' : 'unconfirmed' };
}
