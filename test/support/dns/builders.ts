import type { DnsRecord } from '../../../src/contract/dns-record.ts';
import type { DeclaredRecord } from '../../../src/domains/dns/content.ts';

export const domain = 'example.com';

/** A declared A record at the apex, unless told otherwise. */
export function declaredRecord(fields: Partial<DeclaredRecord> = {}): DeclaredRecord {
  return { type: 'A', name: '@', content: '203.0.113.10', ...fields };
}

/** A customer's A record at the apex as the service shows it, unless told otherwise. */
export function observedRecord(fields: Partial<DnsRecord> = {}): DnsRecord {
  return {
    id: 'id-1',
    type: 'A',
    name: '@',
    content: '203.0.113.10',
    ttl: 3600,
    comment: null,
    proxied: false,
    managedBy: 'customer',
    managedReason: null,
    ...fields,
  };
}

/** A record that the system manages, otherwise as {@link observedRecord}. */
export function managedRecord(fields: Partial<DnsRecord> = {}): DnsRecord {
  return observedRecord({
    id: 'managed-1',
    managedBy: 'system',
    managedReason: 'Routes the bound site.',
    ...fields,
  });
}
