import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { DnsRecord } from '../contract/dns-record.ts';
import type { ProjectId } from '../contract/safe-text.ts';
import { type DomainChange, digestOf, isNew, type ShownValue } from '../kernel/change.ts';
import { joinSafe, type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import {
  type FieldValue,
  longestShown,
  recordTitle,
  type SanitizeLine,
  shown,
} from './dns/content.ts';
import { isInZone } from './dns/name.ts';
import type { RecordPlan } from './dns/plan-record.ts';
import { byText, planZone, type ZonePlan, zoneFacts } from './dns/plan-zone.ts';
import { assignedTo } from './evaluate.ts';
import type { DeclaredConnection, DeclaredDomains, DeclaredRegistration } from './intent.ts';

/**
 * A setting of a registered domain. It can't be read (section "Registered domains"), so every apply sets it, and it
 * doesn't count as a change.
 */
export interface Setting {
  domain: SafeText;
  kind: 'renewal' | 'project';
  value: boolean | ProjectId | null;
}

/** The plan of one declared record, with a title. */
type NamedRecord = RecordPlan & {
  /** See {@link nameOfRecord}. Not unique, because it is shortened. */
  title: SafeText;
};

/** The plan for the DNS records of one registered domain. */
export interface NamedZone {
  domain: SafeText;
  plan: Omit<ZonePlan, 'records'> & { records: readonly NamedRecord[] };
}

/** The whole plan for a site's domains. */
export interface DomainsPlan {
  connections: readonly ConnectionPlan[];
  settings: readonly Setting[];
  zones: readonly NamedZone[];
}

/** The domains as read from the service. */
export interface ObservedDomains {
  connected: readonly ConnectedDomain[];
  /** The records of each registered domain whose records are declared, by its name. */
  records: ReadonlyMap<string, readonly DnsRecord[]>;
}

/** A setting as text: `renewal on`, `bound to project ID`. */
export function describeSetting({ kind, value }: Setting): SafeText {
  if (kind === 'renewal') return value === true ? safe`renewal on` : safe`renewal off`;
  return typeof value === 'string' ? safe`bound to project ${value}` : safe`bound to no project`;
}

function settingsOf({ name: domain, renewal, projectId }: DeclaredRegistration): Setting[] {
  const settings: Setting[] = [];
  if (renewal !== undefined) {
    settings.push({ domain, kind: 'renewal', value: renewal });
  }
  if (projectId !== undefined) {
    settings.push({ domain, kind: 'project', value: projectId });
  }
  return settings;
}

/**
 * A record as text: `A www.example.com "203.0.113.10"`, `CAA … issue "ca.example"`. Records with long contents that
 * start alike have the same text.
 *
 * @param others the other registered domains of the plan; if one of them contains the name too, the zone is added
 * @param sanitize makes outside text printable and free of secrets
 */
function nameOfRecord(
  { type, name, declared: { tag = '', port, content } }: RecordPlan,
  zone: SafeText,
  others: readonly string[],
  sanitize: SanitizeLine,
): SafeText {
  const parts = [unsafeText(recordTitle({ type, name: sanitize(name) }))];
  const cleanTag = shorten(sanitize(tag), longestShown);
  if (cleanTag !== '') parts.push(cleanTag);
  if (port !== undefined) parts.push(safe`${port}`);
  parts.push(shown(content, sanitize));
  if (others.some((other) => isInZone(other, name))) parts.push(safe`in the zone ${zone}`);
  return joinSafe(parts, ' ');
}

function planNamedZone(
  { name: domain, records: declared }: DeclaredRegistration,
  observed: readonly DnsRecord[],
  domains: readonly string[],
  sanitize: SanitizeLine,
): NamedZone {
  const { records, ...rest } = planZone(domain, declared ?? [], observed, sanitize);
  const others = domains.filter((other) => other !== domain);
  const named = records.map((record) => ({
    ...record,
    title: nameOfRecord(record, domain, others, sanitize),
  }));
  return { domain, plan: { ...rest, records: named } };
}

/**
 * Plans a site's domains from their state on the service. Pure.
 *
 * @param sanitize makes outside text printable and free of secrets; it must not shorten, which would hide where two
 * texts differ
 */
export function planDomains(
  { connections, registrations }: DeclaredDomains,
  { connected, records }: ObservedDomains,
  sanitize: SanitizeLine,
): DomainsPlan {
  const withRecords = registrations.filter((one) => one.records !== undefined);
  const domains = withRecords.map(({ name }) => name);
  return {
    connections: connections.map((one) => planConnection(one, connected, sanitize)),
    settings: registrations.flatMap(settingsOf),
    zones: withRecords.map((one) =>
      planNamedZone(one, records.get(one.name) ?? [], domains, sanitize),
    ),
  };
}

/** Why records of a plan can't be written, one message for each. */
export function planProblems({ zones }: DomainsPlan): string[] {
  return zones.flatMap(({ plan }) => plan.problems.map(({ message }) => message));
}

/** One write on a connected domain. */
export type ConnectionAction = 'connect' | 'assign' | 'clear';

/** The plan of one connected domain. */
export interface ConnectionPlan {
  declared: DeclaredConnection;
  /** The domain as read; absent if it is not connected. */
  observed?: ConnectedDomain;
  /** The writes, in order; empty if there are none. */
  actions: readonly ConnectionAction[];
  reason: SafeText;
}

/** The most characters shown of a project's id. */
const longestId = 100;

/**
 * Plans one connected domain. A new one is connected first and assigned after its records are written.
 *
 * @param sanitize makes outside text printable and free of secrets
 */
export function planConnection(
  declared: DeclaredConnection,
  domains: readonly ConnectedDomain[],
  sanitize: SanitizeLine,
): ConnectionPlan {
  const { hostname, projectId } = declared;
  const observed = domains.find((domain) => domain.hostname.toLowerCase() === hostname);
  if (observed === undefined) {
    const actions: ConnectionAction[] = ['connect'];
    if (typeof projectId === 'string') actions.push('assign');
    return { declared, actions, reason: isNew };
  }
  const current = assignedTo(observed);
  const now =
    current === undefined
      ? safe`assigned to no project`
      : safe`assigned to ${shorten(sanitize(current), longestId)}`;
  if (projectId === undefined) {
    const reason = safe`connected, ${now}; the file sets no project`;
    return { declared, observed, actions: [], reason };
  }
  const action: ConnectionAction = projectId === null ? 'clear' : 'assign';
  const actions = (projectId ?? undefined) === current ? [] : [action];
  return { declared, observed, actions, reason: now };
}

/** The number of domains and records that a plan changes. A domain that is connected and assigned counts once. */
export function countChangedDomains({ connections, zones }: DomainsPlan): number {
  const records = zones.flatMap(({ plan }) =>
    plan.records.filter(({ action }) => action !== 'none'),
  );
  return connections.filter(({ actions }) => actions.length > 0).length + records.length;
}

/** The changes of one connected domain. */
function connectionChanges(plan: ConnectionPlan, sanitize: SanitizeLine): DomainChange[] {
  const { declared, actions, reason, observed } = plan;
  const now = observed && assignedTo(observed);
  const from = now === undefined ? null : sanitize(now);
  const to = declared.projectId ?? null;
  const name = declared.hostname;
  return actions.map((action) => {
    const change = { type: 'domain', resource: 'connected-domain', name, action, reason } as const;
    return action === 'connect' ? change : { ...change, project: { from, to } };
  });
}

/** The change of one DNS record. */
function recordChange(domain: SafeText, plan: NamedRecord, sanitize: SanitizeLine): DomainChange[] {
  if (plan.action === 'none') return [];
  const { title: name, action, reason, body } = plan;
  const show = (value: FieldValue): ShownValue =>
    typeof value === 'string' ? sanitize(value) : value;
  const record = Object.fromEntries(
    Object.entries(body).flatMap(([field, value]) =>
      value === undefined ? [] : [[field, show(value)]],
    ),
  );
  const common = { type: 'domain', resource: 'dns-record', name, action, reason } as const;
  if (plan.action === 'create') return [{ ...common, domain, record }];
  const differences = plan.differences.map(({ field, from, to }) => ({
    field,
    from: from === undefined ? null : show(from),
    to: show(to),
  }));
  const change: DomainChange = { ...common, domain, record, differences };
  if (plan.isUnnamed) change.unnamed = true;
  return [change];
}

/**
 * The changes of a plan: first those that replace a record which the file does not name, then connected domains.
 *
 * @param sanitize makes outside text printable and free of secrets
 */
export function domainChanges(
  { connections, zones }: DomainsPlan,
  sanitize: SanitizeLine,
): DomainChange[] {
  const changes = [
    ...connections.flatMap((one) => connectionChanges(one, sanitize)),
    ...zones.flatMap(({ domain, plan }) =>
      plan.records.flatMap((one) => recordChange(domain, one, sanitize)),
    ),
  ];
  const { unnamed = [], others = [] } = Object.groupBy(changes, (change) =>
    change.unnamed ? 'unnamed' : 'others',
  );
  return [...unnamed, ...others];
}

/**
 * A digest of what a plan would do, independent of the order in the file and in responses. It includes settings,
 * because every apply sets them.
 */
export function domainsDigest({ connections, settings, zones }: DomainsPlan): string {
  return digestOf([
    'domains',
    connections
      .filter(({ actions }) => actions.length > 0)
      .toSorted((a, b) => byText(a.declared.hostname, b.declared.hostname))
      .map(({ declared, actions, observed }) => {
        const current = observed && assignedTo(observed);
        return [declared.hostname, declared.projectId ?? null, actions, current ?? null];
      }),
    settings
      .toSorted((a, b) => byText(a.domain, b.domain) || byText(a.kind, b.kind))
      .map(({ domain, kind, value }) => [domain, kind, value]),
    zones
      .toSorted((a, b) => byText(a.domain, b.domain))
      .map(({ domain, plan }) => [domain, zoneFacts(plan)]),
  ]);
}
