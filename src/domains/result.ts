import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { DnsRecord } from '../contract/dns-record.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import { because, type DomainChange, type PlannedChange } from '../kernel/change.ts';
import { type Diagnostic, diagnose, joinDiagnostics, reword } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { RunReport } from '../report/closing.ts';
import { after, columns, type LogEntry, line } from '../report/log-entry.ts';
import { isManaged, type SanitizeLine, showDifference } from './dns/content.ts';
import { assignedTo, type DomainStatus, statusesOf, type Verification } from './evaluate.ts';
import { type AvailabilityRow, cleanTexts } from './model/availability.ts';
import { type DomainReport, previewReport } from './model/connected-domain-report.ts';
import { type DomainsPlan, describeSetting, type Setting } from './plan.ts';

/** The name of a planned change; a record's without its content, if that changes. */
function changedName({ name, record, differences = [] }: DomainChange): SafeText {
  const isContent = differences.some(({ field }) => field === 'content');
  return record === undefined || !isContent
    ? name
    : unsafeText(`${String(record['type'])} ${String(record['name'])}`);
}

/**
 * The reason of a planned change, with the project that a domain gets.
 *
 * @param projects the projects that connected domains get, by their names
 */
function reasonOf(
  { reason, resource, name, action, unnamed, differences }: DomainChange,
  projects: ReadonlyMap<SafeText, SafeText>,
): SafeText {
  const project = resource === 'connected-domain' ? projects.get(name) : undefined;
  if (project !== undefined)
    return action === 'connect'
      ? safe`assigned to project ${project}`
      : safe`${reason}; to project ${project}`;
  // The reason of the others is shortened.
  return differences && !unnamed ? joinSafe(differences.map(showDifference), '; ') : reason;
}

/** The planned changes as results. */
export function plannedResults(
  plan: DomainsPlan,
  planned: readonly DomainChange[],
): ChangeResult[] {
  const projects = new Map(
    planned.flatMap(({ name, project }) => (project?.to ? [[name, project.to] as const] : [])),
  );
  const changes = planned
    .filter(({ type }) => type === 'domain')
    .map((change) => ({
      resource: change.resource,
      name: changedName(change),
      action: change.action,
      outcome: 'planned' as const,
      reason: reasonOf(change, projects),
      ...(change.unnamed && { isUnnamed: true as const }),
    }));
  const settings = plan.settings.map((setting) => ({
    resource: 'registered-domain' as const,
    name: unsafeText(setting.domain),
    action: describeSetting(setting),
    setting: setting.kind,
    outcome: 'planned' as const,
    reason: safe`each time, because the service doesn't report it`,
  }));
  return [...changes, ...settings];
}

/** The most characters of each part of a listed record. */
const longestShort = 500;

