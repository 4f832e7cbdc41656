import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Sending, sendTo, startWorld } from './support.ts';

const variable = { name: 'A', value: 'v', preview: true, production: true };
const headers = { 'content-type': 'application/json' };

interface Case {
  readonly name: string;
  readonly method: string;
  /** Below the project's path, or a whole path if it starts with `/v1`. */
  readonly path: string;
  readonly sending?: Sending;
  readonly status: number;
}

const refused: readonly Case[] = [
  { name: 'an unknown path', method: 'GET', path: '/v1/nothing', status: 404 },
  { name: 'an unknown path of a project', method: 'GET', path: '/files', status: 404 },
  { name: 'a method that the path lacks', method: 'DELETE', path: '/environment', status: 405 },
  { name: 'an unknown query parameter', method: 'GET', path: '/environment?all=1', status: 400 },
  {
    name: 'a filter that is not listed',
    method: 'GET',
    path: '/v1/projects?filter=mine',
    status: 400,
  },
  {
    name: 'a parameter given twice',
    method: 'GET',
    path: '/v1/projects?filter=all&filter=all',
    status: 400,
  },
  {
    name: 'a GET with a body',
    method: 'GET',
    path: '/environment',
    sending: { body: {} },
    status: 400,
  },
  {
    name: 'a project id that is no UUID',
    method: 'GET',
    path: '/v1/projects/7/environment',
    status: 400,
  },
  {
    name: 'a project that does not exist',
    method: 'GET',
    path: `/v1/projects/${randomUUID()}/environment`,
    status: 404,
  },
  {
    name: 'a variable id that is no UUID',
    method: 'DELETE',
    path: '/environment/7',
    sending: { body: { expectedVersion: 1 } },
    status: 400,
  },
  {
    name: 'a variable that does not exist',
    method: 'DELETE',
    path: `/environment/${randomUUID()}`,
    sending: { body: { expectedVersion: 1 } },
    status: 404,
  },
  {
    name: 'a body that is not JSON',
    method: 'POST',
    path: '/environment',
    sending: { body: '{"name":' },
    status: 400,
  },
  {
    name: 'a body that is an array',
    method: 'POST',
    path: '/deployments',
    sending: { body: [] },
    status: 400,
  },
  {
    name: 'a body of another type',
    method: 'POST',
    path: '/environment',
    sending: { body: variable, headers: { 'content-type': 'text/plain' } },
    status: 415,
  },
  { name: 'no body where fields are required', method: 'POST', path: '/environment', status: 400 },
  ...[
    { name: 'an unknown field', body: { ...variable, extra: 1 } },
    { name: 'a missing field', body: { ...variable, preview: undefined } },
    { name: 'an empty name', body: { ...variable, name: '' } },
    { name: 'a name of 129 characters', body: { ...variable, name: 'n'.repeat(129) } },
    { name: 'a value of 5121 characters', body: { ...variable, value: 'v'.repeat(5121) } },
    { name: 'a value that is a number', body: { ...variable, value: 5 } },
    { name: 'a kind that is not listed', body: { ...variable, kind: 'public' } },
    { name: 'a boolean that is a string', body: { ...variable, preview: 'true' } },
    { name: 'an idempotency key where there is none', body: { ...variable, idempotencyKey: 'k' } },
  ].map(({ name, body }) => ({
    name: `a variable with ${name}`,
    method: 'POST',
    path: '/environment',
    sending: { body },
    status: 400,
  })),
  ...[
    { name: 'an unsafe integer', expectedVersion: 2 ** 53 },
    { name: 'a fraction', expectedVersion: 1.5 },
    { name: 'a string', expectedVersion: '1' },
    { name: 'nothing', expectedVersion: undefined },
  ].map(({ name, expectedVersion }) => ({
    name: `${name} as expectedVersion`,
    method: 'PATCH',
    path: `/environment/${randomUUID()}`,
    sending: { body: { expectedVersion, preview: true, production: true } },
    status: 400,
  })),
  {
    name: 'a replacement without a kind',
    method: 'PUT',
    path: `/environment/${randomUUID()}`,
    sending: { body: { expectedVersion: 1, value: 'v' } },
    status: 400,
  },
  ...[
    { name: 'a short versionId', body: { versionId: 'abc123' } },
    { name: 'a versionId in capitals', body: { versionId: 'A'.repeat(40) } },
    { name: 'an empty idempotency key', body: { idempotencyKey: '' } },
    { name: 'an idempotency key of 129 characters', body: { idempotencyKey: 'k'.repeat(129) } },
    { name: 'an unknown field', body: { environment: 'production' } },
  ].map(({ name, body }) => ({
    name: `a deployment with ${name}`,
    method: 'POST',
    path: '/deployments',
    sending: { body },
    status: 400,
  })),
  ...[
    { name: 'an empty prompt', body: { initialPrompt: '' } },
    { name: 'a prompt of 10001 characters', body: { initialPrompt: 'p'.repeat(10_001) } },
    { name: 'a model of 65 characters', body: { model: 'm'.repeat(65) } },
    { name: 'an effort of 65 characters', body: { effort: 'e'.repeat(65) } },
    { name: 'four skills', body: { skillNames: ['a', 'b', 'c', 'd'] } },
    { name: 'a skill that is no string', body: { skillNames: [1] } },
    { name: 'a name', body: { name: 'mine' } },
  ].map(({ name, body }) => ({
    name: `a project with ${name}`,
    method: 'POST',
    path: '/v1/projects',
    sending: { body },
    status: 400,
  })),
];

