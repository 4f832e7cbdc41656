import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type DialectOptions, startEmulator } from '../../emulator/index.ts';
import type { ServiceClient } from '../../src/service/client.ts';
import { pour, startStub } from './stub.ts';
import {
  emptyEnvironment,
  failureOf,
  fakeKey,
  newVariable,
  openClient,
  projectId,
} from './support.ts';

const limit = 10 * 1024 * 1024;

test.for([200, 201, 202, 203, 206, 299])('%i is success', async (status) => {
  await using stub = await startStub((response) => {
    response.writeHead(status).end(emptyEnvironment);
  });
  await using opened = openClient(stub.url);
  const environment = await opened.client.createVariable(projectId, newVariable);
  expect(environment).toEqual({ variables: [] });
});

test.for<{ name: string; dialect: DialectOptions }>([
  { name: 'answers 200', dialect: { successStatus: 200 } },
  { name: 'adds fields and values', dialect: { extraFields: true } },
  { name: 'writes null for what is absent', dialect: { absentFields: 'null' } },
  { name: 'omits what is absent', dialect: { absentFields: 'omitted' } },
  { name: 'writes nothing for what is absent', dialect: { absentFields: 'empty' } },
  { name: 'has no pending flags', dialect: { pendingFlags: 'absent' } },
  { name: 'counts versions from zero', dialect: { firstVersion: 0 } },
])('the answers of a service that $name are read', async ({ dialect }) => {
  await using emulator = await startEmulator({ key: fakeKey, dialect });
  await using opened = openClient(emulator.url);
  const { client } = opened;
  const project = await client.createProject({});
  const { variables } = await client.createVariable(project.projectId, newVariable);
  expect(variables).toMatchObject([{ name: 'A', version: dialect.firstVersion ?? 1 }]);
  expect(await client.listProjects('all')).toHaveLength(1);
  expect(await client.createDeployment(project.projectId, {})).toHaveProperty('status', 'queued');
});

test.for<{ writeBody: NonNullable<DialectOptions['writeBody']>; says: string }>([
  { writeBody: 'empty', says: 'the response is empty' },
  { writeBody: 'no-content', says: 'the response is empty' },
  { writeBody: 'wrong', says: 'unusable response: variables is missing' },
])('a write that is answered with a body "$writeBody"', async ({ writeBody, says }) => {
  await using emulator = await startEmulator({ key: fakeKey, dialect: { writeBody } });
  await using opened = openClient(emulator.url);
  const project = await emulator.world.createProject();
  const error = await failureOf(opened.client.createVariable(project.id, newVariable));
  expect(error).toMatchObject({ fault: 'body', effect: 'done', mayHaveArrived: true });
  expect(error.message).toContain(`POST /v1/projects/${project.id}/environment: ${says}`);
  expect(project.variables).toHaveLength(1);
  expect(emulator.journal.entries).toHaveLength(1);
});

const readEnvironment = (client: ServiceClient) => client.readEnvironment(projectId);
const listProjects = (client: ServiceClient) => client.listProjects('all');
const deploy = (client: ServiceClient) => client.createDeployment(projectId, {});
const variable = { id: 'i', name: 'A', preview: true, production: true, version: 1 };

test.for<{
  name: string;
  call: (client: ServiceClient) => Promise<unknown>;
  body: string;
  says: RegExp;
}>([
  { name: 'no JSON', call: listProjects, body: '[1,', says: /the response is not JSON: \[1,$/ },
  { name: 'white space', call: listProjects, body: ' \n', says: /the response is empty$/ },
  {
    name: 'a page',
    call: listProjects,
    body: '<!doctype html><p>',
    says: /the response is HTML$/,
  },
  { name: 'hostile text', call: listProjects, body: '\u001b[31m\n::x', says: /not JSON: ::x$/ },
  {
    name: 'JSON null',
    call: listProjects,
    body: 'null',
    says: /unusable response: the body must be a list/,
  },
  {
    name: 'an object for a list',
    call: listProjects,
    body: '{}',
    says: /unusable response: the body must be a list/,
  },
  {
    name: 'a project without an id',
    call: listProjects,
    body: '[{}]',
    says: /unusable response: 0\.projectId is missing/,
  },
  {
    name: 'an empty deployment id',
    call: deploy,
    body: '{"deploymentId":"","status":""}',
    says: /unusable response: deploymentId must not be empty/,
  },
  {
    name: 'a version that is a text',
    call: readEnvironment,
    body: JSON.stringify({ variables: [{ ...variable, version: 'fake text' }] }),
    says: /GET \/v1\/projects\/[0-9a-f-]{36}\/environment: unusable response: variables\.0\.version must be a (?!.*fake text)/,
  },
  {
    name: 'a version beyond the safe integers',
    call: readEnvironment,
    body: JSON.stringify({ variables: [{ ...variable, version: 2 ** 53 }] }),
    says: /unusable response: variables\.0\.version /,
  },
])('success with $name is an error that says so', async ({ call, body, says }) => {
  await using stub = await startStub((response) => response.end(body));
  await using opened = openClient(stub.url);
  const error = await failureOf(call(opened.client));
  expect(error).toMatchObject({ fault: 'body', mayHaveArrived: true });
  expect(error.message).toMatch(says);
  expect(stub.received).toHaveLength(1);
});

const fill = (response: ServerResponse, bytes: number) =>
  response.end(`[${' '.repeat(bytes - 2)}]`);

test('a body of 10 MiB is read', async () => {
  await using stub = await startStub((response) => fill(response, limit));
  await using opened = openClient(stub.url);
  expect(await opened.client.listProjects('all')).toEqual([]);
});

test('a body over 10 MiB is an error', async () => {
  await using stub = await startStub((response) => fill(response, limit + 1));
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error).toMatchObject({ fault: 'body', status: 200 });
  expect(error.message).toBe(
    'Could not list the projects: GET /v1/projects?filter=all returned 200: the response is larger than 10 MiB',
  );
  expect(stub.received).toHaveLength(1);
});

test('an endless body is given up', async () => {
  await using stub = await startStub(pour);
  await using opened = openClient(stub.url);
  const error = await failureOf(opened.client.listProjects('all'));
  expect(error.message).toContain('larger than 10 MiB');
  await stub.idle();
});

test.for([{ kind: 'slow-body', durationMs: 5 } as const, { kind: 'cut-body' } as const])(
  'an answer with a $kind is read in the end',
  async (fault) => {
    await using emulator = await startEmulator({ key: fakeKey });
    await using opened = openClient(emulator.url);
    emulator.faults.add(fault);
    expect(await opened.client.listProjects('all')).toEqual([]);
    expect(opened.client.requests).toBe(fault.kind === 'cut-body' ? 2 : 1);
  },
);
