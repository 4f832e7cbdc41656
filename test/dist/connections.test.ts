import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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
    'listConnectedDomains',
  ]);
  expect(new Set(entries.map(({ connection }) => connection)).size).toBe(1);
});

it('GitHub is asked through the proxy of the environment', async () => {
  await using world = await startPullRequest();
  const asked: (string | undefined)[] = [];
  await using proxy = createServer();
  proxy.on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const { outputs, log } = await world.run('opened', {
    env: { https_proxy: `http://127.0.0.1:${port}` },
    github: { apiUrl: 'https://api.github.example' },
  });
  expect(outputs['outcome'], log.join('\n')).toBe('succeeded');
  expect(new Set(asked)).toEqual(new Set(['api.github.example:443']));
  expect(log.join('\n')).toContain('Could not write the comment: GitHub is unreachable');
});
