import type { DnsRecord } from '../../contract/dns-record.ts';
import { type Coded, coded, joinCoded } from '../../kernel/catalogue/coded.ts';
import type { DomainChange } from '../../kernel/change.ts';
import { formatDuration } from '../../kernel/text/duration.ts';
import { joinSafe, type SafeText, safe, shorten, trusted } from '../../kernel/text/safe.ts';
import { cleanTexts } from './clean-texts.ts';
import { isManaged, type Sanitize } from './dns/record.ts';
import type { Verification } from './domain-state.ts';
import type { ChangeResult, DomainsReport, ListedRecord } from './domains-report.ts';
import type { DomainsPlan } from './plan-domains.ts';

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
    name: trusted(domain),
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
    domain: trusted(domain),
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
  error: Coded | undefined;
  warnings: Coded[];
}

const names = (some: readonly { name: SafeText }[]): SafeText =>
  joinSafe(
    some
      .slice(0, 10)
      .map(({ name }) => name)
      .concat(some.length > 10 ? [safe`${some.length - 10} more`] : []),
    ', ',
  );

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
    ...(failed.length === 0
      ? []
      : [
          coded(
            'SD6101',
            safe`${failed.length} of ${results.length} writes failed: ${names(failed)}. ${failed.find(({ isRepeated }) => isRepeated !== true)?.reason ?? safe``}`,
          ),
        ]),
    ...(bad.length === 0
      ? []
      : [coded('SD6102', safe`The verification of ${names(bad)} failed: see the summary.`)]),
  ];
  const warnings = [
    ...unconfirmed.map(({ name, action, reason }) =>
      coded('SD6104', safe`${name}, ${trusted(action)}: ${reason}`),
    ),
    ...(pending.length === 0 || followed === undefined
      ? []
      : [
          coded(
            'SD6103',
            safe`Not verified after ${formatDuration(followed)}: ${names(pending)}. The summary lists the DNS records to make.`,
          ),
        ]),
    ...(unclear.length === 0 || followed === undefined
      ? []
      : [
          coded(
            'SD6103',
            safe`Not known to be verified after ${formatDuration(followed)}: ${names(unclear)}. The summary says what the service shows of them.`,
          ),
        ]),
  ];
  return { error: joinCoded(errors), warnings };
}
