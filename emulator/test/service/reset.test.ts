import { expect, test } from 'vitest';
import { startWorld } from './support.ts';

test('a reset begins anew at the same address', async () => {
  await using started = await startWorld({ dialect: { buildMs: 60_000, firstVersion: 2 } });
  const { emulator, project, path, send } = started;
  const { url, key, journal, faults, dialect } = emulator;
  dialect.firstVersion = 5;
  dialect.stream.logLines.push('a line');
  faults.add({ kind: 'reset-before', times: Number.POSITIVE_INFINITY, method: 'DELETE' });
  project.setVariable({ name: 'A', value: 'fake' });
  emulator.world.connectDomain('www.example.com', project.id);
  emulator.world.registerDomain('example.org');
  await send('POST', `${path}/deployments`, { body: { idempotencyKey: 'k' } });

  await emulator.reset();

  expect(emulator).toMatchObject({ url, key });
  expect(journal.entries).toEqual([]);
  expect(faults.strike({ method: 'DELETE', path: '/', operation: 'x' })).toBeNull();
  expect(dialect).toMatchObject({ buildMs: 60_000, firstVersion: 2, stream: { logLines: [] } });
  const { projects, domains, registered } = emulator.world;
  expect([...projects, ...domains.all, ...registered.all]).toEqual([]);
  expect((await send('GET', path)).status).toBe(404);
  expect((await send('GET', '/v1/projects')).json).toEqual([]);
  expect(project.deployments[0]?.endedAt).toBeNull();

  const next = await emulator.world.createProject();
  const again = await send('POST', `/v1/projects/${next.id}/deployments`, {
    body: { idempotencyKey: 'k' },
  });
  expect(again.status).toBe(202);
  expect(await next.head()).toMatch(/^[\da-f]{40}$/);
});

test('a reset breaks what is under way', async () => {
  await using started = await startWorld();
  started.emulator.faults.add({ kind: 'stall', effect: false });
  const hanging = expect(started.send('GET', '/v1/projects')).rejects.toThrow();
  await started.emulator.journal.waitFor(({ operation }) => operation === 'listProjects');
  await started.emulator.reset();
  await hanging;
});
