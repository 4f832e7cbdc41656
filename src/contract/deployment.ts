import { z } from 'zod';
import { commitPattern } from './limits.ts';
import { idempotencyKey, optional } from './wire.ts';

/** Section "Deployment". */
export const deployment = z.looseObject({
  deploymentId: z.string().min(1),
  status: optional(z.string()),
});
export type Deployment = z.infer<typeof deployment>;

/** Body of `POST /v1/projects/{id}/deployments`. */
export const createDeployment = z.strictObject({
  versionId: z.string().regex(commitPattern).optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type CreateDeployment = z.infer<typeof createDeployment>;
