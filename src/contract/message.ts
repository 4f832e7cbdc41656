import { z } from 'zod';
import { limits } from './limits.ts';
import { idempotencyKey, list, optional, text } from './wire.ts';

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
