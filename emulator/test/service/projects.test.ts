import { expect, test } from 'vitest';
import { z } from 'zod';
import { project as projectShape } from '../../../src/contract/project.ts';
import { startWorld } from './support.ts';

const ids = z
  .array(z.looseObject({ projectId: z.uuid() }))
  .transform((projects) => projects.map(({ projectId }) => projectId));

test('a created project has a repository with the template and no message', async () => {
  await using world = await startWorld();
  const { emulator, send } = world;
  const created = await send('POST', '/v1/projects', { body: {} });
  expect(created.status).toBe(201);
  const { projectId, initialMessageId } = projectShape.parse(created.json);
  expect(initialMessageId).toBeNull();
  expect(await emulator.world.project(projectId).head()).toMatch(/^[0-9a-f]{40}$/);
});

test('a prompt becomes the first message', async () => {
  await using world = await startWorld({ dialect: { successStatus: 200 } });
  const created = await world.send('POST', '/v1/projects', { body: { initialPrompt: 'A shop' } });
  expect(created.status).toBe(200);
  const { initialMessageId, activeMessageId } = projectShape.parse(created.json);
  expect(z.uuid().parse(initialMessageId)).toBe(activeMessageId);
});

test.for([
  { absentFields: 'null', expected: { previewImageUrl: null } },
  { absentFields: 'empty', expected: { previewImageUrl: '' } },
  { absentFields: 'omitted', expected: expect.not.objectContaining({ previewImageUrl: null }) },
] as const)('fields without a value are $absentFields', async ({ absentFields, expected }) => {
  await using world = await startWorld({ dialect: { absentFields } });
  const { json } = await world.send('GET', '/v1/projects');
  expect(json).toMatchObject([expected]);
  expect(z.array(z.object()).parse(json)).toHaveLength(1);
});

test('the list has the most recently active first, without initialMessageId', async () => {
  await using world = await startWorld();
  const { emulator, project: first, send } = world;
  const second = await emulator.world.createProject('second');
  const body = { name: 'A', value: 'v', preview: true, production: true };
  for (const { id } of [second, first]) {
    await send('POST', `/v1/projects/${id}/environment`, { body });
    const listed = await send('GET', '/v1/projects');
    expect(ids.parse(listed.json)[0]).toBe(id);
    expect(listed.text).not.toContain('initialMessageId');
  }
});

test('filters', async () => {
  await using world = await startWorld();
  const { emulator, project: own, send } = world;
  const starred = await emulator.world.createProject();
  starred.starred = true;
  const shared = await emulator.world.createProject();
  shared.createdByUserId = 'somebody-else';
  const list = async (query: string) =>
    new Set(ids.parse((await send('GET', `/v1/projects${query}`)).json));
  expect(await list('?filter=all')).toEqual(new Set([own.id, starred.id, shared.id]));
  expect(await list('?filter=starred')).toEqual(new Set([starred.id]));
  expect(await list('?filter=created')).toEqual(new Set([own.id, starred.id]));
  expect(await list('?filter=shared')).toEqual(new Set([shared.id]));
  expect(await list('')).toEqual(new Set([own.id, starred.id, shared.id]));
  emulator.dialect.defaultFilter = 'starred';
  expect(await list('')).toEqual(new Set([starred.id]));
});
