import { expect, test } from 'vitest';
import { environment as environmentShape } from '../../../src/contract/environment.ts';
import type { Dialect } from '../../index.ts';
import { deploy, startWorld, type World } from './support.ts';

const both = { preview: true, production: true };

function create({ path, send }: World, fields: object = {}) {
  return send('POST', `${path}/environment`, {
    body: { name: 'A', value: 'v', ...both, ...fields },
  });
}

async function read({ path, send }: World) {
  return environmentShape.parse((await send('GET', `${path}/environment`)).json);
}

test('a variable through its life, each answer with the whole metadata and no value', async () => {
  await using world = await startWorld();
  const { path, project, send } = world;
  const created = await create(world, { value: 'fake-secret-1' });
  expect(created.status).toBe(201);
  const [variable] = environmentShape.parse(created.json).variables;
  expect(variable).toMatchObject({ name: 'A', kind: 'secret', ...both, version: 1 });
  const own = `${path}/environment/${variable?.id.toUpperCase()}`;

  const replaced = await send('PUT', own, {
    body: { expectedVersion: 1, value: 'fake-secret-2', kind: 'plain' },
  });
  expect(replaced.json).toMatchObject({ variables: [{ kind: 'plain', version: 2 }] });
  expect(project.variables).toMatchObject([{ value: 'fake-secret-2' }]);

  const targets = { preview: false, production: true };
  const retargeted = await send('PATCH', own, { body: { expectedVersion: 2, ...targets } });
  expect(retargeted.json).toMatchObject({ variables: [{ ...targets, version: 3 }] });

  const deleted = await send('DELETE', own, { body: { expectedVersion: 3 } });
  expect([deleted.status, deleted.json]).toMatchObject([200, { variables: [] }]);
  for (const { text } of [created, replaced, retargeted, deleted]) {
    expect(text).not.toContain('fake-secret');
  }
});

test.for([
  { staleVersion: '409', status: 409 },
  { staleVersion: '412', status: 412 },
  { staleVersion: '400', status: 400 },
  { staleVersion: '422', status: 422 },
  { staleVersion: 'ignore', status: 200 },
] as const)('a stale version: $staleVersion', async ({ staleVersion, status }) => {
  await using world = await startWorld({ dialect: { staleVersion } });
  const { path, project, send } = world;
  const { id } = project.setVariable({ name: 'A', value: 'old' });
  project.setVariable({ name: 'A', value: 'by somebody else' });
  const body = { expectedVersion: 1, value: 'ours', kind: 'secret' };
  const answer = await send('PUT', `${path}/environment/${id}`, { body });
  expect(answer.status).toBe(status);
  const written = status === 200;
  expect(project.variables[0]?.value).toBe(written ? 'ours' : 'by somebody else');
  if (!written) expect(answer.text).toMatch(/version_conflict/);
});

test.for([
  { duplicateName: '409', status: 409, values: ['old'] },
  { duplicateName: '422', status: 422, values: ['old'] },
  { duplicateName: '400', status: 400, values: ['old'] },
  { duplicateName: 'allow', status: 201, values: ['old', 'new'] },
] as const)('a name that exists: $duplicateName', async ({ duplicateName, status, values }) => {
  await using world = await startWorld({ dialect: { duplicateName } });
  await create(world, { value: 'old' });
  expect((await create(world, { value: 'new' })).status).toBe(status);
  expect(world.project.variables.map(({ value }) => value)).toEqual(values);
});

test.for([
  { writeBody: 'full', status: 200, json: { variables: [] } },
  { writeBody: 'empty', status: 200, json: undefined },
  { writeBody: 'no-content', status: 204, json: undefined },
  { writeBody: 'wrong', status: 200, json: { result: 'written' } },
] as const)('the body of a write: $writeBody', async ({ writeBody, status, json }) => {
  await using world = await startWorld({ dialect: { writeBody } });
  const { path, project, send } = world;
  const { id } = project.setVariable({ name: 'A', value: 'v' });
  const answer = await send('DELETE', `${path}/environment/${id}`, {
    body: { expectedVersion: 1 },
  });
  expect(answer.status).toBe(status);
  if (json) expect(answer.json).toMatchObject(json);
  else expect(answer.text).toBe('');
  expect(project.variables).toEqual([]);
});