test('what the interface does not allow is refused and changes nothing', async () => {
  await using world = await startWorld();
  const { emulator, path, project, send } = world;
  for (const { name, method, path: below, sending, status } of refused) {
    const whole = below.startsWith('/v1') ? below : `${path}${below}`;
    const answer = await send(method, whole, sending);
    expect(answer.status, `${name}: ${answer.text}`).toBe(status);
  }
  expect(emulator.journal.entries.filter(({ effect }) => effect)).toEqual([]);
  expect(project.variables).toEqual([]);
  expect(project.deployments).toEqual([]);
  expect(emulator.world.projects).toHaveLength(1);
});

test('a body that is not UTF-8 is refused', async () => {
  await using world = await startWorld();
  const { emulator, path } = world;
  const answer = await fetch(`${emulator.url}${path}/environment`, {
    method: 'POST',
    headers: { ...headers, 'x-api-key': emulator.key },
    body: Buffer.from(JSON.stringify({ ...variable, value: 'caf\u00e9' }), 'latin1'),
  });
  expect(answer.status).toBe(400);
});

test('values at the limits are accepted', async () => {
  await using world = await startWorld();
  const { path, send } = world;
  const atLimit = { ...variable, name: 'n'.repeat(128), value: 'v'.repeat(5120) };
  expect((await send('POST', `${path}/environment`, { body: atLimit })).status).toBe(201);
  const body = { ...variable, value: '' };
  expect((await send('POST', `${path}/environment`, { body })).status).toBe(201);
  const project = {
    initialPrompt: 'p'.repeat(10_000),
    model: 'm'.repeat(64),
    effort: 'e'.repeat(64),
    skillNames: ['a', 'b', 'c'],
    idempotencyKey: 'k'.repeat(128),
  };
  expect((await send('POST', '/v1/projects', { body: project })).status).toBe(201);
});

test.for([
  { lengthUnit: 'codePoints', statuses: [201, 201, 201] },
  { lengthUnit: 'utf16', statuses: [201, 201, 400] },
  { lengthUnit: 'bytes', statuses: [201, 400, 400] },
] as const)('lengths are counted in $lengthUnit', async ({ lengthUnit, statuses }) => {
  await using world = await startWorld({ dialect: { lengthUnit } });
  const values = ['v'.repeat(5120), 'é'.repeat(5120), '😀'.repeat(5120)];
  const answers: number[] = [];
  for (const [index, value] of values.entries()) {
    const body = { ...variable, name: `V${index}`, value };
    answers.push((await world.send('POST', `${world.path}/environment`, { body })).status);
  }
  expect(answers).toEqual(statuses);
});

test('every operation needs the key', async () => {
  await using world = await startWorld();
  const { emulator, path } = world;
  const paths = ['/v1/projects', `${path}/environment`, '/v1/nothing'];
  for (const wanted of paths) {
    const missing = await sendTo(emulator.url, 'GET', wanted, {});
    const wrong = await sendTo(emulator.url, 'GET', wanted, { headers: { 'x-api-key': 'fake' } });
    expect([missing.status, wrong.status], wanted).toEqual([401, 401]);
  }
});

test('dialects of what an absent body and a bad request mean', async () => {
  await using world = await startWorld({ dialect: { emptyBody: 'refuse', invalidStatus: 422 } });
  const { emulator, path, send } = world;
  expect((await send('POST', `${path}/deployments`, { headers })).status).toBe(422);
  emulator.dialect.emptyBody = 'accept';
  expect((await send('POST', `${path}/deployments`, { headers })).status).toBe(202);
});

test('a base path stands before every path', async () => {
  await using world = await startWorld({ basePath: '/api' });
  const { emulator, path, send } = world;
  expect(emulator.url).toMatch(/\/api$/);
  expect((await send('GET', `${path}/environment`)).status).toBe(200);
  expect(emulator.journal.entries[0]?.path).toBe(`${path}/environment`);
  const origin = new URL(emulator.url).origin;
  const outside = await sendTo(origin, 'GET', '/v1/projects', {
    headers: { 'x-api-key': emulator.key },
  });
  expect(outside.status).toBe(404);
});
