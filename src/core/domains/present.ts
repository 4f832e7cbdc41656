import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import type { DnsRecord } from '../../contract/dns-record.ts';
import { isManaged } from '../dns/record.ts';
import { assignedTo } from '../preview/domain-state.ts';
import { previewReport } from '../preview/preview-report.ts';
import type {
  ChangeResult,
  ConnectedReport,
  DomainsReport,
  ListedRecord,
} from '../report/domains-report.ts';
import { formatDuration } from '../text/duration.ts';
import { type DomainsPlan, domainChanges, type NamedZone } from './plan.ts';

type Clean = (text: string) => string;

/** What a plan would do, in the words of a report. */
export function plannedResults(plan: DomainsPlan): ChangeResult[] {
  const changes = domainChanges(plan).map(({ resource, name, action, reason }) => ({
    resource,
    name,
    action,
    outcome: 'planned' as const,
    reason,
  }));
  const settings = plan.settings.map(({ domain: name, kind, wanted }) => ({
    resource: 'registered-domain' as const,
    name,
    action: kind === 'renewal' ? `renewal ${wanted}` : wanted,
    outcome: 'planned' as const,
    reason: 'how it is cannot be read, so it is set on each run and counts as no change',
  }));
  return [...changes, ...settings];
}

function listed(
  { domain, plan }: NamedZone,
  which: 'managed' | 'undeclared',
  clean: Clean,
): ListedRecord[] {
  return plan[which].map((record: DnsRecord) => ({
    domain,
    type: clean(record.type),
    name: clean(record.name),
    content: clean(record.content),
    managed: isManaged(record) ? clean(record.managedReason ?? record.managedBy ?? '') : '',
  }));
}

/** What a plan leaves in place, and how much is as declared already. */
export function listZones(
  { zones, connections }: DomainsPlan,
  clean: Clean,
): Pick<DomainsReport, 'undeclared' | 'managed' | 'unchanged'> {
  const records = zones.flatMap(({ plan }) => plan.records);
  return {
    undeclared: zones.flatMap((zone) => listed(zone, 'undeclared', clean)),
    managed: zones.flatMap((zone) => listed(zone, 'managed', clean)),
    unchanged:
      records.filter(({ action }) => action === 'none').length +
      connections.filter(({ actions }) => actions.length === 0).length,
  };
}

/** The declared connected domains as they were last seen; those that are not connected are left out. */
export function reportConnected(
  { connections }: DomainsPlan,
  seen: ReadonlyMap<string, ConnectedDomain>,
  clean: Clean,
): ConnectedReport[] {
  return connections.flatMap(({ declared: { hostname } }) => {
    const domain = seen.get(hostname);
    if (domain === undefined) return [];
    const projectId = clean(assignedTo(domain) ?? '');
    return [{ ...previewReport(hostname, domain, clean), projectId }];
  });
}

/** What of a report somebody has to know or to mend. */
export interface Faults {
  /** Why the run failed; undefined if it did not. */
  error: string | undefined;
  warnings: string[];
}

const names = (some: readonly { name: string }[]): string =>
  some
    .slice(0, 10)
    .map(({ name }) => name)
    .concat(some.length > 10 ? [`${some.length - 10} more`] : [])
    .join(', ');

/**
 * Judges what a run did.
 *
 * @param followed how long verification was followed, in milliseconds; undefined: it was not
 */
export function describeFaults(
  { results, connected }: Pick<DomainsReport, 'results' | 'connected'>,
  followed: number | undefined,
): Faults {
  const failed = results.filter(({ outcome }) => outcome === 'failed');
  const unconfirmed = results.filter(({ outcome }) => outcome === 'unconfirmed');
  const assigned = connected.filter(({ projectId }) => projectId !== '');
  const hosts = (verification: string) =>
    assigned
      .filter((domain) => domain.verification === verification)
      .map(({ hostname: name }) => ({ name }));
  const [bad, pending] = followed === undefined ? [[], []] : [hosts('bad'), hosts('pending')];
  const errors = [
    ...(failed.length === 0
      ? []
      : [
          `${failed.length} of ${results.length} changes failed: ${names(failed)}. ${failed[0]?.reason ?? ''}`,
        ]),
    ...(bad.length === 0 ? [] : [`The verification of ${names(bad)} failed: see the summary.`]),
  ];
  const warnings = [
    ...unconfirmed.map(({ name, action, reason }) => `${name}, ${action}: ${reason}.`),
    ...(pending.length === 0 || followed === undefined
      ? []
      : [
          `Not verified after ${formatDuration(followed)}: ${names(pending)}. The summary lists the DNS records to make.`,
        ]),
  ];
  return { error: errors.length === 0 ? undefined : errors.join(' '), warnings };
}
