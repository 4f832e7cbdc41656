import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../emulator/github/index.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type PullRequestWorld, repository, startPullRequest } from './pull-request-world.ts';

/** The newest GitHub Deployment. */
function newest({ github }: PullRequestWorld): Deployment {
  const found = github.deployments(repository).at(-1);
  if (found === undefined) throw new Error('no GitHub Deployment was recorded');
  return found;
}

/** Does something when the end of a run looks at the deployments, and not when its begin does. */
function atLastLook(world: PullRequestWorld, act: () => void): void {
  let looks = 0;
  world.github.on('repos/list-deployments', () => {
    looks += 1;
    if (looks > 1) act();
  });
}

describe.concurrent('a GitHub Deployment that was overtaken', () => {
  it('by a newer one does not become the live one, and leaves that alone', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    atLastLook(world, () => {
      const { sha, environment, task, payload } = newest(world);
      const another = { ...Object(payload), mark: 'of another run' };
      const deployment = { sha, environment, task, payload: another };
      github.addDeployment(repository, deployment, [{ state: 'success' }]);
    });
    const result = await world.run('opened');
    expect(result.outputs['outcome']).toBe('succeeded');
    const states = github
      .deployments(repository)
      .map(({ statuses }) => statuses.map((one) => one.state));
    expect(states).toEqual([['in_progress', 'inactive'], ['success']]);
    expect(github.violations).toEqual([]);
  });

  it('and set inactive already stays so', async () => {
    await using world = await startPullRequest();
    atLastLook(world, () => {
      const { statuses } = newest(world);
      const [status] = statuses;
      if (status !== undefined) statuses.push({ ...status, state: 'inactive' });
    });
    await world.run('opened');
    expect(newest(world).statuses.map(({ state }) => state)).not.toContain('success');
    expect(world.states()).toEqual(['inactive']);
  });
});

describe.concurrent('GitHub Deployments in one environment', () => {
  const inputs = { 'environment-name': 'preview' };

  it('are replaced and cleaned up each by its own project', async () => {
    await using world = await startPullRequest();
    const second = await world.emulator.world.createProject();
    await world.run('opened', { inputs });
    const ofSecond = {
      ...inputs,
      'project-id': second.id,
      'preview-domain': 'second-{number}.preview.example.com',
      'commit-sha': await second.head(),
    };
    await world.run('opened', { inputs: ofSecond });
    expect(world.states()).toEqual(['success', 'success']);
    await world.run('synchronize', { inputs });
    expect(world.states()).toEqual(['inactive', 'success', 'success']);
    world.close();
    const closed = await world.run('closed', { inputs });
    expect(closed.outputs['outcome']).toBe('cleaned-up');
    expect(world.states()).toEqual(['inactive', 'success', 'inactive']);
    expect(world.github.violations).toEqual([]);
  });

  it('of another pull request stay', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    await world.run('opened', { inputs });
    const { sha, environment, task, payload } = newest(world);
    const other = JSON.parse(JSON.stringify(payload).replace('pr-7', 'pr-8'));
    const deployment = { sha, environment, task, payload: other };
    github.addDeployment(repository, deployment, [{ state: 'success' }]);
    await world.run('synchronize', { inputs });
    expect(world.states()).toEqual(['inactive', 'success', 'success']);
  });

  it('are replaced and cleaned up past any number of other open previews', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    const ours: number[] = [];
    const openOthers = () => {
      ours.push(newest(world).id);
      for (let other = 0; other < 120; other += 1) {
        const payload = { maker: 'site-deploy-action', key: `pr-${100 + other}/x`, mark: 'x' };
        const task = `deploy:${other}`;
        const deployment = { sha: newest(world).sha, environment: 'preview', task, payload };
        github.addDeployment(repository, deployment, [{ state: 'success' }]);
      }
    };
    const states = () =>
      github
        .deployments(repository)
        .filter(({ id }) => ours.includes(id))
        .map(({ statuses }) => statuses.at(-1)?.state);
    await world.run('opened', { inputs });
    openOthers();
    await world.run('synchronize', { inputs });
    openOthers();
    expect(states()).toEqual(['inactive', 'success']);
    world.close();
    await world.run('closed', { inputs });
    expect(states()).toEqual(['inactive', 'inactive']);
    expect(world.states().filter((state) => state === 'success')).toHaveLength(240);
    expect(github.violations).toEqual([]);
  });

  it('of production stay apart by project', async () => {
    await using world = await startPullRequest();
    const { emulator, github, project } = world;
    const other = await emulator.world.createProject();
    const push = async (to: typeof project) => {
      const payload = { ref: 'refs/heads/main', after: await to.head() };
      const inputs = { 'project-id': to.id, 'preview-domain': '' };
      return await world.run('opened', { event: { name: 'push', payload }, inputs });
    };
    await push(project);
    await push(other);
    await push(project);
    expect(world.states()).toEqual(['inactive', 'success', 'success']);
    expect(newest(world)).toMatchObject({
      environment: 'production',
      production_environment: true,
      transient_environment: false,
    });
    expect(github.violations).toEqual([]);
  });

  it('of the merge queue are transient and in an environment of their own', async () => {
    await using world = await startPullRequest();
    const payload = adjust(examplePayload('merge_group'), {
      'merge_group.head_sha': await world.project.head(),
    });
    const inputs = { 'preview-domain': '' };
    await world.run('opened', { event: { name: 'merge_group', payload }, inputs });
    expect(newest(world)).toMatchObject({
      environment: 'merge-group',
      production_environment: false,
      transient_environment: true,
    });
  });
});
