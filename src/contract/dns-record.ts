import { z } from 'zod';
import { idempotencyKey, list, optional } from './wire.ts';

/** Section "DNS record". */
export const dnsRecord = z.looseObject({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  ttl: optional(z.int()),
  comment: optional(z.string()),
  priority: optional(z.int()),
  flags: optional(z.int()),
  tag: optional(z.string()),
  weight: optional(z.int()),
  port: optional(z.int()),
  id: optional(z.string()),
  proxied: optional(z.boolean()),
  managedBy: optional(z.string()),
  managedReason: optional(z.string()),
});
export type DnsRecord = z.infer<typeof dnsRecord>;

/** Answer of `GET /domains/{name}/dns-records`. */
export const dnsRecords = z.looseObject({ records: list(dnsRecord) });

/**
 * Body of `POST /domains/{name}/dns-records` and of `PATCH …/{recordId}`. Which fields beyond type, name
 * and content may be written is not specified: exactly those in the site file are sent.
 */
export const writeDnsRecord = z.strictObject({
  record: z.strictObject({
    type: z.string().min(1),
    name: z.string().min(1),
    content: z.string(),
    ttl: z.int().optional(),
    comment: z.string().optional(),
    priority: z.int().optional(),
    flags: z.int().optional(),
    tag: z.string().optional(),
    weight: z.int().optional(),
    port: z.int().optional(),
    proxied: z.boolean().optional(),
  }),
  idempotencyKey: idempotencyKey.optional(),
});
export type WriteDnsRecord = z.infer<typeof writeDnsRecord>;
