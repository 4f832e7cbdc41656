import { describe, expect, it } from 'vitest';
import { git } from '../git/support.ts';
import { rows } from '../support/exhaustive.ts';
import { endsOf, type HistoryWorld, startHistory } from './history-world.ts';
import { startPullRequest } from './pull-request-world.ts';

const notKnown = '**Live now:** unknown, the site was not checked';

/** Deploys a commit whose deployment the service says has failed. */
async function fail(world: HistoryWorld, commit: string, inputs: Record<string, string> = {}) {
  world.emulator.dialect.deploymentEnds = 'failure';
  const result = await world.run(commit, inputs);
  expect(result.outputs).toMatchObject({ outcome: 'failed', 'live-commit': '', url: '' });
  return result;
}

const short = (commit: string) => `<code>${commit.slice(0, 7)}</code>`;

describe.concurrent('after a deployment that failed', () => {
  it('an earlier release is live by our records, in the summary as in the record', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first);
    const { summary } = await fail(world, second);
    expect(summary).toContain(`**Live now:** Commit [${short(first)}]`);
    expect(summary).toContain('(by its GitHub deployment; the site was not checked)');
    expect(summary).not.toContain(notKnown);
    expect(endsOf(world)).toEqual(['good', 'undeployed']);
    const again = await fail(world, third);
    expect(again.summary).toContain(short(first));
  });

  const unknown: [string, (world: HistoryWorld) => Promise<unknown>, string[]][] = [
    ['nothing was released before', async () => undefined, ['undeployed']],
    [
      'nobody knows what became of the release before',
      async (world) => await world.run(world.commits.first, { wait: 'none' }),
      ['ended', 'undeployed'],
    ],
    [
      'the last release was good, and a later one ended unknown',
      async (world) => {
        await world.run(world.commits.first);
        await world.run(world.commits.third, { wait: 'none' });
      },
      ['good', 'ended', 'undeployed'],
    ],
  ];
  // What records show: src/releases/decisions.test.ts.
  it.each(rows(unknown, 2))(
    'what is live is not known where %s, in the summary as in the record',
    async (_, before, ends) => {
      await using world = await startHistory();
      await before(world);
      const { summary } = await fail(world, world.commits.second);
      expect(summary).toContain(notKnown);
      expect(summary).not.toContain('by its GitHub deployment');
      expect(endsOf(world)).toEqual(ends);
    },
  );

  it('what is live is not known where our records are not kept', async () => {
    await using world = await startHistory();
    await world.run(world.commits.first);
    const { summary } = await fail(world, world.commits.second, { 'github-deployment': 'false' });
    expect(summary).toContain(notKnown);
  });

  it('what is live is not known where another environment was deployed to its project since', async () => {
    await using world = await startHistory();
    const { first, second, third } = world.commits;
    await world.run(first);
    const { outputs } = await world.run(second, { 'environment-name': 'staging' });
    expect(outputs).toMatchObject({ outcome: 'succeeded' });
    const { summary } = await fail(world, third);
    expect(summary).toContain(notKnown);
    expect(summary).not.toContain('by its GitHub deployment');
  });

  it('a step that is killed while our records are read has its outputs, and says that it failed', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    await world.run(first);
    world.emulator.dialect.deploymentEnds = 'failure';
    const reached = Promise.withResolvers<void>();
    // Beside the deployment the record before it is read: whether it was good. Whether it still stands is read now.
    let left = 1;
    world.github.latency = ({ method, path }) => {
      if (method !== 'GET' || !path.endsWith('/statuses')) return 0;
      left -= 1;
      if (left >= 0) return 0;
      reached.resolve();
      return 600_000;
    };
    await using step = await world.start(second, { inputs: { 'on-older': 'deploy' } });
    await reached.promise;
    world.github.latency = 0;
    step.kill();
    const { outputs, log } = await step.done;
    expect(outputs).toMatchObject({ outcome: 'failed', 'commit-sha': second });
    expect(log.join('\n')).not.toContain('may still go live');
    expect(endsOf(world)).toEqual(['good', 'undeployed']);
  });

  it.each<[string, Record<string, string>]>([
    ['our records', {}],
    ['our comment alone', { 'github-deployment': 'false' }],
  ])('a preview is still live by %s, which the comment says', async (_, inputs) => {
    await using world = await startPullRequest();
    await world.run('opened', { inputs });
    world.emulator.dialect.deploymentEnds = 'failure';
    const { outputs } = await world.run('synchronize', { inputs });
    expect(outputs['outcome']).toBe('failed');
    expect(world.comments()[0]).toContain('Still live (by its GitHub deployment), from commit');
  });

  it('a preview is still live where nothing was deployed, and no record is needed for that', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    world.emulator.dialect.refuse = ['createVariable'];
    await world.run('synchronize', { inputs: { env: 'NAME=a value' } });
    expect(world.comments()[0]).toContain('Still live, from commit');
  });

  it('the comment names the commit that our records know, also where it could not be written then', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const folder = await world.project.gitFolder();
    const next = await git(folder, ['commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'next']);
    await git(folder, ['update-ref', 'HEAD', next]);
    world.github.trouble = { comments: 'forbidden' };
    const { outputs } = await world.run('synchronize', { inputs: { 'commit-sha': next } });
    expect(outputs).toMatchObject({ outcome: 'succeeded' });
    world.github.trouble = undefined;
    world.emulator.dialect.deploymentEnds = 'failure';
    const { summary } = await world.run('synchronize');
    expect(world.comments()[0]).toContain(`from commit <code>${next.slice(0, 7)}</code>`);
    expect(summary).toContain(next.slice(0, 7));
  });

  it('what a preview showed before it was closed is not live once it is open again', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    world.close();
    await world.run('closed');
    world.reopen();
    world.emulator.dialect.deploymentEnds = 'failure';
    const { summary } = await world.run('reopened');
    expect(summary).not.toContain('by its GitHub deployment');
    expect(world.comments().join('')).not.toContain('Still live');
  });

  it('a preview is not known to be live where another was deployed to its project since', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const inputs = { 'environment-name': 'other' };
    const { outputs } = await world.run('synchronize', { inputs });
    expect(outputs).toMatchObject({ outcome: 'succeeded' });
    world.emulator.dialect.deploymentEnds = 'failure';
    const { summary } = await world.run('synchronize');
    expect(summary).not.toContain('by its GitHub deployment');
    expect(world.comments().join('')).not.toContain('Still live');
  });
});
