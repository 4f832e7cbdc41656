import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import type { DnsRecord } from '../../contract/dns-record.ts';
import { digestOf, type PlannedChange } from '../change.ts';
import { zoneFacts } from '../dns/facts.ts';
import { planZone, type ZonePlan } from '../dns/plan.ts';
import type { RecordPlan } from '../dns/plan-record.ts';
import { type DeclaredRecord, shown, titleOf } from '../dns/record.ts';
import { clean as cleanText } from '../text/clean.ts';
import { type ConnectionPlan, planConnection } from './connection.ts';
import type { DeclaredDomains, DeclaredRegistration } from './declared.ts';

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

/** The plan for the DNS records of one registered domain. */
export interface NamedZone {
  domain: string;
  plan: ZonePlan;
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

/** The plan of one zone, in which what the service shows is free of secrets, too. */
function planNamedZone(
  domain: string,
  declared: readonly DeclaredRecord[],
  observed: readonly DnsRecord[],
  clean: (text: string) => string,
): NamedZone {
  const { records, ...rest } = planZone(domain, declared, observed);
  const told = records.map((record) => ({ ...record, reason: clean(record.reason) }));
  return { domain, plan: { ...rest, records: told } };
}

/** Plans a site's domains against what the service shows. Pure. */
export function planDomains(
  { connections, registrations }: DeclaredDomains,
  { connected, records }: ObservedDomains,
  clean: (text: string) => string,
): DomainsPlan {
  return {
    connections: connections.map((one) => planConnection(one, connected, clean)),
    settings: registrations.flatMap(settingsOf),
    zones: registrations.flatMap(({ name: domain, records: declared }) =>
      declared === undefined
        ? []
        : [planNamedZone(domain, declared, records.get(domain) ?? [], clean)],
    ),
  };
}

/** A record in words that no other declared one has: `A www.example.com "203.0.113.10"`, `CAA … issue "ca.example"`. */
export function nameOfRecord(plan: RecordPlan): string {
  const { tag = '', port = '', content } = plan.declared;
  const parts = [titleOf(plan), cleanText(tag), String(port), shown(content)];
  return parts.filter((part) => part !== '').join(' ');
}

/** The changes of a plan, connected domains first. */
export function domainChanges({ connections, zones }: DomainsPlan): PlannedChange[] {
  const connecting = connections.flatMap(({ declared: { hostname: name }, actions, reason }) =>
    actions.map((action) => ({
      type: 'domain' as const,
      resource: 'connected-domain' as const,
      name,
      action,
      reason,
    })),
  );
  const records = zones.flatMap(({ plan }) =>
    plan.records
      .filter(({ action }) => action !== 'none')
      .map((record) => ({
        type: 'domain' as const,
        resource: 'dns-record' as const,
        name: nameOfRecord(record),
        action: record.action,
        reason: record.reason,
      })),
  );
  return [...connecting, ...records];
}

/**
 * A digest of what a plan would do, beside the environment's own. Settings are part of it, because they are
 * set on each apply; a plan that only has settings has the digest of what they are.
 */
export function domainsDigest(
  { connections, settings, zones }: DomainsPlan,
  environment: string | undefined,
): string {
  return digestOf([
    'domains',
    connections
      .filter(({ actions }) => actions.length > 0)
      .map(({ declared: { hostname, projectId }, actions, observed }) => [
        hostname,
        projectId ?? null,
        actions,
        observed?.projectId ?? null,
      ]),
    settings.map(({ domain, kind, value }) => [domain, kind, value]),
    zones.map(({ domain, plan }) => [domain, zoneFacts(plan)]),
    environment ?? null,
  ]);
}

/** What of a plan cannot be applied, as whole sentences' parts: one for each record. */
export function planProblems({ zones }: DomainsPlan): string[] {
  return zones.flatMap(({ plan }) => plan.problems.map(({ message }) => message));
}
