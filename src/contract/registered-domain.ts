import { z } from 'zod';
import { limits } from './limits.ts';
import { idempotencyKey, list, optional, projectId } from './wire.ts';

/** Section "Registered domain", its renewal object. Money is in micro US dollars. */
export const renewal = z.looseObject({
  state: optional(z.string()),
  expiresAt: optional(z.string()),
  chargeAt: optional(z.string()),
  hardDeadlineAt: optional(z.string()),
  serviceEndsAt: optional(z.string()),
  amountMicroUsd: optional(z.int()),
  retryPaymentAvailable: optional(z.boolean()),
  termYears: optional(z.int()),
  autoRenew: optional(z.boolean()),
});

/** Section "Registered domain". */
export const registeredDomain = z.looseObject({
  name: z.string().min(1),
  status: optional(z.string()),
  autoRenew: optional(z.boolean()),
  privacyMode: optional(z.string()),
  boundProjectId: optional(projectId),
  bindStatus: optional(z.string()),
  createdByUserId: optional(z.string()),
  registeredAt: optional(z.string()),
  expiresAt: optional(z.string()),
  renewal: optional(renewal),
});
export type RegisteredDomain = z.infer<typeof registeredDomain>;

/** Body of `POST /domains/{name}/renewal`. */
export const setRenewal = z.strictObject({
  enabled: z.boolean(),
  idempotencyKey: idempotencyKey.optional(),
});
export type SetRenewal = z.infer<typeof setRenewal>;

/** Body of `POST /domains/{name}/bind`. */
export const bindDomain = z.strictObject({
  projectId: z.string().min(1),
  idempotencyKey: idempotencyKey.optional(),
});
export type BindDomain = z.infer<typeof bindDomain>;

/** Body of `POST /domains/{name}/unbind`. */
export const unbindDomain = z.strictObject({ idempotencyKey: idempotencyKey.optional() });

/** Section "Domain availability result". */
export const availability = z.looseObject({
  name: z.string(),
  registrable: z.boolean(),
  reason: optional(z.string()),
  premium: optional(z.boolean()),
  pricing: optional(
    z.looseObject({
      currency: optional(z.string()),
      registrationCost: optional(z.number()),
      renewalCost: optional(z.number()),
    }),
  ),
  registrationPriceMicroUsd: optional(z.int()),
});
export type Availability = z.infer<typeof availability>;

/** Body of `POST /domain/check`. */
export const checkDomains = z.strictObject({
  domains: z.array(z.string().min(1)).min(limits.checkedDomains.min).max(limits.checkedDomains.max),
});

/** Answer of `POST /domain/check`: one result for each requested domain. */
export const availabilities = z.looseObject({ results: list(availability) });