/** A DNS record for a report. */
export function listRecord(
  domain: string,
  record: DnsRecord,
  sanitize: SanitizeLine,
): ListedRecord {
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

/** The number of declared records and connections that need no write. */
export function countUnchanged({ zones, connections }: DomainsPlan): number {
  const records = zones.flatMap(({ plan }) => plan.records);
  return (
    records.filter(({ action }) => action === 'none').length +
    connections.filter(({ actions }) => actions.length === 0).length
  );
}

/** The error and the warnings of a run. */
interface DomainFaults {
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

/** Describes failed writes by their first cause. */
function describeFailed(failed: readonly ChangeResult[], all: number): Diagnostic {
  const summary = safe`${failed.length} of ${all} writes failed: ${names(failed)}.`;
  const { cause } = failed.find((one) => one.cause !== undefined) ?? {};
  return cause === undefined
    ? diagnose('SD6101', summary)
    : reword(cause, (text) => safe`${summary} ${text}`);
}

/** What was not confirmed, as the object of a sentence. */
const describeUnconfirmed = ({ name, action, setting }: ChangeResult): SafeText =>
  setting === 'project'
    ? safe`that ${name} is ${unsafeText(action)}`
    : safe`"${unsafeText(action)}" for ${name}`;

/**
 * Derives the error and the warnings from a run's results.
 *
 * @param followed how long verification was followed, in milliseconds; undefined if it was not
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
      : [diagnose('SD6102', safe`Verification failed for ${names(bad)}; see the summary.`)]),
  ];
  const warnings = [
    ...unconfirmed.map((change) =>
      diagnose('SD6104', safe`Could not confirm ${describeUnconfirmed(change)}: ${change.reason}`),
    ),
    ...(pending.length === 0 || followed === undefined
      ? []
      : [
          diagnose(
            'SD6103',
            safe`Not verified after ${formatDuration(followed)}: ${names(pending)}. The summary lists the DNS records to create.`,
          ),
        ]),
    ...(unclear.length === 0 || followed === undefined
      ? []
      : [
          diagnose(
            'SD6103',
            safe`Not known to be verified after ${formatDuration(followed)}: ${names(unclear)}. The summary lists their statuses.`,
          ),
        ]),
  ];
  return { error: joinDiagnostics(errors), warnings };
}

/** The result, or planned result, of one write. */
export interface ChangeResult {
  resource: DomainChange['resource'];
  name: SafeText;
  /** Such as `create` or `renewal on`. */
  action: string;
  /** Of a registered domain: which of its settings. */
  setting?: Setting['kind'];
  outcome:
    | 'done'
    | 'planned'
    | 'failed'
    /** An earlier write failed, or the run ended. */
    | 'not-reached'
    /** The response does not show whether it took effect. */
    | 'unconfirmed';
  reason: SafeText;
  /** Why it failed; absent if another failure has the same cause. */
  cause?: Diagnostic;
  /** True if it would replace a record that the site file does not name. */
  isUnnamed?: true;
}

/** A DNS record as short texts, and with all its fields. */
export interface ListedRecord {
  domain: SafeText;
  type: SafeText;
  name: SafeText;
  content: SafeText;
  /** Why the service manages it; empty if it does not. */
  managed: SafeText;
  /** All its fields from the service; texts of up to 4,000 characters are complete. */
  whole: Readonly<Record<string, unknown>>;
}

/** A connected domain after a run. */
export interface ConnectedReport extends Omit<DomainReport, 'statuses'> {
  statuses: readonly DomainStatus<SafeText>[];
  /** Empty if it is assigned to none: then its routing is not part of its verification. */
  projectId: SafeText;
}

/** The report of the domains command. */
export interface DomainsReport extends RunReport {
  /** True if nothing was written: `mode: plan`, or a refused plan. */
  isPlanned: boolean;
  digest: string;
  changes: readonly PlannedChange[];
  results: readonly ChangeResult[];
  /** The number of declared records and connected domains that need no write. */
  unchanged: number;
  connected: readonly ConnectedReport[];
  undeclared: readonly ListedRecord[];
  managed: readonly ListedRecord[];
  /** What to change in the file although nothing is wrong with it. */
  notices: readonly SafeText[];
  availability: readonly AvailabilityRow[];
  /** Why a plan that is only shown would not be applied. */
  refusal?: Diagnostic;
  /** True if the step fails because the service differs from the file. */
  drifted?: true;
}

/** The number of settings of registered domains, which are not changes. */
export function countSettings({ results }: Pick<DomainsReport, 'results'>): number {
  return results.filter(({ resource }) => resource === 'registered-domain').length;
}

/** The report at the start of a run. */
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
    notices: [],
    availability: [],
  };
}

/** The most characters of a project's id. */
const longestId = 500;

/** The most characters of a status. */
const longestStatus = 200;

/** A domain without its routing status, which it can only have with a project. */
function withoutRouting({ routingStatus, ...domain }: ConnectedDomain): ConnectedDomain {
  return domain;
}

