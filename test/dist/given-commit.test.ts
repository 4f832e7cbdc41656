import { describe, expect, it } from 'vitest';
import { repository } from '../git/support.ts';
import { deployedBy } from './example-world.ts';
import { refuseReading, startStory } from './story-world.ts';

type Story = Awaited<ReturnType<typeof startStory>>;

/** A run that must fail without having deployed anything. */
async function refused(story: Story, run: ReturnType<Story['goBack']>): Promise<string> {
  const before = deployedBy(story.world).length;
  const { outputs, conclusion } = await run;
  expect({ conclusion, outcome: outputs['outcome'] }).toEqual({
    conclusion: 'failure',
    outcome: 'failed',
  });
  expect(deployedBy(story.world)).toHaveLength(before);
  return outputs['error'] ?? '';
}

describe.concurrent('rollback.yml without a commit', () => {
  it('goes to the good release before what is live, and never back to what was rolled back', async () => {
    await using story = await startStory(3);
    const [first = '', second = '', third = ''] = story.commits;
    for (const commit of [first, second, third]) await story.deploy(commit);
    expect((await story.goBack()).outputs['outcome']).toBe('succeeded');
    expect(story.live()).toBe(second);
    // A second click goes further back, not to what was broken.
    expect((await story.goBack()).outputs['outcome']).toBe('succeeded');
    expect(story.live()).toBe(first);
    expect(await refused(story, story.goBack())).toContain('finds no earlier good release');
  });

  it('goes from what a run has gone back to, too', async () => {
    await using story = await startStory(3);
    const [first = '', second = '', bad = ''] = story.commits;
    for (const commit of [first, second]) await story.deploy(commit);
    story.broken.add(bad);
    expect((await story.deploy(bad)).outputs['outcome']).toBe('rolled-back');
    expect(story.live()).toBe(second);
    expect((await story.goBack()).outputs['outcome']).toBe('succeeded');
    expect(story.live()).toBe(first);
  });

  it('counts a repeated release of the same commit as one', async () => {
    await using story = await startStory(2);
    const [first = '', second = ''] = story.commits;
    for (const commit of [first, second, second]) await story.deploy(commit);
    await story.goBack();
    expect(story.live()).toBe(first);
  });

  it('fails where nothing was recorded', async () => {
    await using story = await startStory(1);
    expect(await refused(story, story.goBack())).toContain('(SD1122)');
  });

  it('fails where a record was deleted', async () => {
    await using story = await startStory(3);
    const { commits, deploy, world } = story;
    for (const commit of commits) await deploy(commit);
    world.github.deployments(repository).splice(1, 1);
    expect(await refused(story, story.goBack())).toContain('a deployment record is missing');
  });

  it.each([
    ['another environment', { 'environment-name': 'elsewhere' }],
    ['another key', { 'env-ledger-key': 'another-fake-key-of-this-test' }],
  ])('does not count the records of %s', async (_what, changed) => {
    await using story = await startStory(2);
    for (const commit of story.commits) await story.deploy(commit);
    expect(await refused(story, story.goBack('', changed))).toContain('(SD1122)');
  });

  it('fails with swap-projects, before anything is asked', async () => {
    await using story = await startStory(1);
    const { project, emulator } = story.world;
    const other = await emulator.world.createProject();
    const changed = {
      'project-id': '',
      'swap-projects': `${project.id}\n${other.id}`,
      'swap-domains': 'www.example.com',
    };
    expect(await refused(story, story.goBack('', changed))).toContain('PREVIOUS is not for swap');
  });

  it('fails where the records cannot be read, and names the permission', async () => {
    await using story = await startStory(2);
    for (const commit of story.commits) await story.deploy(commit);
    refuseReading(story.world);
    expect(await refused(story, story.goBack())).toContain('deployments: ');
  });
});

describe.concurrent('rollback.yml with the first digits of a commit', () => {
  it('finds it among the releases, without asking GitHub for it', async () => {
    await using story = await startStory(2);
    const [first = '', second = ''] = story.commits;
    for (const commit of [first, second]) await story.deploy(commit);
    story.world.github.commits.clear();
    expect((await story.goBack(first.slice(0, 7).toUpperCase())).outputs).toMatchObject({
      outcome: 'succeeded',
      'commit-sha': first,
    });
    expect(story.live()).toBe(first);
  });

  it('finds one of the default branch that was never released', async () => {
    await using story = await startStory(2);
    const [first = '', second = ''] = story.commits;
    await story.deploy(second);
    expect((await story.goBack(first.slice(0, 12))).outputs['outcome']).toBe('succeeded');
    expect(story.live()).toBe(first);
  });

  it.each([
    ["a fork's commit", 'c0ffee1', 'c0ffee1'.padEnd(40, '0')],
    ['a commit of another branch', 'abcdef1', 'abcdef1'.padEnd(40, '2')],
  ])('refuses %s', async (_what, digits, commit) => {
    await using story = await startStory(1);
    const { github } = story.world;
    github.commits.set(`${repository}@${commit}`, { parents: [] });
    expect(await refused(story, story.goBack(digits))).toContain('not on the default branch');
  });

  it('refuses a branch that is called like them', async () => {
    await using story = await startStory(1);
    const { github } = story.world;
    github.refs.set(`${repository}@decade1`, story.commits[0] ?? '');
    expect(await refused(story, story.goBack('decade1'))).toContain('(SD1121)');
  });

  it('refuses digits that nothing has', async () => {
    await using story = await startStory(1);
    expect(await refused(story, story.goBack('0000000'))).toContain('Give all 40 hex digits');
  });
});
