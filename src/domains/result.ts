import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { DnsRecord } from '../contract/dns-record.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import { because, type DomainChange, type PlannedChange } from '../kernel/change.ts';
import { type Diagnostic, diagnose, joinDiagnostics, reword } from '../kernel/diagnostic.ts';
import { mapTexts } from '../kernel/json.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { RunReport } from '../report/closing.ts';
import { after, columns, type LogEntry, line } from '../report/log-entry.ts';
import { isManaged, type SanitizeLine, showDifference } from './dns/content.ts';
import { assignedTo, type DomainStatus, statusesOf } from './evaluate.ts';
import type { AvailabilityRow } from './model/availability.ts';
import {
  type DomainReport,
  describeVerification,
  previewReport,
  verifications,
} from './model/connected-domain-report.ts';
import { type DomainsPlan, describeSetting, type Setting } from './plan.ts';

/** The result, or planned result, of one write. */
export interface ChangeResult {
  resource: DomainChange['resource'];
  name: SafeText;
  /** A setting as text, such as `renewal on`, or what is done. */
  action: DomainChange['action'] | SafeText;
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
  isUnnamed?: true | undefined;
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
  whole: DnsRecord;
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

/** The number of settings of registered domains, which are not changes. */
export function countSettings({ results }: Pick<DomainsReport, 'results'>): number {
  return results.filter(({ resource }) => resource === 'registered-domain').length;
}

/** The number of declared records and connections that need no write. */
export function countUnchanged({ zones, connections }: DomainsPlan): number {
  const records = zones.flatMap(({ plan }) => plan.records);
  return (
    records.filter(({ action }) => action === 'none').length +
    connections.filter(({ actions }) => actions.length === 0).length
  );
}

/** The planned changes as results. */
export function plannedResults(
  plan: DomainsPlan,
  planned: readonly DomainChange[],
): ChangeResult[] {
  /** The projects that connected domains get, by their names. */
  const projects = new Map<SafeText, SafeText>();
  for (const { name, project } of planned) if (project?.to) projects.set(name, project.to);
  const changes = planned.map((change): ChangeResult => {
    const { resource, name, action, record, differences = [], unnamed } = change;
    const isContent = differences.some(({ field }) => field === 'content');
    return {
      resource,
      // A record's content is in the reason, if it changes.
      name:
        record !== undefined && isContent
          ? unsafeText(`${record['type']} ${record['name']}`)
          : name,
      action,
      outcome: 'planned',
      reason: reasonOf(change, projects.get(name)),
      isUnnamed: unnamed,
    };
  });
  const settings = plan.settings.map(
    (setting): ChangeResult => ({
      resource: 'registered-domain',
      name: setting.domain,
      action: describeSetting(setting),
      setting: setting.kind,
      outcome: 'planned',
      reason: safe`each time, because the service doesn't report it`,
    }),
  );
  return [...changes, ...settings];
}

/** The reason of a planned change, with the project that a connected domain gets. */
function reasonOf(
  { reason, resource, action, unnamed, differences }: DomainChange,
  project: SafeText | undefined,
): SafeText {
  if (resource === 'connected-domain' && project !== undefined) {
    return action === 'connect'
      ? safe`assigned to project ${project}`
      : safe`${reason}; to project ${project}`;
  }
  // The reason of the others is shortened.
  return differences && !unnamed ? joinSafe(differences.map(showDifference), '; ') : reason;
}

/** The most characters of each part of a listed record. */
const longestShort = 500;

/** A DNS record for a report. */
export function listRecord(
  domain: SafeText,
  record: DnsRecord,
  sanitize: SanitizeLine,
): ListedRecord {
  const short = (text: string) => shorten(sanitize(text), longestShort);
  return {
    domain,
    type: short(record.type),
    name: short(record.name),
    content: short(record.content),
    managed: isManaged(record) ? short(record.managedReason ?? record.managedBy ?? '') : safe``,
    whole: mapTexts(record, sanitize),
  };
}

/** The most characters of a project's id. */
const longestId = 500;

/** The most characters of a status. */
const longestStatus = 200;

/**
 * A connected domain as last read.
 *
 * @param hostname the requested one
 * @param sanitize makes outside text printable and free of secrets
 */
export function reportConnected(
  hostname: string,
  domain: ConnectedDomain,
  sanitize: SanitizeLine,
  customStatuses?: CustomStatuses,
): ConnectedReport {
  const projectId = assignedTo(domain);
  // Without a project it has no routing.
  const judged = projectId === undefined ? { ...domain, routingStatus: undefined } : domain;
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

/** The state of a connected domain's verification with its statuses, to follow its name. */
export function describeConnected(domain: ConnectedReport): SafeText {
  const words = domain.statuses.map(({ of, status }) => safe`${of} ${status}`);
  return describeVerification(domain, shorten(joinSafe(words, ', '), longestStatus));
}

/** A connected domain as an output: what is empty is absent. */
export const domainOutput = ({ projectId, state, records, ...domain }: ConnectedReport) => ({
  ...domain,
  'project-id': projectId || undefined,
  state: state || undefined,
  records: records.map((record) => ({ ...record, purpose: record.purpose || undefined })),
});

/**
 * Derives from a run's results why it failed, undefined if it did not, and the warnings.
 *
 * @param followed how long verification was followed, in milliseconds; undefined if it was not
 */
export function describeFaults(
  { results, connected }: Pick<DomainsReport, 'results' | 'connected'>,
  followed: number | undefined,
): { error: Diagnostic | undefined; warnings: Diagnostic[] } {
  const errors: Diagnostic[] = [];
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  if (failed.length > 0) errors.push(describeFailed(failed, results.length));
  const warnings = results
    .filter(({ outcome }) => outcome === 'unconfirmed')
    .map((change) =>
      diagnose('SD6104', safe`Could not confirm ${describeUnconfirmed(change)}: ${change.reason}`),
    );
  if (followed === undefined) return { error: joinDiagnostics(errors), warnings };
  const assigned = Object.groupBy(
    connected.filter(({ projectId }) => projectId !== ''),
    ({ verification }) => verification,
  );
  const { bad, pending, unclear } = assigned;
  const limit = formatDuration(followed);
  if (bad !== undefined) {
    const text = safe`Verification failed for ${listHosts(bad)}; see the summary.`;
    errors.push(diagnose('SD6102', text));
  }
  if (pending !== undefined) {
    const text = safe`Not verified after ${limit}: ${listHosts(pending)}. The summary lists the DNS records to create.`;
    warnings.push(diagnose('SD6103', text));
  }
  if (unclear !== undefined) {
    const text = safe`Not known to be verified after ${limit}: ${listHosts(unclear)}. The summary lists their statuses.`;
    warnings.push(diagnose('SD6103', text));
  }
  return { error: joinDiagnostics(errors), warnings };
}

/** Describes failed writes by their first cause. */
function describeFailed(failed: readonly ChangeResult[], all: number): Diagnostic {
  const names = listTen(failed.map(({ name }) => name));
  const summary = safe`${failed.length} of ${all} writes failed: ${names}.`;
  const { cause } = failed.find((one) => one.cause !== undefined) ?? {};
  return cause === undefined
    ? diagnose('SD6101', summary)
    : reword(cause, (text) => safe`${summary} ${text}`);
}

/** What was not confirmed, as the object of a sentence. */
const describeUnconfirmed = ({ name, action, setting }: ChangeResult): SafeText =>
  setting === 'project' ? safe`that ${name} is ${action}` : safe`"${action}" for ${name}`;

const listHosts = (domains: readonly ConnectedReport[]): SafeText =>
  listTen(domains.map(({ hostname }) => hostname));

/** The first ten names, and the number of the others. */
function listTen(names: readonly SafeText[]): SafeText {
  const listed = names.slice(0, 10);
  if (names.length > 10) listed.push(safe`${names.length - 10} more`);
  return joinSafe(listed, ', ');
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

/** The result of a write, as a text has it. */
export const nameOfResult = (outcome: ChangeResult['outcome']) =>
  outcome === 'not-reached' ? 'not reached' : outcome;

/** What a write does, or has done. */
export const describeAction = ({ action, outcome }: ChangeResult): string =>
  outcome === 'done' || outcome === 'planned' ? (actionNames[action]?.[outcome] ?? action) : action;

/** The log lines of a write on a domain: its result or planned result, and why. */
export function changeLines(change: ChangeResult): LogEntry[] {
  const { resource, name, action, outcome, reason } = change;
  if (resource === 'registered-domain' && outcome === 'planned') {
    const text = safe`${name}: ${action} (${reason})`;
    return line(columns(signOf(change), 'to set', text));
  }
  const isAsPlanned = outcome === 'done' || outcome === 'planned';
  const end = isAsPlanned ? safe`` : safe` ${nameOfResult(outcome)}`;
  const text = safe`${name}${end}${because(reason)}`;
  return line(columns(signOf(change), describeAction(change), text));
}

/** The sign of a planned write, as in a plan; `*` is set each time. */
function signOf({ resource, action, outcome, isUnnamed }: ChangeResult): string {
  if (outcome !== 'planned') return changeMarks[outcome];
  if (isUnnamed === true) return '!';
  if (resource === 'registered-domain') return '*';
  if (action === 'clear') return '-';
  return action === 'create' || action === 'connect' ? '+' : '~';
}

/** The log lines of a domain whose state changed. `elapsed` is in milliseconds. */
export function domainLines({
  hostname,
  verification,
  statuses,
  elapsed,
}: Pick<DomainReport, 'hostname' | 'verification' | 'statuses'> & { elapsed: number }): LogEntry[] {
  const words = statuses === '' ? safe`no status reported` : statuses;
  const detail = verification === 'good' ? safe`` : safe` (${words})`;
  return line(safe`Domain ${hostname} ${verifications[verification]}${detail}${after(elapsed)}`);
}