function reportDomain(
  hostname: string,
  domain: ConnectedDomain,
  sanitize: SanitizeLine,
  customStatuses: CustomStatuses | undefined,
): ConnectedReport {
  const projectId = assignedTo(domain);
  const judged = projectId === undefined ? withoutRouting(domain) : domain;
  const report = previewReport(hostname, judged, sanitize, { customStatuses });
  const instructions = report.verification === 'good' ? [] : (domain.instructions ?? []);
  return {
    ...report,
    statuses: statusesOf(judged).map(({ of, status }) => ({
      of,
      status: shorten(sanitize(status), longestStatus),
    })),
    // Not shortened, because they are to be copied.
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
 * The declared connected domains as last read, without those that are not connected.
 *
 * @param sanitize makes outside text printable and free of secrets
 */
export function reportConnected(
  { connections }: DomainsPlan,
  current: ReadonlyMap<string, ConnectedDomain>,
  sanitize: SanitizeLine,
  customStatuses?: CustomStatuses,
): ConnectedReport[] {
  return connections.flatMap(({ declared: { hostname } }) => {
    const domain = current.get(hostname);
    return domain === undefined ? [] : [reportDomain(hostname, domain, sanitize, customStatuses)];
  });
}

const changeMarks: Readonly<Record<ChangeResult['outcome'], string>> = {
  done: '✓',
  planned: '~',
  failed: '×',
  'not-reached': '?',
  unconfirmed: '!',
};

/** A write that was made, or that a plan would make. */
const actionNames: Readonly<Record<string, { done: string; planned: string }>> = {
  create: { done: 'created', planned: 'to create' },
  update: { done: 'updated', planned: 'to update' },
  connect: { done: 'connected', planned: 'to connect' },
  assign: { done: 'assigned', planned: 'to assign' },
  clear: { done: 'unassigned', planned: 'to unassign' },
};

/** What a write does, or has done. */
export const describeAction = ({ action, outcome }: ChangeResult): string =>
  outcome === 'done' || outcome === 'planned' ? (actionNames[action]?.[outcome] ?? action) : action;

/** The sign of a planned write, as in a plan; `*` is set each time. */
function signOf({ resource, action, outcome, isUnnamed }: ChangeResult): string {
  if (outcome !== 'planned') return changeMarks[outcome];
  if (isUnnamed === true) return '!';
  if (resource === 'registered-domain') return '*';
  if (action === 'clear') return '-';
  return action === 'create' || action === 'connect' ? '+' : '~';
}

/** One line for one write on a domain: its result or planned result, and why. */
function describeChange(change: ChangeResult): SafeText {
  const { name, outcome, reason } = change;
  const isAsPlanned = outcome === 'done' || outcome === 'planned';
  const end = isAsPlanned ? safe`` : safe` ${unsafeText(outcome.replace('-', ' '))}`;
  const isSetting = change.resource === 'registered-domain' && outcome === 'planned';
  if (isSetting)
    return columns(
      signOf(change),
      'to set',
      safe`${name}: ${unsafeText(change.action)} (${reason})`,
    );
  return columns(signOf(change), describeAction(change), safe`${name}${end}${because(reason)}`);
}

/** The log lines of a write on a domain. */
export const changeLines = (result: ChangeResult): LogEntry[] => line(describeChange(result));

const verifications: Readonly<Record<Verification, string>> = {
  good: 'is verified',
  bad: 'failed its verification',
  pending: 'is not verified yet',
  unclear: 'is not known to be verified',
};

/** The state of a domain's verification. */
interface ReportedDomain {
  hostname: SafeText;
  verification: Verification;
  statuses: SafeText;
  /** In milliseconds. */
  elapsed: number;
}

/** The log lines of a domain whose state changed. */
export function domainLines({
  hostname,
  verification,
  statuses,
  elapsed,
}: ReportedDomain): LogEntry[] {
  const words = statuses === '' ? safe`no status reported` : statuses;
  const detail = verification === 'good' ? safe`` : safe` (${words})`;
  return line(
    safe`Domain ${hostname} ${unsafeText(verifications[verification])}${detail}${after(elapsed)}`,
  );
}
