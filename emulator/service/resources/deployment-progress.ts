import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import { uuid } from '../checks.ts';
import type { Deployment } from '../deployments.ts';
import { notFound, ServiceError } from '../errors.ts';
import { streamDeployment } from '../event-stream.ts';
import type { Project } from '../project.ts';
import { htmlPage, json, type Reply, text } from '../reply.ts';
import { noBody, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';

const path = '/v1/projects/{id}/deployments/{deploymentId}';
const params = z.object({ id: uuid, deploymentId: uuid });

/**
 * Where a deployment's progress is read. The interface shows no such operation (section "Events"): the dialect
 * says which of them exist.
 */
export function deploymentProgressOperations(world: World): Operation[] {
  return [readDeployment(world), readDeploymentEvents(world)];
}

function readDeployment(world: World): Operation {
  return operation({
    name: 'readDeployment',
    method: 'GET',
    path,
    params,
    query: noQuery,
    body: noBody,
    handle: ({ params: { id, deploymentId } }) => {
      const { dialect } = world;
      const project = world.project(id);
      const deployment = find(project, deploymentId);
      if (!offered(dialect, 'poll')) return notOffered(dialect);
      refuseEarly(dialect, deployment);
      return json(
        200,
        applyDialect(dialect, shapes[dialect.statusShape](deployment, dialect, project)),
      );
    },
  });
}

function readDeploymentEvents(world: World): Operation {
  return operation({
    name: 'readDeploymentEvents',
    method: 'GET',
    path: `${path}/events`,
    params,
    query: noQuery,
    body: noBody,
    handle: ({ params: { id, deploymentId }, lastEventId }) => {
      const { dialect } = world;
      const deployment = find(world.project(id), deploymentId);
      if (!offered(dialect, 'stream')) return notOffered(dialect);
      refuseEarly(dialect, deployment);
      return {
        status: 200,
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
        body: streamDeployment(deployment, dialect, lastEventId),
        effect: false,
      };
    },
  });
}

function find(project: Project, id: string): Deployment {
  const deployment = project.deployments.find((candidate) => candidate.id === id.toLowerCase());
  if (!deployment) throw notFound('The deployment');
  return deployment;
}

function offered({ offers }: Dialect, way: 'poll' | 'stream'): boolean {
  return offers === 'both' || offers === way;
}

/** @throws a `ServiceError` as long as nobody can see the new deployment */
function refuseEarly({ offeredAfterMs }: Dialect, { createdAt }: Deployment): void {
  if (Date.now() - createdAt < offeredAfterMs) throw notFound('The deployment');
}

function notOffered({ notOfferedStatus: status }: Dialect): Reply {
  if (status === 'html200') return text(200, 'text/html', htmlPage('Welcome'));
  throw new ServiceError(status, 'not_offered', 'Not found.');
}

type Shape = (deployment: Deployment, dialect: Dialect, project: Project) => unknown;

const shapes: Record<Dialect['statusShape'], Shape> = {
  flat: describe,
  nested: (deployment, dialect) => ({ deployment: describe(deployment, dialect) }),
  data: (deployment, dialect) => ({ data: describe(deployment, dialect) }),
  list: (_, dialect, project) => project.deployments.map((each) => describe(each, dialect)),
  'foreign-first': (deployment, dialect) => [
    { deploymentId: randomUUID(), status: dialect.deploymentWords.success },
    describe(deployment, dialect),
  ],
};

function describe({ id, status, createdAt }: Deployment, dialect: Dialect) {
  return {
    deploymentId: id,
    status,
    createdAt: new Date(createdAt),
    ...(dialect.hostileText !== null && { message: dialect.hostileText }),
  };
}
