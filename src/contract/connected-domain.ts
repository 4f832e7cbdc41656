import { z } from 'zod';
import { hostnamePattern, limits } from './limits.ts';
import { idempotencyKey, list, optional, projectId } from './wire.ts';

/** A hostname in a path or body (section "Connected domains"). */
export const hostname = z
  .string()
  .min(limits.hostname.min)
  .max(limits.hostname.max)
  .regex(hostnamePattern);

/** A DNS record that the user must create. */
export const instruction = z.looseObject({
  type: z.string(),
  name: z.string(),
  value: z.string(),
  purpose: optional(z.string()),
  required: optional(z.boolean()),
});

/** Section "Connected domain". A `projectId` that is null, absent or empty means unassigned. */
export const connectedDomain = z.looseObject({
  hostname: z.string().min(1),
  state: optional(z.string()),
  ownershipStatus: optional(z.string()),
  certificateStatus: optional(z.string()),
  routingStatus: optional(z.string()),
  projectId: optional(projectId),
  instructions: optional(list(instruction)),
  dnsHost: optional(z.string()),
  dcvDelegation: optional(z.string()),
  verificationErrors: optional(list(z.string())),
  createdAt: optional(z.string()),
  checkedAt: optional(z.string()),
});
export type ConnectedDomain = z.infer<typeof connectedDomain>;

/** Answer of `GET /connected-domains` and `POST /connected-domains/status`. */
export const connectedDomains = z.looseObject({ domains: list(connectedDomain) });

/** Body of `POST /connected-domains`. */
export const connectDomain = z.strictObject({
  hostname,
  projectId: z.string().min(1).optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type ConnectDomain = z.infer<typeof connectDomain>;

/** Body of `POST /connected-domains/status`. */
export const domainStatuses = z.strictObject({
  hostnames: z.array(hostname).min(limits.statusHostnames.min).max(limits.statusHostnames.max),
  revalidate: z.boolean().optional(),
});

/** Body of `POST /connected-domains/{hostname}/project`; null clears the assignment. */
export const assignDomain = z.strictObject({
  projectId: z.string().nullable(),
  idempotencyKey: idempotencyKey.optional(),
});
export type AssignDomain = z.infer<typeof assignDomain>;

/** Body of `POST /connected-domains/{hostname}/disconnect`. */
export const disconnectDomain = z.strictObject({ idempotencyKey: idempotencyKey.optional() });

/** Answer of `POST /connected-domains/{hostname}/disconnect`. */
export const disconnected = z.looseObject({ hostname: z.string() });
