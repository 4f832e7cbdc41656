import type { ConnectedDomain } from '../../../src/contract/connected-domain.ts';
import type { DnsRecord } from '../../../src/contract/dns-record.ts';
import type { Hostname, ProjectId } from '../../../src/contract/safe-text.ts';
import type { DeclaredRecord } from '../../../src/domains/dns/content.ts';
import type { DeclaredDomains, DeclaredRegistration } from '../../../src/domains/intent.ts';
import { type DomainsPlan, planDomains } from '../../../src/domains/plan.ts';
import { type SafeText, unsafeText } from '../../../src/kernel/text/safe.ts';

export const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId;
export const otherId = '22222222-2222-4222-8222-222222222222' as ProjectId;

/** A hostname that was validated. */
export const host = (text: string): Hostname => text as Hostname;

/** Marks what has passed the redactor. */
export const clean = (text: string): SafeText => unsafeText(text.replaceAll('SECRET', '***'));

/** A connected domain that is assigned to no project unless told otherwise. */
export function connected(
  hostname: string,
  fields: Partial<ConnectedDomain> = {},
): ConnectedDomain {
  return { hostname, state: 'pending', ...fields };
}

/** An A record of the file. */
export function address(name: string, content = '203.0.113.10'): DeclaredRecord {
  return { type: 'A', name, content };
}

/** The same as the service shows it. */
export function shownAs(
  record: DeclaredRecord,
  id: string,
  fields: Partial<DnsRecord> = {},
): DnsRecord {
  return { ...record, id, managedBy: 'customer', ...fields };
}

/** What is declared, and what the service shows, of one registered domain and of connected ones. */
export interface Situation {
  connections?: DeclaredDomains['connections'];
  registration?: Partial<DeclaredRegistration>;
  connected?: readonly ConnectedDomain[];
  records?: readonly DnsRecord[];
}

/** Plans a situation. */
export function planOf(situation: Situation): DomainsPlan {
  const { connections = [], registration, connected: observed = [], records = [] } = situation;
  const registrations =
    registration === undefined ? [] : [{ name: unsafeText('example.com'), ...registration }];
  return planDomains(
    { connections, registrations },
    { connected: observed, records: new Map([['example.com', records]]) },
    clean,
  );
}
