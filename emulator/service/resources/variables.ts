import { z } from 'zod';
import { characters, uuid, versionNumber } from '../checks.ts';
import type { Environment } from '../environment-store.ts';
import type { Project } from '../project.ts';
import { empty, json, type Reply } from '../reply.ts';
import { noBody, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';
import { metadata } from './environment-metadata.ts';

const path = '/v1/projects/{id}/environment';
const inProject = z.object({ id: uuid });
const ofVariable = z.object({ id: uuid, eid: uuid });
const kind = z.enum(['secret', 'plain']);

/** The five operations of section "Environment variables". */
export function environmentOperations(world: World): Operation[] {
  return [
    readEnvironment(world),
    createVariable(world),
    replaceVariable(world),
    retargetVariable(world),
    deleteVariable(world),
  ];
}

function readEnvironment(world: World): Operation {
  return operation({
    name: 'readEnvironment',
    method: 'GET',
    path,
    params: inProject,
    query: noQuery,
    body: noBody,
    handle: ({ params }) => {
      const { environment } = world.project(params.id);
      return json(200, metadata(environment, world.dialect));
    },
  });
}

function createVariable(world: World): Operation {
  const { dialect } = world;
  const name = () =>
    characters(dialect, 1, 128).refine(
      (text) => dialect.variableNames === 'any' || /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
      'must be an identifier',
    );
  return operation({
    name: 'createVariable',
    method: 'POST',
    path,
    params: inProject,
    query: noQuery,
    body: () =>
      z.strictObject({
        name: name(),
        value: characters(dialect, 0, 5120),
        kind: kind.default('secret'),
        preview: z.boolean(),
        production: z.boolean(),
      }),
    handle: ({ params, body }) =>
      written(world, world.project(params.id), dialect.successStatus, (environment) =>
        environment.create(body),
      ),
  });
}

function replaceVariable(world: World): Operation {
  return operation({
    name: 'replaceVariable',
    method: 'PUT',
    path: `${path}/{eid}`,
    params: ofVariable,
    query: noQuery,
    body: () =>
      z.strictObject({
        expectedVersion: versionNumber,
        value: characters(world.dialect, 0, 5120),
        kind,
      }),
    handle: ({ params, body }) =>
      written(world, world.project(params.id), 200, (environment) => {
        const variable = environment.expect(params.eid, body.expectedVersion);
        environment.change(variable, { value: body.value, kind: body.kind });
      }),
  });
}

function retargetVariable(world: World): Operation {
  return operation({
    name: 'retargetVariable',
    method: 'PATCH',
    path: `${path}/{eid}`,
    params: ofVariable,
    query: noQuery,
    body: () =>
      z.strictObject({
        expectedVersion: versionNumber,
        preview: z.boolean(),
        production: z.boolean(),
      }),
    handle: ({ params, body }) =>
      written(world, world.project(params.id), 200, (environment) => {
        const variable = environment.expect(params.eid, body.expectedVersion);
        environment.change(variable, { preview: body.preview, production: body.production });
      }),
  });
}

function deleteVariable(world: World): Operation {
  return operation({
    name: 'deleteVariable',
    method: 'DELETE',
    path: `${path}/{eid}`,
    params: ofVariable,
    query: noQuery,
    body: () => z.strictObject({ expectedVersion: versionNumber }),
    handle: ({ params, body }) =>
      written(world, world.project(params.id), 200, (environment) => {
        environment.remove(environment.expect(params.eid, body.expectedVersion));
      }),
  });
}

/** Carries a write out and answers it as the dialect does. */
function written(
  { dialect }: World,
  project: Project,
  status: number,
  write: (environment: Environment) => void,
): Reply {
  write(project.environment);
  project.touch();
  switch (dialect.writeBody) {
    case 'empty':
      return empty(status, true);
    case 'no-content':
      return empty(204, true);
    case 'wrong':
      return json(status, { result: 'written' }, true);
    default:
      return json(status, metadata(project.environment, dialect), true);
  }
}
