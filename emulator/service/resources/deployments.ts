import { z } from 'zod';
import { applyDialect } from '../apply-dialect.ts';
import { commitId, idempotencyKey, uuid } from '../checks.ts';
import { ServiceError } from '../errors.ts';
import type { Project } from '../project.ts';
import { json } from '../reply.ts';
import { noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';

const ofProject = z.object({ id: uuid });

/** The operation of section "Deployments". */
export function deploymentOperations(world: World): Operation[] {
  const { dialect } = world;
  return [
    operation({
      name: 'createDeployment',
      method: 'POST',
      path: '/v1/projects/{id}/deployments',
      params: ofProject,
      query: noQuery,
      body: () =>
        z.strictObject({
          versionId: commitId.optional(),
          idempotencyKey: idempotencyKey(dialect),
        }),
      handle: async ({ params, body }) => {
        const project = world.project(params.id);
        const scope = `createDeployment ${project.id}`;
        return await world.idempotency.once(scope, body.idempotencyKey, body, async () => {
          const commit = await chooseCommit(world, project, body.versionId);
          refuseOverlap(world, project);
          const { id, status } = project.deploy(commit, body.idempotencyKey ?? null);
          project.touch();
          return json(202, applyDialect(dialect, { deploymentId: id, status }), true);
        });
      },
    }),
  ];
}

async function chooseCommit(
  { dialect }: World,
  project: Project,
  versionId: string | undefined,
): Promise<string> {
  if (versionId === undefined) return await project.head();
  const { versionHistory, pushSeenAfterMs } = dialect;
  const known = await project.repository.has(versionId, versionHistory, pushSeenAfterMs);
  if (known || dialect.unknownVersionId === 'accept-and-fail') return versionId;
  throw new ServiceError(
    Number(dialect.unknownVersionId),
    'unknown_version',
    `The commit ${versionId} is not in the version history.`,
  );
}

function refuseOverlap({ dialect }: World, project: Project): void {
  const running = project.deployments.some(({ endedAt }) => endedAt === null);
  if (running && dialect.overlappingDeployments === '409') {
    throw new ServiceError(409, 'deployment_running', 'A deployment of the project is running.');
  }
}