test('versions and names as the dialect has them', async () => {
  await using world = await startWorld({
    dialect: { firstVersion: -5, variableNames: 'identifier' },
  });
  expect((await create(world, { name: 'NOT-A-NAME' })).status).toBe(400);
  world.project.setVariable({ name: 'A', value: '1' });
  world.project.setVariable({ name: 'A', value: '2' });
  expect(world.project.variables[0]?.version).toBe(-4);
  world.project.setVariable({ name: 'A', value: '3', version: -4 });
  expect(world.project.variables).toMatchObject([{ value: '3', version: -4 }]);
  world.project.deleteVariable('A');
  expect(world.project.variables).toEqual([]);
});

test('times of a variable, which are the same until it is changed', async () => {
  await using world = await startWorld();
  const isSame = async () => {
    const [variable] = (await read(world)).variables;
    return variable?.createdAt === variable?.updatedAt;
  };
  await create(world);
  expect(await isSame()).toBe(true);
  for (let set = false; !set; ) {
    const { createdAt, updatedAt } = world.project.setVariable({ name: 'A', value: 'changed' });
    set = updatedAt > createdAt;
  }
  expect(await isSame()).toBe(false);
});

test('times that are absent', async () => {
  await using world = await startWorld({ dialect: { variableTimes: 'absent' } });
  await create(world);
  const [variable] = (await read(world)).variables;
  expect(variable).not.toHaveProperty('createdAt');
  expect(variable).not.toHaveProperty('updatedAt');
});

test('a write marks the runtimes that it touches until a publication', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  const { project } = world;
  await create(world, { name: 'P', value: 'one', preview: false });
  expect(await read(world)).toMatchObject({
    preview: { revision: 0, appliedRevision: 0, stale: false },
    production: { revision: 1, publishedRevision: 0, pending: true },
  });
  await deploy(world);
  expect(await read(world)).toMatchObject({
    production: { revision: 1, publishedRevision: 1, pending: false },
  });
  expect(project.running).toEqual({ preview: {}, production: { P: 'one' } });
});

test.for([
  { publicationApplies: 'both', stale: false, pending: false },
  { publicationApplies: 'production', stale: true, pending: false },
  { publicationApplies: 'neither', stale: true, pending: true },
] as const)('a publication applies to $publicationApplies', async (expected) => {
  const { publicationApplies, stale, pending } = expected;
  await using world = await startWorld({ dialect: { publicationApplies, buildMs: 0 } });
  await create(world);
  await deploy(world);
  expect(await read(world)).toMatchObject({ preview: { stale }, production: { pending } });
});

test.for([
  { revisions: 'count', after: [1, 2] },
  { revisions: 'jump', after: [7, 14] },
  { revisions: 'down', after: [-1, -2] },
  { revisions: 'stay', after: [0, 0] },
] as const)('revisions that $revisions', async ({ revisions, after }) => {
  await using world = await startWorld({ dialect: { revisions } });
  const seen: unknown[] = [];
  for (const name of ['A', 'B']) {
    await create(world, { name });
    const { production } = await read(world);
    seen.push(production?.revision);
    expect(production?.pending).toBe(true);
  }
  expect(seen).toEqual(after);
});

test.for<{ pendingFlags: Dialect['pendingFlags']; pending: boolean | undefined }>([
  { pendingFlags: 'honest', pending: true },
  { pendingFlags: 'always-false', pending: false },
  { pendingFlags: 'absent', pending: undefined },
])('flags that are $pendingFlags', async ({ pendingFlags, pending }) => {
  await using world = await startWorld({ dialect: { pendingFlags } });
  await create(world);
  const { preview, production } = await read(world);
  expect([preview?.stale, production?.pending]).toEqual([pending, pending]);
});
