import { describe, expect, it } from 'vitest';
import { repository, startPullRequest } from '../dist/pull-request-world.ts';
import { from, inputs, placeOf, run } from './preview-world.ts';

describe.concurrent('a branch with a preview of its own', () => {
  const hostname = 'topic.example.com';

  it.each<[string, Record<string, string>]>([
    ['a comment alone', { 'github-deployment': 'false' }],
    ['a GitHub Deployment alone', { comment: 'false' }],
    ['a comment and a GitHub Deployment', {}],
    ['a comment of a commit that GitHub does not know', { 'commit-sha': 'HEAD' }],
  ])('keeps it from its opening to its close by %s', async (_, given) => {
    await using world = await startPullRequest();
    for (const action of ['opened', 'synchronize', 'synchronize']) {
      const { outputs } = await run(world, 'topic', action, given);
      expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
      expect(placeOf(world, hostname)).toBe(world.project.id);
    }
    const closed = await run(world, 'topic', 'closed', given);
    expect(closed.outputs['outcome']).toBe('cleaned-up');
    expect(placeOf(world, hostname)).toBeNull();
    const again = await run(world, 'topic', 'reopened', given);
    expect(again.outputs).toMatchObject({ error: '', outcome: 'succeeded' });
    await run(world, 'topic', 'closed', { ...given, 'disconnect-on-close': 'true' });
    expect(placeOf(world, hostname)).toBeUndefined();
    expect(world.github.violations).toEqual([]);
  });

  it('keeps it although a run fails, whatever that says in its place', async () => {
    await using world = await startPullRequest({ deploymentEnds: 'failure' });
    const given = { 'github-deployment': 'false' };
    await run(world, 'topic', 'opened', given);
    await run(world, 'topic', 'synchronize', { ...given, 'verify-url': 'not a url' });
    world.emulator.dialect.deploymentEnds = 'success';
    const { outputs } = await run(world, 'topic', 'synchronize', given);
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
  });

  it('keeps it although a run was killed after it was placed', async () => {
    await using world = await startPullRequest({ deploymentEnds: 'never' });
    const event = await from('topic', 'opened', world);
    await using step = await world.start('opened', { event, inputs });
    await step.waitForLine((line) => line.includes('building'));
    step.kill();
    await step.done;
    world.emulator.dialect.deploymentEnds = 'success';
    const { outputs } = await run(world, 'topic', 'synchronize');
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
  });

  it('keeps it although GitHub did not answer once', async () => {
    await using world = await startPullRequest();
    const given = { 'github-deployment': 'false' };
    await run(world, 'topic', 'opened', given);
    let asked = 0;
    world.github.trouble = ({ operationId }) => {
      if (operationId !== 'issues/list-comments') return undefined;
      asked += 1;
      return asked === 1 ? 'unavailable' : undefined;
    };
    const refused = await run(world, 'topic', 'synchronize', given);
    expect(refused.conclusion).toBe('failure');
    expect(world.comments()[0]).toContain('was not deployed');
    const { outputs } = await run(world, 'topic', 'synchronize', given);
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
  });

  it('in leased projects keeps its own', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject();
    const projects = `${world.project.id}\n${other.id}`;
    const given = { 'project-id': '', 'preview-projects': projects, 'commit-sha': 'HEAD' };
    const first = await run(world, 'topic', 'opened', given);
    const second = await run(world, 'topic', 'synchronize', given);
    expect(second.outputs).toMatchObject({ error: '', outcome: 'succeeded' });
    expect(second.outputs['project-id']).toBe(first.outputs['project-id']);
    await run(world, 'topic', 'closed', given);
    expect(placeOf(world, hostname)).toBeNull();
  });

  it('loses it with its close: what is assigned afterwards is a site', async () => {
    await using world = await startPullRequest();
    await run(world, 'topic', 'opened');
    await run(world, 'topic', 'closed');
    world.emulator.world.assignDomain(hostname, world.project.id);
    const { conclusion, outputs } = await run(world, 'topic', 'reopened');
    expect(conclusion).toBe('failure');
    expect(outputs['error']).toContain(hostname);
    await run(world, 'topic', 'closed');
    expect(placeOf(world, hostname)).toBe(world.project.id);
  });

  it('that was given to another project by hand is not taken back', async () => {
    await using world = await startPullRequest();
    await run(world, 'topic', 'opened');
    const other = await world.emulator.world.createProject();
    world.emulator.world.assignDomain(hostname, other.id);
    const { conclusion } = await run(world, 'topic', 'synchronize');
    expect(conclusion).toBe('failure');
    await run(world, 'topic', 'closed');
    expect(placeOf(world, hostname)).toBe(other.id);
  });

  it("is not another pull request's from the same branch", async () => {
    await using world = await startPullRequest();
    await run(world, 'topic', 'opened');
    const head = { ref: 'topic', sha: await world.project.head(), repo: null };
    world.github.pullRequests.set(`${repository}#8`, {
      number: 8,
      state: 'open',
      head,
      base: head,
    });
    const second = await run(world, 'topic', 'opened', {}, 8);
    expect(second.conclusion).toBe('failure');
    expect(second.outputs['error']).toContain(hostname);
    await run(world, 'topic', 'closed', {}, 8);
    expect(placeOf(world, hostname)).toBe(world.project.id);
  });

  it('without any record is told why its next run is refused', async () => {
    await using world = await startPullRequest();
    const given = { comment: 'false', 'github-deployment': 'false' };
    await run(world, 'topic', 'opened', given);
    const { conclusion, outputs } = await run(world, 'topic', 'synchronize', given);
    expect(conclusion).toBe('failure');
    expect(outputs['error']).toMatch(/{number}.*comment.*github-deployment/);
  });
});
