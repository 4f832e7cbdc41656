import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import type { DnsRecord } from '../../contract/dns-record.ts';
import { joinSafe, type SafeText, safe, shorten, trusted } from '../../kernel/text/safe.ts';
import { type ConnectionPlan, planConnection } from './connection.ts';
import type { DeclaredDomains, DeclaredRegistration } from './declared.ts';
import { type KnownRecords, nothingKnown } from './dns/known.ts';
import { isInZone } from './dns/name.ts';
import type { RecordPlan } from './dns/plan-record.ts';
import { planZone, type ZonePlan } from './dns/plan-zone.ts';
import { longestShown, recordTitle, type Sanitize, shown } from './dns/record.ts';

/**
 * A setting of a registered domain. The service has no way to read it (section "Registered domains"), so it is
 * set on each apply and is never counted as a change.
 */
export interface Setting {
  domain: string;
  kind: 'renewal' | 'project';
  /** What it is to be, in words. */
  wanted: string;
  value: boolean | string | null;
}

/** What is to be done about one declared record, with its name for people. */
export type NamedRecord = RecordPlan & {
  /** See {@link nameOfRecord}: it is no identity, because it is cut. */
  title: SafeText;
};

/** The plan for the DNS records of one registered domain. */
export interface NamedZone {
  domain: string;
  plan: Omit<ZonePlan, 'records'> & { records: readonly NamedRecord[] };
}

/** The whole plan for a site's domains. */
export interface DomainsPlan {
  connections: readonly ConnectionPlan[];
  settings: readonly Setting[];
  zones: readonly NamedZone[];
}

/** What the service shows. */
export interface ObservedDomains {
  connected: readonly ConnectedDomain[];
  /** The records of each registered domain whose records are declared, by its name. */
  records: ReadonlyMap<string, readonly DnsRecord[]>;
}

function settingsOf({ name: domain, renewal, projectId }: DeclaredRegistration): Setting[] {
  const settings: Setting[] = [];
  if (renewal !== undefined) {
    settings.push({ domain, kind: 'renewal', wanted: renewal ? 'on' : 'off', value: renewal });
  }
  if (projectId !== undefined) {
    const wanted = projectId === null ? 'bound to no project' : `bound to ${projectId}`;
    settings.push({ domain, kind: 'project', wanted, value: projectId });
  }
  return settings;
}

/**
 * A record in words: `A www.example.com "203.0.113.10"`, `CAA … issue "ca.example"`. Two whose long contents begin
 * alike have the same words.
 *
 * @param others the other registered domains that have a plan: where one of them holds the name too, the record's
 * own zone is named
 * @param sanitize makes outside text printable and free of secrets
 */
function nameOfRecord(
  { type, name, declared: { tag = '', port, content } }: RecordPlan,
  zone: string,
  others: readonly string[],
  sanitize: Sanitize,
): SafeText {
  const isShared = others.some((other) => isInZone(other, name));
  const title = trusted(recordTitle({ type, name: sanitize(name) }));
  const parts = [
    title,
    shorten(sanitize(tag), longestShown),
    port === undefined ? safe`` : safe`${port}`,
    shown(content, sanitize),
  ];
  const words = joinSafe(
    parts.filter((part) => part !== ''),
    ' ',
  );
  return isShared ? safe`${words} in the zone ${trusted(zone)}` : words;
}

/** The plan of one zone. */
function planNamedZone(
  { name: domain, records: declared }: DeclaredRegistration,
  observed: readonly DnsRecord[],
  domains: readonly string[],
  sanitize: Sanitize,
  known: KnownRecords,
): NamedZone {
  const { records, ...rest } = planZone(domain, declared ?? [], observed, sanitize, known);
  const others = domains.filter((other) => other !== domain);
  const named = records.map((record) => ({
    ...record,
    title: nameOfRecord(record, domain, others, sanitize),
  }));
  return { domain, plan: { ...rest, records: named } };
}

/**
 * Plans a site's domains against what the service shows. Pure.
 *
 * @param sanitize makes outside text printable and free of secrets; it must not cut short, because a cut hides
 * where two texts differ
 * @param known the records of a zone that the file declared before
 */
export function planDomains(
  { connections, registrations }: DeclaredDomains,
  { connected, records }: ObservedDomains,
  sanitize: Sanitize,
  known: (domain: string) => KnownRecords = () => nothingKnown,
): DomainsPlan {
  const withRecords = registrations.filter((one) => one.records !== undefined);
  const domains = withRecords.map(({ name }) => name);
  return {
    connections: connections.map((one) => planConnection(one, connected, sanitize)),
    settings: registrations.flatMap(settingsOf),
    zones: withRecords.map((one) =>
      planNamedZone(one, records.get(one.name) ?? [], domains, sanitize, known(one.name)),
    ),
  };
}

/** What of a plan cannot be applied, as whole sentences' parts: one for each record. */
export function planProblems({ zones }: DomainsPlan): string[] {
  return zones.flatMap(({ plan }) => plan.problems.map(({ message }) => message));
}
