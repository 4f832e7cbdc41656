import type { Dialect } from '../../dialect.ts';

/** A DNS record that the user must create (section "Connected domain", `instructions`). */
export interface DnsInstruction {
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly purpose: string;
  readonly required: boolean;
}

/** Where a connected hostname must point. */
export const routingTarget = 'connect.sites.example';

/** The name of the record that proves whose a hostname is. */
export function ownershipRecord(hostname: string): string {
  return `_site-ownership.${hostname}`;
}

/**
 * The records for a domain. Only the certificate's is optional. A dialect with extra fields asks for a record of
 * an uncommon type too.
 */
export function instructionsFor(
  { hostname, ownershipToken }: { readonly hostname: string; readonly ownershipToken: string },
  { extraFields, hostileText }: Dialect,
): DnsInstruction[] {
  const proof = `site-ownership=${ownershipToken}`;
  const records: DnsInstruction[] = [
    {
      type: 'CNAME',
      name: hostname,
      value: routingTarget,
      purpose: 'routing',
      required: true,
    },
    {
      type: 'TXT',
      name: ownershipRecord(hostname),
      value: hostileText === null ? proof : `${proof} ${hostileText}`,
      purpose: 'ownership',
      required: true,
    },
    {
      type: 'CNAME',
      name: `_acme-challenge.${hostname}`,
      value: `${hostname}.certificates.sites.example`,
      purpose: 'certificate',
      required: false,
    },
  ];
  if (!extraFields) return records;
  const atApex = { type: 'ALIAS', name: hostname, value: routingTarget };
  return [...records, { ...atApex, purpose: 'apex', required: false }];
}
