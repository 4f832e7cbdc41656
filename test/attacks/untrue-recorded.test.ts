// Attack (reports): A GitHub deployment stays without a status
// Defense: Its payload has a mark of run and step, by which the post step or the end of the run finds and ends it

import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../emulator/github/index.ts';
import { type PullRequestWorld, repository, startPullRequest } from '../dist/pull-request-world.ts';

/** Starts the step, and kills it once GitHub has made the deployment whose answer it waits for. */
async function killBetween(world: PullRequestWorld) {
  const { github } = world;
  const made = Promise.withResolvers<void>();
  github.latency = ({ operationId }) => {
    if (operationId !== 'repos/create-deployment') return 0;
    made.resolve();
    return 60_000;
  };
  await using step = await world.start('opened');
  await made.promise;
  github.latency = 0;
  step.kill();
  return await step.done;
}

const statesOf = ({ github }: PullRequestWorld) =>
  github.deployments(repository).map(({ statuses }) => statuses.map(({ state }) => state));

describe.concurrent('a GitHub Deployment whose id never reached the step', () => {
  it('because it was killed is ended by its post step', async () => {
    await using world = await startPullRequest({ deploymentEnds: 'never' });
    const { post } = await killBetween(world);
    expect(post?.log.join('\n')).toContain('killed before it could report');
    expect(statesOf(world)).toEqual([['error']]);
    expect(world.github.violations).toEqual([]);
  });

  it('is not taken for that of another run, of another key, or of somebody else', async () => {
    await using world = await startPullRequest({ deploymentEnds: 'never' });
    const { github } = world;
    await world.run('opened', { inputs: { deploy: 'false' } });
    const sha = await world.project.head();
    const environment = 'preview/pr-7';
    // Whoever makes a deployment can call its task what ours is called.
    const ours = createHash('sha256').update(`pr-7/${world.project.id}`).digest('hex');
    const task = `deploy:${ours.slice(0, 16)}`;
    const foreign = [{ maker: 'somebody' }, {}, { maker: 'site-deploy-action', key: 'pr-7/other' }];
    for (const payload of foreign) {
      github.addDeployment(repository, { sha, environment, task, payload });
    }
    await killBetween(world);
    expect(statesOf(world)).toEqual([[], [], [], ['error']]);
    expect(github.deployments(repository).at(-1)?.task).toBe(task);
  });

  it.each<Trouble>(['lost-answer', 'late', 'empty-answer'])(
    'because of GitHub (%s) is ended by the step itself, which knows its id',
    async (trouble) => {
      await using world = await startPullRequest();
      let isFirst = true;
      world.github.trouble = ({ operationId }) => {
        if (operationId !== 'repos/create-deployment' || !isFirst) return undefined;
        isFirst = false;
        return trouble;
      };
      const { outputs } = await world.run('opened');
      expect(outputs['outcome']).toBe('succeeded');
      const made = world.github.deployments(repository);
      expect(made.map(({ statuses }) => statuses.at(-1)?.state)).toEqual(['success']);
      expect(outputs['github-deployment-id']).toBe(String(made[0]?.id));
      expect(world.github.violations).toEqual([]);
    },
  );
});
