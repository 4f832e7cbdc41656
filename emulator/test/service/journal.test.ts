import { expect, test } from 'vitest';
import { startWorld } from './support.ts';

test('each request is noted in order with what it asked and what came of it', async () => {
  await using world = await startWorld();
  const { emulator, path, send } = world;
  const body = { name: 'A', value: 'v', preview: true, production: true };
  await send('GET', '/v1/projects?filter=all');
  await send('POST', `${path}/environment`, { body });
  await send('POST', `${path}/environment`, { body: 'not json' });
  await send('GET', '/v1/nothing');
  await fetch(world.project.sitePathUrl);
  expect(emulator.journal.entries).toMatchObject([
    { n: 1, operation: 'listProjects', query: { filter: 'all' }, status: 200, effect: false },
    { n: 2, operation: 'createVariable', method: 'POST', body, status: 201, effect: true },
    { n: 3, operation: 'createVariable', body: 'not json', status: 400, effect: false },
    { n: 4, operation: 'unknown', path: '/v1/nothing', body: undefined, status: 404 },
    { n: 5, operation: 'site', status: 503 },
  ]);
  expect(emulator.journal.of('createVariable').map(({ n }) => n)).toEqual([2, 3]);
  expect(emulator.journal.entries[0]?.headers['x-api-key']).toBe(emulator.key);
  const last = await emulator.journal.waitFor(({ n, endedAt }) => n === 4 && endedAt !== null);
  expect(last.endedAt).toBeGreaterThanOrEqual(last.at);
});

test('a wait ends with the first entry that matches, past or to come, or with its signal', async () => {
  await using world = await startWorld();
  const { journal } = world.emulator;
  const coming = journal.waitFor(({ operation }) => operation === 'readEnvironment');
  await world.send('GET', '/v1/projects');
  await world.send('GET', `${world.path}/environment`);
  expect((await coming).n).toBe(2);
  expect((await journal.waitFor(({ n }) => n === 1)).operation).toBe('listProjects');
  const first = await journal.waitFor(({ status }) => status === 200);
  expect(first.n).toBe(1);
  const never = journal.waitFor(() => false, AbortSignal.abort(new Error('enough')));
  await expect(never).rejects.toMatchObject({ cause: { message: 'enough' } });
});

test('numbers go on after a clearing', async () => {
  await using world = await startWorld();
  await world.send('GET', '/v1/projects');
  world.emulator.journal.clear();
  await world.send('GET', '/v1/projects');
  expect(world.emulator.journal.entries.map(({ n }) => n)).toEqual([2]);
});
