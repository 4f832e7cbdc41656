import { describe, expect, it } from 'vitest';
import { endsOf, type HistoryWorld, startHistory } from './history-world.ts';
import { startPullRequest } from './pull-request-world.ts';

const notKnown = 'Whether the site still serves what was live before is not known';

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
    expect(summary).toContain('by our records: this run did not look at the site.');
    expect(summary).not.toContain(notKnown);
    expect(endsOf(world)).toEqual(['good', 'undeployed']);
    const again = await fail(world, third);
    expect(again.summary).toContain(short(first));
  });

  it.each<[string, (world: HistoryWorld) => Promise<unknown>, string[]]>([
    ['nothing was released before', async () => undefined, ['ended']],
    [
      'nobody knows what became of the release before',
      async (world) => await world.run(world.commits.first, { wait: 'none' }),
      ['ended', 'ended'],
    ],
    [
      'the last release was good, and a later one ended unknown',
      async (world) => {
        await world.run(world.commits.first);
        await world.run(world.commits.third, { wait: 'none' });
      },
      ['good', 'ended', 'ended'],
    ],
  ])(
    'what is live is not known where %s, in the summary as in the record',
    async (_, before, ends) => {
      await using world = await startHistory();
      await before(world);
      const { summary } = await fail(world, world.commits.second);
      expect(summary).toContain(notKnown);
      expect(summary).not.toContain('by our records');
      expect(endsOf(world)).toEqual(ends);
    },
  );

  it('what is live is not known where our records are not kept', async () => {
    await using world = await startHistory();
    await world.run(world.commits.first);
    const { summary } = await fail(world, world.commits.second, { 'github-deployment': 'false' });
    expect(summary).toContain(notKnown);
  });

  it('what is live is not known of another project of the same environment', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    const other = await world.emulator.world.createProject();
    const inputs = { 'environment-name': 'production' };
    await world.run(first, { ...inputs, 'project-id': other.id, 'commit-sha': await other.head() });
    const { summary } = await fail(world, second, inputs);
    expect(summary).toContain(notKnown);
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
    expect(world.comments()[0]).toContain('Still live by our records, from commit');
  });

  it('a preview is still live where nothing was deployed, and no record is needed for that', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    world.emulator.dialect.refuse = ['createVariable'];
    await world.run('synchronize', { inputs: { env: 'NAME=a value' } });
    expect(world.comments()[0]).toContain('Still live, from commit');
  });
});
