import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import { uuid } from '../checks.ts';
import { notFound, ServiceError } from '../errors.ts';
import { streamTurn } from '../event-stream.ts';
import { htmlPage, type Reply, text } from '../reply.ts';
import { noBody, noQuery, type Operation, operation } from '../router.ts';
import type { Turn } from '../turns/turn.ts';
import type { World } from '../world.ts';

const ofTurn = z.object({ projectId: uuid.optional(), messageId: uuid });

/**
 * The event stream of a turn. The interface shows neither its path nor what it sends (section "Events"): the
 * dialect says both.
 */
export function messageEventsOperation(world: World): Operation {
  const { dialect } = world;
  const stream = operation({
    name: 'streamMessageEvents',
    method: 'GET',
    path: dialect.messageEventsPath,
    params: ofTurn,
    query: noQuery,
    body: noBody,
    handle: ({ params: { projectId, messageId }, lastEventId }) => {
      const turn = find(world, projectId, messageId);
      if (dialect.messageOffers === 'neither') return notOffered(dialect);
      const isEarly = Date.now() - turn.createdAt < dialect.messageOfferedAfterMs;
      if (isEarly) throw notFound('The message');
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
        body: streamTurn(turn, dialect, lastEventId),
        effect: false,
      };
    },
  });
  return {
    ...stream,
    get parts() {
      return dialect.messageEventsPath.split('/');
    },
  };
}

function find(world: World, projectId: string | undefined, messageId: string): Turn {
  const projects = projectId === undefined ? world.projects : [world.project(projectId)];
  const wanted = messageId.toLowerCase();
  const turn = projects.flatMap(({ turns }) => turns.turns).find(({ id }) => id === wanted);
  if (!turn) throw notFound('The message');
  return turn;
}

function notOffered({ notOfferedStatus: status }: Dialect): Reply {
  if (status === 'html200') return text(200, 'text/html', htmlPage('Welcome'));
  throw new ServiceError(status, 'not_offered', 'Not found.');
}
