import { z } from 'zod';
import { applyDialect } from '../apply-dialect.ts';
import { uuid } from '../checks.ts';
import { ServiceError } from '../errors.ts';
import type { Project } from '../project.ts';
import { json } from '../reply.ts';
import { noBody, noQuery, type Operation, operation } from '../router.ts';
import { messageBody } from '../turns/request-shape.ts';
import type { Turn } from '../turns/turn.ts';
import type { World } from '../world.ts';

const path = '/v1/projects/{id}/messages';
const params = z.object({ id: uuid });

/** The operations of section "Messages". */
export function messageOperations(world: World): Operation[] {
  return [sendMessage(world), listMessages(world)];
}

function sendMessage(world: World): Operation {
  const { dialect } = world;
  return operation({
    name: 'sendMessage',
    method: 'POST',
    path,
    params,
    query: noQuery,
    body: () => messageBody(dialect),
    handle: async ({ params: { id }, body }) => {
      const project = world.project(id);
      const scope = `sendMessage ${project.id}`;
      return await world.idempotency.once(scope, body.idempotencyKey, body, async () => {
        refuseOverlap(world, project);
        const { id: messageId, status } = project.sendMessage(body);
        return json(202, applyDialect(dialect, { messageId, status }), true);
      });
    },
  });
}

function listMessages(world: World): Operation {
  const { dialect } = world;
  return operation({
    name: 'listMessages',
    method: 'GET',
    path,
    params,
    query: noQuery,
    body: noBody,
    handle: ({ params: { id } }) => {
      const { turns } = world.project(id).turns;
      return json(200, applyDialect(dialect, turns.map(describe)));
    },
  });
}

function refuseOverlap({ dialect }: World, project: Project): void {
  if (project.turns.active === null || dialect.overlappingMessages === 'queued') return;
  throw new ServiceError(409, 'turn_running', 'A turn of the project is running.');
}

/** Section "Message". */
function describe({ id, status, prompt, request, createdAt }: Turn) {
  const attachments = request.attachmentIds ?? [];
  return {
    messageId: id,
    status,
    prompt,
    attachments: attachments.map((attachmentId, index) => ({
      attachmentId,
      filename: `attachment-${index + 1}.txt`,
      contentType: 'text/plain',
      size: 0,
      url: `https://files.example/${id}/${index + 1}`,
      kind: 'file',
    })),
    createdAt: new Date(createdAt),
  };
}
