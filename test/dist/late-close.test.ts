// Attack (starting): A slow close or sweep ends the GitHub deployment of a reopened preview
// Defense: A run ends no record of a newer run

import { describe, expect, it } from 'vitest';
import { type PullRequestWorld, repository, startPullRequest } from './pull-request-world.ts';

/** Holds the first request of an operation until it is let go. */
function holdFirst({ github }: PullRequestWorld, operation: 'repos/list-deployments') {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  let isFirst = true;
  github.on(operation, async () => {
    if (!isFirst) return;
    isFirst = false;
    reach();
    await held;
  });
  return { reached, letGo };
}

describe.concurrent('a close', () => {
  it('that is slow on GitHub does not end the record of a preview that is live again', async () => {
    await using world = await startPullRequest();
    const { github } = world;
    await world.run('opened');
    world.close();
    const { reached, letGo } = holdFirst(world, 'repos/list-deployments');
    const closing = world.run('closed');
    await reached;
    world.reopen();
    const { promise: built, resolve: build } = Promise.withResolvers<void>();
    world.emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until: () => built });
    const { promise: recorded, resolve: record } = Promise.withResolvers<void>();
    github.on('repos/create-deployment-status', () => {
      if (github.deployments(repository).length === 2) record();
    });
    const reopened = world.run('reopened');
    await recorded;
    letGo();
    expect((await closing).outputs['outcome']).toBe('cleaned-up');
    build();
    expect((await reopened).outputs['outcome']).toBe('succeeded');
    expect(world.states()).toEqual(['inactive', 'success']);
  });
});

it('a repeated run that leaves the comment of a newer one says so', async () => {
  await using world = await startPullRequest();
  await world.run('opened');
  world.close();
  await world.run('closed');
  world.reopen();
  const { outputs, log } = await world.run('opened', {
    github: { runId: '101', runAttempt: '2' },
  });
  expect(outputs['outcome']).toBe('succeeded');
  expect(log.join('\n')).toContain('(SD8009)');
  expect(world.states()).toEqual(['inactive', 'success']);
  // A run that is not repeated, and late, is no news to anybody.
  const late = await world.run('synchronize', { github: { runId: '100' } });
  expect(late.log.join('\n')).not.toContain('(SD8009)');
});
