import { expect, it } from 'vitest';
import { startPullRequest } from './pull-request-world.ts';

it('the end of a run asks GitHub over the connections that its begin has opened', async () => {
  // Longer than the HTTP library keeps an idle connection by itself.
  await using world = await startPullRequest({ buildMs: 6000 });
  world.github.latency = 50;
  const { outputs } = await world.run('opened');
  expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
  const { journal } = world.github;
  const end = world.project.deployments[0]?.endedAt ?? Number.NaN;
  const before = journal.filter(({ at }) => at <= end).map(({ connection }) => connection);
  const after = journal.filter(({ at }) => at > end).map(({ connection }) => connection);
  expect(after.length).toBeGreaterThan(3);
  expect(new Set(before)).toEqual(new Set([...before, ...after]));
  expect(new Set(before).size).toBeLessThanOrEqual(4);
});

it('what is asked of the service one after the other is asked over one connection', async () => {
  await using world = await startPullRequest();
  const { project } = world;
  const payload = { ref: 'refs/heads/main', after: await project.head() };
  const inputs = { 'preview-domain': '', 'github-deployment': 'false' };
  await world.run('opened', { event: { name: 'push', payload }, inputs });
  const { entries } = world.emulator.journal;
  expect(entries.map(({ operation }) => operation)).toEqual([
    'readEnvironment',
    'createDeployment',
    'readDeploymentEvents',
  ]);
  expect(new Set(entries.map(({ connection }) => connection)).size).toBe(1);
});
