import { z } from 'zod';
import { commitPattern, limits } from './limits.ts';
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

/** Section "Message". */
export const message = z.looseObject({
  messageId: z.string().min(1),
  status: z.string(),
  prompt: optional(z.string()),
  attachments: optional(
    list(
      z.looseObject({
        attachmentId: optional(z.string()),
        filename: optional(z.string()),
        contentType: optional(z.string()),
        size: optional(z.number()),
        url: optional(z.string()),
        kind: optional(z.string()),
      }),
    ),
  ),
  createdAt: optional(z.string()),
});
export type Message = z.infer<typeof message>;

/** Answer of `GET /v1/projects/{id}/messages`, in creation order. */
export const messages = list(message);

/** Body of `POST /v1/projects/{id}/messages`. The length of `content` has no stated bound. */
export const sendMessage = z.strictObject({
  content: z.string().min(1),
  model: text(limits.model.min, limits.model.max).optional(),
  effort: text(limits.effort.min, limits.effort.max).optional(),
  attachmentIds: z.array(z.string()).max(limits.attachmentIds.max).optional(),
  skillNames: z.array(z.string()).max(limits.skillNames.max).optional(),
  idempotencyKey: idempotencyKey.optional(),
});
export type SendMessage = z.infer<typeof sendMessage>;
