import { z } from 'zod';
import { limits } from './limits.ts';
import { list, optional, text } from './wire.ts';

/** `kind` of a variable as it is written; the service may return another value. */
export const variableKind = z.enum(['secret', 'plain']);
export type VariableKind = z.infer<typeof variableKind>;

/** A version and `expectedVersion` (section "Limits"): exactly the safe integers. */
export const version = z.int();

/** Section "Environment variable": metadata only, a value is never returned. */
export const variable = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  kind: optional(z.string()),
  preview: z.boolean(),
  production: z.boolean(),
  purpose: optional(z.string()),
  required: optional(z.boolean()),
  version,
  createdAt: optional(z.string()),
  updatedAt: optional(z.string()),
});
export type Variable = z.infer<typeof variable>;

/** Section "Environment metadata response": the answer of all five environment operations. */
export const environment = z.looseObject({
  variables: list(variable),
  preview: optional(
    z.looseObject({
      revision: optional(z.number()),
      appliedRevision: optional(z.number()),
      stale: optional(z.boolean()),
    }),
  ),
  production: optional(
    z.looseObject({
      revision: optional(z.number()),
      publishedRevision: optional(z.number()),
      pending: optional(z.boolean()),
    }),
  ),
});
export type Environment = z.infer<typeof environment>;

const value = text(0, limits.variableValue.max);

/** Body of `POST /v1/projects/{id}/environment`. */
export const createVariable = z.strictObject({
  name: text(limits.variableName.min, limits.variableName.max),
  value,
  kind: variableKind.optional(),
  preview: z.boolean(),
  production: z.boolean(),
});
export type CreateVariable = z.infer<typeof createVariable>;

/** Body of `PUT /v1/projects/{id}/environment/{eid}`. */
export const replaceVariable = z.strictObject({
  expectedVersion: version,
  value,
  kind: variableKind,
});
export type ReplaceVariable = z.infer<typeof replaceVariable>;

/** Body of `PATCH /v1/projects/{id}/environment/{eid}`. */
export const retargetVariable = z.strictObject({
  expectedVersion: version,
  preview: z.boolean(),
  production: z.boolean(),
});
export type RetargetVariable = z.infer<typeof retargetVariable>;

/** Body of `DELETE /v1/projects/{id}/environment/{eid}`. */
export const deleteVariable = z.strictObject({ expectedVersion: version });
export type DeleteVariable = z.infer<typeof deleteVariable>;
