import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inputs as byBranch, from, placeOf, run } from '../attacks/preview-world.ts';
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

  it('still knows the preview after a run that only saw that the pull request is closed', async () => {
    await using world = await startPullRequest();
    const inputs = { ...byBranch, 'github-deployment': 'false' };
    await run(world, 'topic', 'opened', inputs);
    world.close();
    const skipped = await run(world, 'topic', 'synchronize', inputs);
    expect(skipped.outputs['skipped-reason']).toBe('pull-request-closed');
    expect(placeOf(world, 'topic.example.com')).toBe(world.project.id);
    const closed = await run(world, 'topic', 'closed', inputs);
    expect(closed.outputs['outcome']).toBe('cleaned-up');
    expect(placeOf(world, 'topic.example.com')).toBeNull();
  });
});

it('a run that ends its own preview signs that end, so that its claim is not believed again', async () => {
  await using world = await startPullRequest();
  const { github, emulator, project } = world;
  const hasLooked = () =>
    github.journal.some(({ path, endedAt }) => path.includes('/pulls/') && endedAt !== null);
  let isPlayed = false;
  const until = async () => {
    if (isPlayed) return;
    isPlayed = true;
    while (!hasLooked()) await nextTurn();
    // The close comes and goes before anything is claimed.
    const { outputs } = await run(world, 'topic', 'closed');
    expect(outputs['outcome']).toBe('cleaned-up');
  };
  emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', until });
  const first = await run(world, 'topic', 'opened');
  expect(isPlayed).toBe(true);
  expect(first.outputs['skipped-reason']).toBe('pull-request-closed');
  expect(placeOf(world, 'topic.example.com')).toBeNull();
  // Somebody makes a site of that name.
  emulator.world.assignDomain('topic.example.com', project.id);
  const again = await run(world, 'topic', 'reopened');
  expect(again.outputs['outcome']).toBe('failed');
  expect(again.outputs['error']).toContain('(SD6003)');
});

it('a run that is killed while it tells that it ended its own preview has that signed by its post step', async () => {
  await using world = await startPullRequest();
  const { github, emulator, project } = world;
  const until = async () => world.close();
  emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until });
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  github.latency = ({ operationId }) => {
    const isEnd = operationId === 'repos/create-deployment-status' && isGone();
    if (isEnd) reach();
    return isEnd ? 600_000 : 0;
  };
  const isGone = () => placeOf(world, 'topic.example.com') === null;
  const event = await from('topic', 'opened', world);
  await using step = await world.start('opened', { event, inputs: byBranch });
  await reached;
  github.latency = 0;
  step.kill();
  const { post } = await step.done;
  expect(post?.log.join('\n')).toContain('closed while it was being deployed');
  // Somebody makes a site of that name.
  emulator.world.assignDomain('topic.example.com', project.id);
  const again = await run(world, 'topic', 'reopened');
  expect(again.outputs['outcome']).toBe('failed');
  expect(again.outputs['error']).toContain('(SD6003)');
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
