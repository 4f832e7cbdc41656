import { z } from 'zod';
import { writeDnsRecord } from '../contract/dns-record.ts';
import { hostnamePattern, isHostname, limits } from '../contract/limits.ts';
import type { Hostname } from '../contract/safe-text.ts';
import { asObject } from '../kernel/json.ts';
import { type Entry, mapping, right } from '../site-file/entry.ts';
import type { Path, Position } from '../site-file/position.ts';

const noHostname =
  'this is not a valid hostname: use 3 to 253 lower-case letters, digits and "-", with at least one "."';

/** The hostname of a connected domain (section "Connected domains"). */
export const hostname = z
  .string()
  .min(limits.hostname.min, noHostname)
  .max(limits.hostname.max, noHostname)
  .regex(hostnamePattern, noHostname);

const noDomain = 'this is not a valid domain name, such as example.com';

/** The name of a registered domain: at least two labels of letters and digits of any script, with "-" between them. */
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

/** A domain to connect. */
export const connectedDomain = mapping(
  {
    project: project(
      "The project that the domain is assigned to: self, a project's id, or null for none. Default: unchanged.",
    ),
  },
  'such as { project: self }',
).describe('A domain to connect.');

const { type, name, content, ttl, comment, priority, flags, tag, weight, port, proxied } =
  writeDnsRecord.shape.record.shape;

/** The record whose place another one takes. */
export const replacedRecord = z.strictObject({
  content: content.describe('Its content.'),
  priority: z.int().describe('Its priority.').exactOptional(),
});

/** A DNS record: the fields that can be written (section "DNS record"). */
export const dnsRecord = mapping(
  {
    type: type.meta({
      description: 'The record type, such as A, AAAA, CNAME, MX or TXT.',
      // Suggestions for editors; other types are allowed.
      examples: ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'],
    }),
    name: name.describe('The name, in quotes: "@" is the domain itself.'),
    content: content.describe('The value of the record, such as an address or a hostname.'),
    ttl: ttl.describe('How long resolvers may cache it, in seconds.'),
    comment: comment.describe('A note; it is not part of DNS.'),
    priority: priority.describe('For MX and SRV: the lowest is tried first.'),
    flags: flags.describe('For CAA.'),
    tag: tag.describe('For CAA, such as issue.'),
    weight: weight.describe('For SRV.'),
    port: port.describe('For SRV.'),
    proxied: proxied.describe('Whether the DNS provider returns its own addresses for it.'),
    replaces: z
      .union(
        [z.string(), replacedRecord],
        'replaces must be a content, or such as { content: "old", priority: 10 }',
      )
      .describe(
        'The content of the record whose place it takes, of the same type and name, or its content and priority.',
      )
      .exactOptional(),
  },
  'such as { type: A, name: "@", content: 203.0.113.10 }',
).describe('A DNS record. Records that are not in the file are kept.');

/** A domain that is registered through the service. */
export const registeredDomain = mapping(
  {
    renewal: z
      .boolean()
      .describe('Whether the domain is renewed each year. Default: unchanged.')
      .exactOptional(),
    project: project(
      "The project that the domain is bound to: self, a project's id, or null for none. Default: unchanged.",
    ),
    dns: z.array(dnsRecord).nullable().describe('The DNS records of the domain.').exactOptional(),
  },
  'such as { renewal: true }',
).describe('A registered domain.');

/** The project that a domain belongs to: `self`, a project's id, or null for none. Absent: unchanged. */
type SiteProject = 'self' | (string & {}) | null;

/** A connected domain, at the position of its hostname. */
export interface SiteConnectedDomain extends Position {
  hostname: Hostname;
  project?: SiteProject;
}

/** A registered domain, at the position of its name. What is absent is not changed. */
export interface SiteRegisteredDomain extends Position {
  /** As in the file, not normalized. */
  name: string;
  renewal?: boolean;
  project?: SiteProject;
  /** Each at the position where it starts, with its index in the file's list. Its type is in upper case. */
  dns?: (z.output<typeof dnsRecord> & Position & { index: number })[];
}

/** The domains that a site file declares. */
export interface SiteDomains {
  connectedDomains: SiteConnectedDomain[];
  registeredDomains: SiteRegisteredDomain[];
}

/** The connected domain that an entry declares; none if the entry is invalid. */
export function siteConnectedDomain({
  name: hostname,
  value,
  position,
}: Entry<z.output<typeof connectedDomain>>): SiteConnectedDomain[] {
  const isValid = value !== undefined && isHostname(hostname);
  return isValid ? [{ hostname, ...value, ...position }] : [];
}

/** The valid parts of a registered domain, so that a mistake in one record doesn't hide others. */
export function siteRegisteredDomain(
  { name, given, position }: Entry<unknown>,
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
  const domain: SiteRegisteredDomain = { name, ...position };
  if (renewal !== undefined) domain.renewal = renewal;
  if (project !== undefined) domain.project = project;
  if (dns !== undefined) domain.dns = records;
  return domain;
}
