import { expect, test } from 'vitest';
import { servePage } from '../dist/history-world.ts';
import { repository } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { deployedBy, openPull, startExampleWorld } from './example-world.ts';

const byHand = { name: 'workflow_dispatch', payload: {} };
const pushOf = (after: string, ref = 'refs/heads/main') => ({
  name: 'push',
  payload: { ref, after, head_commit: { id: after } },
});

test('new-project.yml creates a project, adopts it, and connects the domain', async () => {
  await using world = await startExampleWorld();
  const { emulator, push, play, github } = world;
  const sha = await push();
  github.refs.set(`${repository}@main`, sha);
  github.commits.set(`${repository}@${sha}`, { parents: [] });
  const onMain = { ...byHand, payload: { repository: { default_branch: 'main' } } };
  const inputs = { hostname: 'www.example.com' };
  const [made, deployed] = await play('new-project.yml', onMain, { inputs, github: { sha } });
  const created = emulator.world.projects.find(({ id }) => id === made?.outputs['project-id']);
  expect(created?.id).not.toBe(world.project.id);
  expect(made?.summary).toContain(created?.id);
  expect(deployed?.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(created?.deployments.map(({ commit }) => commit)).toEqual([sha]);
  expect(await created?.head()).toBe(sha);
  expect(deployed?.summary).toContain('kept in branch before-');
  expect(emulator.world.domains.all).toMatchObject([
    { hostname: 'www.example.com', projectId: created?.id },
  ]);
  expect(github.deployments(repository)).toMatchObject([{ environment: 'production', sha }]);
});

test('rollback.yml deploys a commit that the project has, and pushes nothing', async () => {
  await using world = await startExampleWorld();
  const { project, pushToProject, playOne } = world;
  const old = await project.head();
  const newest = await pushToProject();
  const { outputs } = await playOne('rollback.yml', byHand, { inputs: { commit: old } });
  expect(outputs).toMatchObject({ outcome: 'succeeded', 'commit-sha': old, pushed: '' });
  expect(deployedBy(world)).toEqual([old]);
  expect(await project.head()).toBe(newest);
});

test('staging-production.yml deploys the same commit twice, and production only after staging', async () => {
  await using world = await startExampleWorld();
  const { project, github, push, play } = world;
  // One project stands for both here: the environments' own variables are GitHub's affair.
  const changed = { 'git-force': 'true' };
  const sha = await push();
  const steps = await play('staging-production.yml', pushOf(sha), { changed });
  expect(steps.map(({ job, outputs }) => [job, outputs['outcome'], outputs['pushed']])).toEqual([
    ['staging', 'succeeded', 'true'],
    ['production', 'succeeded', 'false'],
  ]);
  expect(deployedBy(world)).toEqual([sha, sha]);
  const environments = github.deployments(repository).map(({ environment }) => environment);
  expect(environments).toEqual(['staging', 'production']);
  const wrong = { vars: { SITE_GIT_URL: `${world.emulator.url}/git/none.git` } };
  const next = await play('staging-production.yml', pushOf(await push()), wrong);
  expect(next.map(({ job, conclusion }) => [job, conclusion])).toEqual([['staging', 'failure']]);
  expect(project.deployments).toHaveLength(2);
});

test('redeploy.yml deploys main once, and again only if something else is live', async () => {
  await using world = await startExampleWorld();
  const { project, push, playOne } = world;
  using page = await servePage(project);
  const sha = await push();
  const changed = { 'env-from': '', 'git-force': await project.head() };
  const given = { changed, vars: { SITE_URL: page.url }, github: { sha } };
  const play = async () => {
    const { outputs } = await playOne('redeploy.yml', byHand, given);
    return outputs['skipped-reason'] || outputs['outcome'];
  };
  expect([await play(), await play()]).toEqual(['succeeded', 'not-needed']);
  await playOne('rollback.yml', byHand, { inputs: { commit: sha } });
  expect(await play()).toBe('not-needed');
  expect(deployedBy(world)).toEqual([sha, sha]);
});

test.each(['redeploy.yml', 'env-sync.yml', 'new-project.yml'])(
  '%s does nothing when it is started by hand on another branch',
  async (file) => {
    await using world = await startExampleWorld();
    const github = { ref: 'refs/heads/topic', sha: await world.push() };
    expect(await world.play(file, byHand, { github })).toEqual([]);
    expect(world.emulator.journal.entries).toEqual([]);
  },
);

test('promotion.yml fails, as a required check must, if a pull request has no checked preview', async () => {
  await using world = await startExampleWorld();
  using page = await servePage(world.project);
  const options = { changed: { 'verify-url': page.url }, runSteps: true };
  const own = await openPull(world, repository);
  const shown = await world.playOne('promotion.yml', own.event('opened'), options);
  expect(shown.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
  own.close();
  const ended = await world.playOne('promotion.yml', own.event('closed'), options);
  expect(ended.outputs['outcome']).toBe('cleaned-up');
  const fork = await openPull(world, 'somebody/octo-site');
  const secrets = { SITE_API_KEY: '', SITE_GIT_TOKEN: '' };
  await expect(
    world.play('promotion.yml', fork.event('opened'), { ...options, secrets }),
  ).rejects.toThrow('not played to the end: preview');
});

test.each(['release.yml', 'two-sites.yml'])('%s pushes and deploys the commit', async (file) => {
  await using world = await startExampleWorld();
  const sha = await world.push();
  const ref = file === 'release.yml' ? 'refs/tags/v1.0.0' : 'refs/heads/main';
  const changed = { 'git-force': await world.project.head() };
  const { outputs } = await world.playOne(file, pushOf(sha, ref), { changed });
  expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  expect(deployedBy(world)).toEqual([sha]);
});

test('merge-queue.yml deploys each entry in the place of the one before, and nothing else', async () => {
  await using world = await startExampleWorld();
  const { dev, github, push, play, playOne } = world;
  const entry = async (branch: string) => {
    await dev.git('checkout', '--quiet', '-B', branch, 'main');
    const sha = await push();
    const payload = adjust(examplePayload('merge_group'), { 'merge_group.head_sha': sha });
    return { sha, event: { name: 'merge_group', payload } };
  };
  const entries = [await entry('one'), await entry('two')];
  for (const { event } of entries) {
    const { outputs } = await playOne('merge-queue.yml', event);
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true', error: '' });
  }
  expect(deployedBy(world)).toEqual(entries.map(({ sha }) => sha));
  expect(github.deployments(repository).at(-1)?.environment).toBe('merge-group');
  const payload = examplePayload('pull_request', 'opened');
  expect(await play('merge-queue.yml', { name: 'pull_request', payload })).toEqual([]);
});

test('price-watch.yml fails when a domain costs too much, and changes nothing', async () => {
  await using world = await startExampleWorld();
  const { emulator, playOne } = world;
  const { outputs, conclusion } = await playOne('price-watch.yml', byHand);
  expect({ conclusion, error: outputs['error'] }).toEqual({ conclusion: 'success', error: '' });
  const dear = await playOne('price-watch.yml', byHand, { changed: { 'max-price': '1' } });
  expect(dear.conclusion).toBe('failure');
  expect(dear.outputs['error']).toContain('example.com');
  const operations = emulator.journal.entries.map(({ operation }) => operation);
  expect(new Set(operations)).toEqual(new Set(['checkDomains']));
});
