import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { startStub } from './stub.ts';
import {
  emptyEnvironment,
  fakeKey,
  follow,
  newVariable,
  openClient,
  projectId,
  variableId,
} from './support.ts';

interface Case {
  readonly name: string;
  readonly call: (client: ServiceClient) => Promise<unknown>;
  readonly line: string;
  readonly body?: object;
  readonly answer: string;
}

const signal = new AbortController().signal;
const project = JSON.stringify({ projectId });
const deployment = JSON.stringify({ deploymentId: 'd', status: 'queued' });
const replacement = {
  expectedVersion: -9007199254740991,
  value: ' a\r\nb ',
  kind: 'plain',
} as const;
const targets = { expectedVersion: 9007199254740991, preview: false, production: true };
const commit = { versionId: '0'.repeat(40), idempotencyKey: 'k'.repeat(128) };
const prompt = { initialPrompt: '😀', model: 'm', skillNames: ['s'], idempotencyKey: 'k' };

const cases: readonly Case[] = [
  {
    name: 'listProjects',
    call: (client) => client.listProjects('starred'),
    line: 'GET /v1/projects?filter=starred',
    answer: `[${project}]`,
  },
  {
    name: 'createProject',
    call: (client) => client.createProject(prompt),
    line: 'POST /v1/projects',
    body: prompt,
    answer: project,
  },
  {
    name: 'createProject without any field',
    call: (client) => client.createProject({}),
    line: 'POST /v1/projects',
    body: {},
    answer: project,
  },
  {
    name: 'readEnvironment',
    call: (client) => client.readEnvironment(projectId),
    line: `GET /v1/projects/${projectId}/environment`,
    answer: emptyEnvironment,
  },
  {
    name: 'createVariable',
    call: (client) => client.createVariable(projectId, { ...newVariable, kind: 'secret' }),
    line: `POST /v1/projects/${projectId}/environment`,
    body: { ...newVariable, kind: 'secret' },
    answer: emptyEnvironment,
  },
  {
    name: 'replaceVariable',
    call: (client) => client.replaceVariable(projectId, variableId, replacement),
    line: `PUT /v1/projects/${projectId}/environment/${variableId}`,
    body: replacement,
    answer: emptyEnvironment,
  },
  {
    name: 'retargetVariable',
    call: (client) => client.retargetVariable(projectId, variableId, targets),
    line: `PATCH /v1/projects/${projectId}/environment/${variableId}`,
    body: targets,
    answer: emptyEnvironment,
  },
  {
    name: 'deleteVariable',
    call: (client) => client.deleteVariable(projectId, variableId, { expectedVersion: 0 }),
    line: `DELETE /v1/projects/${projectId}/environment/${variableId}`,
    body: { expectedVersion: 0 },
    answer: emptyEnvironment,
  },
  {
    name: 'createDeployment',
    call: (client) => client.createDeployment(projectId, commit),
    line: `POST /v1/projects/${projectId}/deployments`,
    body: commit,
    answer: deployment,
  },
  {
    name: 'a look',
    call: (client) => client.readOnce({ operation: 'look', path: '/v1/x?a=b%20c', signal }),
    line: 'GET /v1/x?a=b%20c',
    answer: 'null',
  },
];

test.for(cases)('$name sends exactly this', async ({ call, line, body, answer }) => {
  await using stub = await startStub((response) => response.end(answer));
  await using opened = openClient(stub.url);
  const result = await call(opened.client);
  expect(result).toEqual(JSON.parse(answer));
  const [request, ...more] = stub.received;
  expect(more).toEqual([]);
  expect(`${request?.method} ${request?.url}`).toBe(line);
  const text = body === undefined ? '' : JSON.stringify(body);
  expect(request?.body).toBe(text);
  expect(request?.headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'identity',
    connection: 'keep-alive',
    host: `127.0.0.1:${stub.port}`,
    'user-agent': 'tests/1',
    'x-api-key': fakeKey,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
  });
  expect(opened.client.requests).toBe(1);
});

test.for([
  { name: 'at its start', lastEventId: '', header: undefined },
  { name: 'resumed after an event', lastEventId: '17', header: '17' },
])('a stream $name asks for events', async ({ lastEventId, header }) => {
  await using stub = await startStub((response) => {
    response.setHeader('content-type', 'text/event-stream').end();
  });
  await using opened = openClient(stub.url);
  const stream = { ...follow('/events', signal), lastEventId };
  const events = await Array.fromAsync(await opened.client.openEvents(stream));
  expect(events).toEqual([]);
  const [request] = stub.received;
  expect(request?.url).toBe('/events');
  expect(request?.headers['accept']).toBe('text/event-stream');
  expect(request?.headers['x-api-key']).toBe(fakeKey);
  expect(request?.headers['last-event-id']).toBe(header);
});

test.for([
  { prefix: '', path: '/v1/projects?filter=all' },
  { prefix: '/', path: '/v1/projects?filter=all' },
  { prefix: '/api/site', path: '/api/site/v1/projects?filter=all' },
  { prefix: '/api//', path: '/api/v1/projects?filter=all' },
])('a base URL that ends with "$prefix" asks for $path', async ({ prefix, path }) => {
  await using stub = await startStub((response) => response.end('[]'));
  await using opened = openClient(`${stub.url}${prefix}`);
  await opened.client.listProjects('all');
  expect(stub.received[0]?.url).toBe(path);
});

test('ids are encoded in a path', async () => {
  await using stub = await startStub((response) => response.end(emptyEnvironment));
  await using opened = openClient(stub.url);
  await opened.client.deleteVariable('a/b?c#d', 'é %2f', { expectedVersion: 1 });
  expect(stub.received[0]?.url).toBe('/v1/projects/a%2Fb%3Fc%23d/environment/%C3%A9%20%252f');
});

test('a service carries every operation out', async () => {
  await using emulator = await startEmulator({ key: fakeKey, basePath: '/api' });
  await using opened = openClient(emulator.url);
  const { client } = opened;
  const { projectId: id } = await client.createProject({});
  expect(await client.listProjects('all')).toMatchObject([{ projectId: id }]);
  const created = await client.createVariable(id, newVariable);
  const [variable] = created.variables;
  if (variable === undefined) throw new Error('no variable was created');
  const replaced = await client.replaceVariable(id, variable.id, {
    expectedVersion: variable.version,
    value: ' fake\r\n😀 ',
    kind: 'plain',
  });
  expect(emulator.world.project(id).variables[0]?.value).toBe(' fake\r\n😀 ');
  const retargeted = await client.retargetVariable(id, variable.id, {
    expectedVersion: replaced.variables[0]?.version ?? 0,
    preview: false,
    production: true,
  });
  expect(retargeted.variables).toMatchObject([{ name: 'A', kind: 'plain', preview: false }]);
  await client.deleteVariable(id, variable.id, {
    expectedVersion: retargeted.variables[0]?.version ?? 0,
  });
  expect(await client.readEnvironment(id)).toMatchObject({ variables: [] });
  const { deploymentId, status } = await client.createDeployment(id, { idempotencyKey: 'k' });
  expect(emulator.world.project(id).deployments).toMatchObject([{ id: deploymentId }]);
  expect(status).toBe('queued');
  expect(client.requests).toBe(emulator.journal.entries.length);
});
