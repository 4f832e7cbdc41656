import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { DnsRecord } from '../contract/dns-record.ts';
import type { CustomWords } from '../follow/model/status.ts';
import type { DomainChange, PlannedChange } from '../kernel/change.ts';
import { type Diagnostic, diagnose, joinDiagnostics, reword } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import { isManaged, type Sanitize } from './dns/record.ts';
import { assignedTo, type DomainStatus, statusesOf, type Verification } from './evaluate.ts';
import { type AvailabilityRow, cleanTexts } from './model/availability.ts';
import { type DomainReport, previewReport } from './model/connected-domain-report.ts';
import type { DomainsPlan } from './plan.ts';

/** What a plan would do, in the words of a report. */
export function plannedResults(
  plan: DomainsPlan,
  planned: readonly DomainChange[],
): ChangeResult[] {
  const changes = planned
    .filter(({ type }) => type === 'domain')
    .map(({ resource, name, action, reason, undeclared }) => ({
      resource,
      name,
      action,
      outcome: 'planned' as const,
      reason: undeclared
        ? safe`in the place of one that this file did not declare: ${reason}`
        : reason,
    }));
  const settings = plan.settings.map(({ domain, kind, wanted }) => ({
    resource: 'registered-domain' as const,
    name: unsafeText(domain),
    action: kind === 'renewal' ? `renewal ${wanted}` : wanted,
    outcome: 'planned' as const,
    reason: safe`the service does not show it, so it is set each time, and counted apart from changes`,
  }));
  return [...changes, ...settings];
}

/** The most characters of a listed record's part. */
const longestShort = 500;

/** A record of a zone as it is reported. */
export function listRecord(domain: string, record: DnsRecord, sanitize: Sanitize): ListedRecord {
  const short = (text: string) => shorten(sanitize(text), longestShort);
  return {
    domain: unsafeText(domain),
    type: short(record.type),
    name: short(record.name),
    content: short(record.content),
    managed: isManaged(record) ? short(record.managedReason ?? record.managedBy ?? '') : safe``,
    whole: cleanTexts(record, sanitize),
  };
}

/** How many of the declared records and connections are as they should be. */
export function countUnchanged({ zones, connections }: DomainsPlan): number {
  const records = zones.flatMap(({ plan }) => plan.records);
  return (
    records.filter(({ action }) => action === 'none').length +
    connections.filter(({ actions }) => actions.length === 0).length
  );
}

/** What of a report somebody has to know or to mend. */
export interface DomainFaults {
  /** Why the run failed; undefined if it did not. */
  error: Diagnostic | undefined;
  warnings: Diagnostic[];
}

const names = (some: readonly { name: SafeText }[]): SafeText =>
  joinSafe(
    some
      .slice(0, 10)
      .map(({ name }) => name)
      .concat(some.length > 10 ? [safe`${some.length - 10} more`] : []),
    ', ',
  );

/** What is said of the writes that failed: the first cause, which says what happened. */
function describeFailed(failed: readonly ChangeResult[], all: number): Diagnostic {
  const said = safe`${failed.length} of ${all} writes failed: ${names(failed)}.`;
  const { cause } = failed.find((one) => one.cause !== undefined) ?? {};
  return cause === undefined
    ? diagnose('SD6101', said)
    : reword(cause, (text) => safe`${said} ${text}`);
}

/**
 * Judges what a run did.
 *
 * @param followed how long verification was followed, in milliseconds; undefined: it was not
 */
export function describeFaults(
  { results, connected }: Pick<DomainsReport, 'results' | 'connected'>,
  followed: number | undefined,
): DomainFaults {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const unconfirmed = results.filter(({ outcome }) => outcome === 'unconfirmed');
  const assigned = connected.filter(({ projectId }) => projectId !== '');
  const hosts = (verification: Verification) =>
    assigned
      .filter((domain) => domain.verification === verification)
      .map(({ hostname: name }) => ({ name }));
  const [bad, pending, unclear] =
    followed === undefined ? [[], [], []] : [hosts('bad'), hosts('pending'), hosts('unclear')];
  const errors = [
    ...(failed.length === 0 ? [] : [describeFailed(failed, results.length)]),
    ...(bad.length === 0
      ? []
      : [diagnose('SD6102', safe`The verification of ${names(bad)} failed: see the summary.`)]),
  ];
  const warnings = [
    ...unconfirmed.map(({ name, action, reason }) =>
      diagnose('SD6104', safe`${name}, ${unsafeText(action)}: ${reason}`),
    ),
    ...(pending.length === 0 || followed === undefined
      ? []
      : [
          diagnose(
            'SD6103',
            safe`Not verified after ${formatDuration(followed)}: ${names(pending)}. The summary lists the DNS records to make.`,
          ),
        ]),
    ...(unclear.length === 0 || followed === undefined
      ? []
      : [
          diagnose(
            'SD6103',
            safe`Not known to be verified after ${formatDuration(followed)}: ${names(unclear)}. The summary says what the service shows of them.`,
          ),
        ]),
  ];
  return { error: joinDiagnostics(errors), warnings };
}

