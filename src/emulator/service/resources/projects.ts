import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import { characters, idempotencyKey } from '../checks.ts';
import { present } from '../present.ts';
import { callerId, type Project } from '../project.ts';
import { json } from '../reply.ts';
import { noBody, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';

/** The operations of section "Projects". */
export function projectOperations(world: World): Operation[] {
  return [listProjects(world), createProject(world)];
}

const filters: Record<Dialect['defaultFilter'], (project: Project) => boolean> = {
  all: () => true,
  starred: ({ starred }) => starred,
  created: ({ createdByUserId }) => createdByUserId === callerId,
  shared: ({ createdByUserId }) => createdByUserId !== callerId,
};

function listProjects(world: World): Operation {
  return operation({
    name: 'listProjects',
    method: 'GET',
    path: '/v1/projects',
    params: z.object({}),
    query: z.strictObject({ filter: z.enum(['all', 'starred', 'created', 'shared']).optional() }),
    body: noBody,
    handle: ({ query }) => {
      const { dialect } = world;
      const listed = world.projects
        .filter(filters[query.filter ?? dialect.defaultFilter])
        .toSorted((a, b) => b.lastActivityAt.getTime() - a.lastActivityAt.getTime());
      return json(
        200,
        listed.map((project) => present(dialect, describe(project, dialect))),
      );
    },
  });
}

function createProject(world: World): Operation {
  const { dialect } = world;
  const skillName = z
    .unknown()
    .refine((item) => dialect.skillNames === 'anything' || typeof item === 'string');
  return operation({
    name: 'createProject',
    method: 'POST',
    path: '/v1/projects',
    params: z.object({}),
    query: noQuery,
    body: z.strictObject({
      initialPrompt: characters(dialect, 1, 10_000).optional(),
      model: characters(dialect, 1, 64).optional(),
      effort: characters(dialect, 1, 64).optional(),
      skillNames: z.array(skillName).max(3).optional(),
      idempotencyKey: idempotencyKey(dialect),
    }),
    handle: ({ body }) =>
      world.idempotency.once('createProject', body.idempotencyKey, body, async () => {
        const project = await world.createProject();
        if (body.initialPrompt !== undefined) project.initialMessageId = randomUUID();
        const { initialMessageId } = project;
        const created = { ...describe(project, dialect), initialMessageId };
        return json(dialect.successStatus, present(dialect, created), true);
      }),
  });
}

/** Section "Project", without `initialMessageId`. */
function describe(project: Project, dialect: Dialect) {
  return {
    projectId: project.id,
    name: project.name,
    starred: project.starred,
    createdByUserId: project.createdByUserId,
    lastActivityAt: project.lastActivityAt,
    sandboxState: dialect.extraFields ? 'hibernating' : 'none',
    activeMessageId: project.initialMessageId,
    createdAt: project.createdAt,
    previewImageUrl: null,
    provisioningState: dialect.extraFields ? 'migrating' : 'ready',
    provisioningError: null,
    sourceTemplateVersionId: templateVersionId,
    siteAnalyticsEnabled: false,
    workersLogsEnabled: false,
  };
}

const templateVersionId = '00000000-0000-4000-8000-000000000001';
