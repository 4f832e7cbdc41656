import { type DomainChange, digestOf, type ShownValue } from '../../kernel/change.ts';
import { type SafeText, unsafeText } from '../../kernel/text/safe.ts';
import type { RecordPlan } from '../dns/plan-record.ts';
import { zoneFacts } from '../dns/plan-zone.ts';
import type { FieldValue, Sanitize } from '../dns/record.ts';
import { assignedTo } from '../evaluate.ts';
import type { ConnectionPlan, DomainsPlan, NamedRecord } from '../plan.ts';

const isChanged = ({ action }: RecordPlan): boolean => action !== 'none';

/** The number of domains and records that a plan changes. A domain that is connected and assigned counts once. */
export function countChangedDomains({ connections, zones }: DomainsPlan): number {
  const records = zones.flatMap(({ plan }) => plan.records.filter(isChanged));
  return connections.filter(({ actions }) => actions.length > 0).length + records.length;
}

/** The changes of one connected domain. */
function connectionChanges(plan: ConnectionPlan, sanitize: Sanitize): DomainChange[] {
  const { declared, actions, reason, observed } = plan;
  const now = observed && assignedTo(observed);
  const from = now === undefined ? null : sanitize(now);
  const to = typeof declared.projectId === 'string' ? unsafeText(declared.projectId) : null;
  return actions.map((action) => ({
    type: 'domain',
    resource: 'connected-domain',
    name: unsafeText(declared.hostname),
    action,
    reason,
    ...(action !== 'connect' && { project: { from, to } }),
  }));
}

/** The change of one DNS record. */
function recordChange(domain: SafeText, plan: NamedRecord, sanitize: Sanitize): DomainChange[] {
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
  const { undeclared } = plan;
  return [{ ...common, domain, record, differences, ...(undeclared && { undeclared }) }];
}

/**
 * The changes of a plan, connected domains first.
 *
 * @param sanitize makes outside text printable and free of secrets
 */
export function domainChanges(
  { connections, zones }: DomainsPlan,
  sanitize: Sanitize,
): DomainChange[] {
  return [
    ...connections.flatMap((one) => connectionChanges(one, sanitize)),
    ...zones.flatMap(({ domain, plan }) =>
      plan.records.flatMap((one) => recordChange(unsafeText(domain), one, sanitize)),
    ),
  ];
}

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** What a plan would do to a connected domain, for the digest. */
function connectionFacts({ declared, actions, observed }: ConnectionPlan) {
  const current = observed && assignedTo(observed);
  return [declared.hostname, declared.projectId ?? null, actions, current ?? null];
}

/**
 * A digest of what a plan would do, independent of the order in the file and in responses. It includes settings,
 * because every apply sets them.
 */
export function domainsDigest({ connections, settings, zones }: DomainsPlan): string {
  const facts = [
    'domains',
    connections
      .filter(({ actions }) => actions.length > 0)
      .toSorted((a, b) => byText(a.declared.hostname, b.declared.hostname))
      .map(connectionFacts),
    settings
      .toSorted((a, b) => byText(a.domain, b.domain) || byText(a.kind, b.kind))
      .map(({ domain, kind, value }) => [domain, kind, value]),
    zones
      .toSorted((a, b) => byText(a.domain, b.domain))
      .map(({ domain, plan }) => [domain, zoneFacts(plan)]),
  ];
  return digestOf(facts);
}
