import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import { characters, idempotencyKey } from '../checks.ts';

/** What a message is sent with (section "Messages"). Only the content is needed. */
export interface MessageRequest {
  readonly content: string;
  readonly model?: string | undefined;
  readonly effort?: string | undefined;
  readonly attachmentIds?: readonly string[] | undefined;
  readonly skillNames?: readonly string[] | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The fields that a message and a new project have in common (sections "Messages" and "Projects"). */
export function turnOptions(dialect: Dialect) {
  return {
    model: characters(dialect, 1, 64).optional(),
    effort: characters(dialect, 1, 64).optional(),
    skillNames: z.array(z.string()).max(3).optional(),
    idempotencyKey: idempotencyKey(dialect),
  };
}

/** The body of `POST /v1/projects/{id}/messages`. */
export function messageBody(dialect: Dialect) {
  return z.strictObject({
    content: content(dialect),
    attachmentIds: z.array(z.string()).max(20).optional(),
    ...turnOptions(dialect),
  });
}

/** The limit is looked up on each request, because the dialect is live. */
function content(dialect: Dialect) {
  const fits = (text: string) => {
    const max = dialect.contentLimit ?? Number.POSITIVE_INFINITY;
    return characters(dialect, 1, max).safeParse(text).success;
  };
  const error = () => `must have 1 to ${dialect.contentLimit ?? 'any number of'} characters`;
  return z.string().refine(fits, { error });
}
