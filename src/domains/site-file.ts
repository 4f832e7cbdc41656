import { z } from 'zod';
import { type WriteDnsRecord, writeDnsRecord } from '../contract/dns-record.ts';
import { hostnamePattern, limits } from '../contract/limits.ts';
import { asObject } from '../kernel/json.ts';
import { type Entry, right } from '../site-file/entry.ts';
import { mapping } from '../site-file/mapping.ts';
import type { Path, Position } from '../site-file/position.ts';

const noHostname =
  'this is no hostname: it takes lower-case letters, digits, "-" and at least one ".", 3 to 253 characters in all';

/** The hostname of a connected domain (section "Connected domains"). */
export const hostname = z
  .string()
  .min(limits.hostname.min, noHostname)
  .max(limits.hostname.max, noHostname)
  .regex(hostnamePattern, noHostname);

const noDomain = 'this is no domain name, such as example.com';

/** The name of a registered domain: at least two labels, of the letters and digits of any script and "-" between. */
export const domainName = z
  .string()
  .max(limits.hostname.max, noDomain)
  .regex(
    /^[\p{L}\p{M}\p{N}]+(-+[\p{L}\p{M}\p{N}]+)*(\.[\p{L}\p{M}\p{N}]+(-+[\p{L}\p{M}\p{N}]+)*)+\.?$/u,
    noDomain,
  );

const noProject = "project must be self, a project's id (a UUID) or null";

const project = (description: string) =>
  z
    .union([z.literal('self'), z.guid(noProject).toLowerCase(), z.null()], noProject)
    .describe(description)
    .exactOptional();

/** A domain that the user owns and that is to be connected. */
export const connectedDomain = mapping(
  {
    project: project(
      "The project that it is assigned to: self, a project's id, or null for none. Left out: the assignment is left alone.",
    ),
  },
  'such as { project: self }',
).describe('A domain to connect.');

const { type, name, content, ttl, comment, priority, flags, tag, weight, port, proxied } =
  writeDnsRecord.shape.record.shape;

/** A DNS record: the fields that can be written (section "DNS record"). */
export const dnsRecord = mapping(
  {
    type: type.meta({
      description: 'The record type, such as A, AAAA, CNAME, MX or TXT.',
      // What an editor offers; another type is no mistake.
      examples: ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'],
    }),
    name: name.describe('The name, in quotes: "@" is the domain itself.'),
    content: content.describe('What the record says, such as an address or a hostname.'),
    ttl: ttl.describe('How long resolvers may keep it, in seconds.'),
    comment: comment.describe('A note, not part of what resolvers see.'),
    priority: priority.describe('Of MX and SRV: the lowest is tried first.'),
    flags: flags.describe('Of CAA.'),
    tag: tag.describe('Of CAA, such as issue.'),
    weight: weight.describe('Of SRV.'),
    port: port.describe('Of SRV.'),
    proxied: proxied.describe('Whether the DNS host answers for it with addresses of its own.'),
  },
  'such as { type: A, name: "@", content: 203.0.113.10 }',
).describe('A DNS record. Records that are not declared are left in place.');

/** A domain that is registered through the service. */
export const registeredDomain = mapping(
  {
    renewal: z
      .boolean()
      .describe('Whether it is renewed each year. Left out: left alone.')
      .exactOptional(),
    project: project(
      "The project that it is bound to: self, a project's id, or null for none. Left out: left alone.",
    ),
    dns: z
      .array(dnsRecord)
      .nullable()
      .describe('The DNS records that must be there.')
      .exactOptional(),
  },
  'such as { renewal: true }',
).describe('A registered domain.');

/** The project that a domain belongs to: `self`, a project's id, or null for none. Absent: left alone. */
export type SiteProject = 'self' | (string & {}) | null;

/** A domain that must be connected, at the position of its hostname. */
export interface SiteConnectedDomain extends Position {
  hostname: string;
  project?: SiteProject;
}

/** A DNS record that must be there, at the place where it starts. Its type is in upper case. */
export type SiteDnsRecord = WriteDnsRecord['record'] &
  Position & {
    /** Its place in the file's list. */
    index: number;
  };

/** A registered domain, at the position of its name. What is absent is left alone. */
export interface SiteRegisteredDomain extends Position {
  /** As the file has it, not normalised. */
  name: string;
  renewal?: boolean;
  project?: SiteProject;
  dns?: SiteDnsRecord[];
}

/** The domains that a site file declares. */
export interface SiteDomains {
  connectedDomains: SiteConnectedDomain[];
  registeredDomains: SiteRegisteredDomain[];
}

/** A connected domain as its entry declares it; none if it is wrong. */
export function siteConnectedDomain({
  name: hostname,
  value,
  place,
}: Entry<z.output<typeof connectedDomain>>): SiteConnectedDomain[] {
  return value === undefined ? [] : [{ hostname, ...value, ...place }];
}

/** A registered domain, as far as it is right: a mistake in one record does not keep the others from being judged. */
export function siteRegisteredDomain(
  { name, given, place }: Entry<unknown>,
  positionOf: (path: Path) => Position,
): SiteRegisteredDomain {
  const entry = asObject(given) ?? {};
  const { dns } = entry;
  const renewal = right(registeredDomain.shape.renewal, entry['renewal']);
  const project = right(registeredDomain.shape.project, entry['project']);
  const records = (Array.isArray(dns) ? dns : []).flatMap((item: unknown, index) => {
    const record = right(dnsRecord, item);
    if (record === undefined) return [];
    const start = positionOf(['registered-domains', name, 'dns', index]);
    return [{ ...record, type: record.type.toUpperCase(), index, ...start }];
  });
  return {
    name,
    ...(renewal !== undefined && { renewal }),
    ...(project !== undefined && { project }),
    ...(dns !== undefined && { dns: records }),
    ...place,
  };
}
