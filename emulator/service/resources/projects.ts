import { z } from 'zod';
import type { Dialect } from '../../dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import { characters } from '../checks.ts';
import { callerId, type Project } from '../project.ts';
import { json } from '../reply.ts';
import { noBody, noParams, noQuery, type Operation, operation } from '../router.ts';
import { turnOptions } from '../turns/request-shape.ts';
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

const filtered = z.strictObject({
  filter: z.enum(['all', 'starred', 'created', 'shared']).optional(),
});

function listProjects(world: World): Operation {
  return operation({
    name: 'listProjects',
    method: 'GET',
    path: '/v1/projects',
    params: noParams,
    query: filtered,
    body: noBody,
    handle: ({ query }) => {
      const { dialect } = world;
      const listed = world.projects
        .filter(filters[query.filter ?? dialect.defaultFilter])
        .toSorted((a, b) => b.activity - a.activity);
      return json(
        200,
        listed.map((project) => applyDialect(dialect, describe(project, dialect))),
      );
    },
  });
}

function createProject(world: World): Operation {
  const { dialect } = world;
  return operation({
    name: 'createProject',
    method: 'POST',
    path: '/v1/projects',
    params: noParams,
    query: noQuery,
    body: () =>
      z.strictObject({
        initialPrompt: characters(dialect, 1, 10_000).optional(),
        ...turnOptions(dialect),
      }),
    handle: ({ body }) =>
      world.idempotency.once('createProject', body.idempotencyKey, body, async () => {
        const project = await world.requestProject();
        const { initialPrompt, ...options } = body;
        const first = initialPrompt === undefined ? null : { content: initialPrompt, ...options };
        const initialMessageId = first && project.sendMessage(first).id;
        const created = { ...describe(project, dialect), initialMessageId };
        return json(dialect.successStatus, applyDialect(dialect, created), true);
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
    sandboxState: sandboxState(project, dialect),
    activeMessageId: project.turns.active?.id ?? null,
    createdAt: project.createdAt,
    previewImageUrl: null,
    provisioningState: dialect.provisioningWords[project.provisioning.state],
    provisioningError: provisioningError(project, dialect),
    sourceTemplateVersionId: templateVersionId,
    siteAnalyticsEnabled: false,
    workersLogsEnabled: false,
  };
}

function sandboxState({ turns: { sandbox } }: Project, dialect: Dialect): string {
  return dialect.extraFields && sandbox === 'none' ? 'hibernating' : dialect.sandboxWords[sandbox];
}

function provisioningError({ provisioning }: Project, { hostileText }: Dialect): string | null {
  if (provisioning.state !== 'failed') return null;
  return `The template could not be copied. ${hostileText ?? ''}`.trimEnd();
}

const templateVersionId = '00000000-0000-4000-8000-000000000001';
