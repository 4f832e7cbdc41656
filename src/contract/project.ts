import { z } from 'zod';
import { limits } from './limits.ts';
import { idempotencyKey, list, optional, projectId, text } from './wire.ts';

/** Section "Project". */
export const project = z.looseObject({
  projectId: projectId.min(1),
  name: optional(z.string()),
  starred: optional(z.boolean()),
  createdByUserId: optional(z.string()),
  lastActivityAt: optional(z.string()),
  sandboxState: optional(z.string()),
  activeMessageId: optional(z.string()),
  createdAt: optional(z.string()),
  previewImageUrl: optional(z.string()),
  provisioningState: optional(z.string()),
  provisioningError: optional(z.string()),
  sourceTemplateVersionId: optional(z.string()),
  siteAnalyticsEnabled: optional(z.boolean()),
  workersLogsEnabled: optional(z.boolean()),
  initialMessageId: optional(z.string()),
});
export type Project = z.infer<typeof project>;

/** Answer of `GET /v1/projects`. */
export const projects = list(project);

/** The values of `filter` in `GET /v1/projects`. */
export const projectFilter = z.enum(['all', 'starred', 'created', 'shared']);
export type ProjectFilter = z.infer<typeof projectFilter>;

/** Body of `POST /v1/projects`. */
export const createProject = z.strictObject({
  initialPrompt: text(limits.initialPrompt.min, limits.initialPrompt.max).optional(),
  model: text(limits.model.min, limits.model.max).optional(),
  effort: text(limits.effort.min, limits.effort.max).optional(),
  skillNames: z.array(z.string()).max(limits.skillNames.max).optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type CreateProject = z.infer<typeof createProject>;
