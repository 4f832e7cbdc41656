import { expect, test } from 'vitest';
import { checkOutFiles, startExampleWorld } from './example-world.ts';

const byHand = { name: 'workflow_dispatch', payload: {} };

test('push-checks.yml deploys what its checks want, and watch.yml watches it', async () => {
  await using world = await startExampleWorld();
  const workspace = await checkOutFiles(world);
  const changed = { 'git-force': await world.project.head() };
  const payload = { ref: 'refs/heads/main', after: await world.push() };
  const event = { name: 'push', payload };
  const deployed = await world.playOne('push-checks.yml', event, { workspace, changed });
  expect(deployed.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
  expect(JSON.parse(deployed.outputs['checks'] ?? '')).toHaveLength(2);
  const watched = await world.playOne('watch.yml', byHand, { workspace });
  expect(watched).toMatchObject({ conclusion: 'success', outputs: { outcome: 'synced' } });
  expect(watched.outputs['requests']).toBe('0');
});

test('push-roll-back.yml deploys what its checks want, and knows what is live', async () => {
  await using world = await startExampleWorld();
  const workspace = await checkOutFiles(world);
  const changed = { 'git-force': await world.project.head() };
  const after = await world.push();
  const event = { name: 'push', payload: { ref: 'refs/heads/main', after } };
  const { outputs } = await world.playOne('push-roll-back.yml', event, { workspace, changed });
  expect(outputs).toMatchObject({ outcome: 'succeeded', error: '', 'live-commit': after });
});
