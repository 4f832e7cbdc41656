import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../git/support.ts';
import { root } from '../support/places.ts';
import { checksOf, deployedBy, openPull, startExampleWorld } from './example-world.ts';

test('push.yml takes an existing repository to a new project, which adopts it', async () => {
  await using world = await startExampleWorld();
  const { project, push, playOne } = world;
  const template = await project.head();
  const pushed = async (changed = {}) => {
    const commit = await push();
    const payload = { ref: 'refs/heads/main', after: commit };
    return { commit, ...(await playOne('push.yml', { name: 'push', payload }, { changed })) };
  };
  const first = await pushed();
  expect(first.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
  const [, wanted = ''] = /`git-force: ([0-9a-f]{40})`/.exec(first.outputs['error'] ?? '') ?? [];
  expect(wanted).toBe(template);
  const second = await pushed({ 'git-force': wanted });
  const third = await pushed({ 'git-force': wanted });
  for (const { outputs } of [second, third]) {
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  }
  expect(deployedBy(world)).toEqual([second.commit, third.commit]);
});

test('pull-request.yml pushes the commit to the leased project, and ends its preview', async () => {
  await using world = await startExampleWorld();
  const { emulator, playOne } = world;
  const { sha, event, close } = await openPull(world, repository);
  const result = await playOne('pull-request.yml', event('opened'));
  expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(deployedBy(world)).toEqual([sha]);
  expect(emulator.world.domains.all[0]?.projectId).toBe(world.project.id);
  close();
  const ended = await playOne('pull-request.yml', event('closed'));
  expect(ended.outputs).toMatchObject({ outcome: 'cleaned-up', pushed: '' });
  expect(emulator.world.domains.all[0]?.projectId).toBeNull();
  const [record, ...others] = world.github.deployments(repository);
  expect(others).toEqual([]);
  expect([record?.environment, record?.statuses.at(-1)?.state]).toEqual(['preview', 'inactive']);
  expect(world.github.violations).toEqual([]);
});

test("fork-preview.yml pushes a fork's commit, of which nothing is checked out", async () => {
  await using world = await startExampleWorld();
  const fork = 'stranger/octo-site';
  const { sha } = await openPull(world, fork);
  // A fork's commit is on no branch of the repository: GitHub keeps it here.
  await world.dev.git('push', '--quiet', 'origin', 'topic:refs/pull/7/head', ':refs/heads/topic');
  const result = await world.playOne('fork-preview.yml', checksOf(fork, sha));
  expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(deployedBy(world)).toEqual([sha]);
  expect(await world.project.head()).toBe(sha);
  expect(world.github.violations).toEqual([]);
});

test('fork-preview.yml leaves pull requests of the repository itself to pull-request.yml', async () => {
  await using world = await startExampleWorld();
  const { sha } = await openPull(world, repository);
  expect(await world.play('fork-preview.yml', checksOf(repository, sha))).toEqual([]);
});

const workflow = 'starter/.github/workflows/deploy.yml';
const workspace = join(root, 'examples/starter');

test('deploy.yml of the starter takes an existing repository to a new project', async () => {
  await using world = await startExampleWorld();
  const { github, project } = world;
  const after = await world.push();
  github.refs.set(`${repository}@main`, after);
  github.commits.set(`${repository}@${after}`, { parents: [] });
  const payload = { ref: 'refs/heads/main', after, repository: { default_branch: 'main' } };
  const event = { name: 'push', payload };
  const { outputs, summary } = await world.playOne(workflow, event, { workspace });
  expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(summary).toContain('kept in branch before-');
  expect(await project.head()).toBe(after);
  expect(deployedBy(world)).toEqual([after]);
  expect(github.deployments(repository)).toMatchObject([{ environment: 'production' }]);
});

test('deploy.yml of the starter without its lines for git deploys what the project has', async () => {
  await using world = await startExampleWorld();
  const after = await world.pushToProject();
  const event = { name: 'push', payload: { ref: 'refs/heads/main', after } };
  const changed = { 'git-url': '', 'git-token': '' };
  const { outputs } = await world.playOne(workflow, event, { workspace, changed });
  expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: '', error: '' });
  expect(deployedBy(world)).toEqual([after]);
});