/** What became of one write, or would become of it. */
export interface ChangeResult {
  resource: DomainChange['resource'];
  name: SafeText;
  /** What was to be done, such as `create` or `renewal on`. */
  action: string;
  outcome:
    | 'done'
    /** Of a plan. */
    | 'planned'
    | 'failed'
    /** Something before it failed, or the run ended. */
    | 'not-reached'
    /** The service's answer does not say whether it is so. */
    | 'unconfirmed';
  /** Why, in words. */
  reason: SafeText;
  /** Why it failed; absent where another one that failed alike has it. */
  cause?: Diagnostic;
}

/** A DNS record in a line, for people, and as a whole. */
export interface ListedRecord {
  domain: SafeText;
  type: SafeText;
  name: SafeText;
  content: SafeText;
  /** Why it is managed by the system; empty if it is not. */
  managed: SafeText;
  /** All its fields as the service shows them, texts of up to 4,000 characters not cut. */
  whole: Readonly<Record<string, unknown>>;
}

/** A connected domain after a run. */
export interface ConnectedReport extends Omit<DomainReport, 'statuses'> {
  /** Each status that it shows. */
  statuses: readonly DomainStatus<SafeText>[];
  /** Empty if it is assigned to none: then its routing is no part of its verification. */
  projectId: SafeText;
}

/** Everything that a run of the domains command has to say. */
export interface DomainsReport {
  outcome: Outcome;
  /** True if nothing was written: `mode: plan`, or a plan that was refused. */
  isPlanned: boolean;
  digest: string;
  changes: readonly PlannedChange[];
  results: readonly ChangeResult[];
  /** How many declared records, and connected domains, are as declared already. */
  unchanged: number;
  connected: readonly ConnectedReport[];
  undeclared: readonly ListedRecord[];
  managed: readonly ListedRecord[];
  availability: readonly AvailabilityRow[];
  /** Why a plan that is only shown would not be applied. */
  refusal?: Diagnostic;
  /** True if the step fails because the service is not as the file says. */
  drifted?: true;
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}

/** How many settings of registered domains a report holds: they are set on each apply, and are no changes. */
export function countSettings({ results }: Pick<DomainsReport, 'results'>): number {
  return results.filter(({ resource }) => resource === 'registered-domain').length;
}

/** The report of a run that did nothing yet. */
export function emptyReport(): Omit<DomainsReport, 'outcome' | 'requests' | 'durationMs'> {
  return {
    isPlanned: false,
    digest: '',
    changes: [],
    results: [],
    unchanged: 0,
    connected: [],
    undeclared: [],
    managed: [],
    availability: [],
  };
}

/** The most characters of a project's id. */
const longestId = 500;

/** The most characters of a status. */
const longestStatus = 200;

/** A domain without the status that it can only have with a project: without one it routes nowhere. */
function withoutRouting({ routingStatus, ...domain }: ConnectedDomain): ConnectedDomain {
  return domain;
}

function reportDomain(
  hostname: string,
  domain: ConnectedDomain,
  sanitize: Sanitize,
  customWords: CustomWords | undefined,
): ConnectedReport {
  const projectId = assignedTo(domain);
  const judged = projectId === undefined ? withoutRouting(domain) : domain;
  const report = previewReport(hostname, judged, sanitize, { customWords });
  const instructions = report.verification === 'good' ? [] : (domain.instructions ?? []);
  return {
    ...report,
    statuses: statusesOf(judged).map(({ of, status }) => ({
      of,
      status: shorten(sanitize(status), longestStatus),
    })),
    // Whole, because they are to be copied.
    records: instructions.map(({ type, name, value, purpose, required }) => ({
      type: sanitize(type),
      name: sanitize(name),
      value: sanitize(value),
      purpose: sanitize(purpose ?? ''),
      required: required !== false,
    })),
    projectId: shorten(sanitize(projectId ?? ''), longestId),
  };
}

/**
 * The declared connected domains as they were last seen; those that are not connected are left out.
 *
 * @param sanitize makes outside text printable and free of secrets
 * @param customWords the words that the workflow adds
 */
export function reportConnected(
  { connections }: DomainsPlan,
  seen: ReadonlyMap<string, ConnectedDomain>,
  sanitize: Sanitize,
  customWords?: CustomWords,
): ConnectedReport[] {
  return connections.flatMap(({ declared: { hostname } }) => {
    const domain = seen.get(hostname);
    return domain === undefined ? [] : [reportDomain(hostname, domain, sanitize, customWords)];
  });
}
