import { describe, expect, it } from 'vitest';
import { writeMarker } from '../../src/core/comment/marker.ts';
import {
  readClaimLine,
  type SignedClaim,
  sealOf,
  writeClaimLine,
} from '../../src/core/preview/claim.ts';
import type { ActionResult, RunEvent } from '../../src/emulator/runner.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from '../dist/pull-request-world.ts';
import { adjust, examplePayload } from '../support/payloads.ts';

const production = 'www.example.com';
const inputs = { 'preview-domain': '{branch}.example.com' };

/** The event of a pull request from a branch of this name. */
async function from(
  branch: string,
  action: string,
  { project }: PullRequestWorld,
  which = number,
): Promise<RunEvent> {
  const payload = adjust(examplePayload('pull_request', action), {
    number: which,
    'pull_request.number': which,
    'pull_request.head.ref': branch,
    'pull_request.head.sha': await project.head(),
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.repo.full_name': repository,
  });
  return { name: 'pull_request', payload };
}

/** Runs the action for a pull request from a branch of this name. */
async function run(
  world: PullRequestWorld,
  branch: string,
  action: string,
  given: Record<string, string> = {},
  which = number,
): Promise<ActionResult> {
  if (action === 'closed') world.close();
  if (action === 'reopened') world.reopen();
  const event = await from(branch, action, world, which);
  return await world.run(action, { event, inputs: { ...inputs, ...given } });
}

/** Where a hostname is: a project's id, null for none, undefined if it is not connected. */
const placeOf = ({ emulator }: PullRequestWorld, hostname: string) =>
  emulator.connectedDomains.find((domain) => domain.hostname === hostname)?.projectId;

/** A world in which the project of the previews serves `www.example.com`. */
async function startServing(): Promise<PullRequestWorld> {
  const world = await startPullRequest();
  world.emulator.connectDomain(production, world.project.id);
  return world;
}

function expectRefused({ outputs, conclusion }: ActionResult, world: PullRequestWorld): void {
  expect(conclusion).toBe('failure');
  expect(outputs['error']).toContain(production);
  expect(outputs['error']).toContain('{number}');
  expect(placeOf(world, production)).toBe(world.project.id);
}

const both = [{ comment: 'true' }, { comment: 'false' }] as const;

describe.concurrent('a branch that is called like a site', () => {
  it.each(both)('is not deployed there, however often it is tried (%j)', async (given) => {
    await using world = await startServing();
    for (const action of ['opened', 'synchronize', 'synchronize']) {
      expectRefused(await run(world, 'www', action, given), world);
    }
    expect(world.project.deployments).toEqual([]);
  });

  it('is not given variables either', async () => {
    await using world = await startServing();
    const given = { deploy: 'false', env: 'A=of the branch' };
    expectRefused(await run(world, 'www', 'opened', given), world);
    expect(world.project.variables).toEqual([]);
  });

  it.each(['true', 'false'])(
    'does not end that site when it is closed (disconnect-on-close: %s)',
    async (disconnect) => {
      await using world = await startServing();
      await run(world, 'www', 'opened');
      const result = await run(world, 'www', 'closed', { 'disconnect-on-close': disconnect });
      expect(result.conclusion).toBe('success');
      expect(result.summary).toContain('left alone');
      expect(placeOf(world, production)).toBe(world.project.id);
    },
  );

  it('does not disconnect a domain that serves nothing yet', async () => {
    await using world = await startPullRequest();
    world.emulator.connectDomain(production);
    await run(world, 'www', 'closed', { 'disconnect-on-close': 'true' });
    expect(placeOf(world, production)).toBeNull();
  });

  it('does not take it for a leased project', async () => {
    await using world = await startServing();
    const other = await world.emulator.createProject();
    const given = { 'project-id': '', 'preview-projects': other.id };
    expectRefused(await run(world, 'www', 'opened', given), world);
    expect(other.deployments).toEqual([]);
  });

  it('does not lease the project that it serves', async () => {
    await using world = await startServing();
    const given = { 'project-id': '', 'preview-projects': world.project.id };
    expectRefused(await run(world, 'www', 'opened', given), world);
    await run(world, 'www', 'closed', given);
    expect(placeOf(world, production)).toBe(world.project.id);
    expect(world.project.deployments).toEqual([]);
  });

  it('does not take it from another project, and writes nothing before it says so', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.createProject();
    world.emulator.connectDomain(production, other.id);
    const result = await run(world, 'www', 'opened', { env: 'A=of the branch' });
    expect(result.outputs['error']).toContain(production);
    expect(placeOf(world, production)).toBe(other.id);
    expect(world.project.variables).toEqual([]);
  });

  it('is deployed for who says so, and does not end the site when it is closed', async () => {
    await using world = await startServing();
    const given = { 'allow-production': 'true', 'disconnect-on-close': 'true' };
    for (const action of ['opened', 'synchronize']) {
      expect((await run(world, 'www', action, given)).outputs['outcome']).toBe('succeeded');
    }
    await run(world, 'www', 'closed', given);
    expect(placeOf(world, production)).toBe(world.project.id);
    const again = await run(world, 'www', 'reopened');
    expectRefused(again, world);
  });

  it('that was renamed to it after it had a preview is refused', async () => {
    await using world = await startPullRequest();
    await run(world, 'topic', 'opened');
    world.emulator.connectDomain(production, world.project.id);
    expectRefused(await run(world, 'www', 'synchronize'), world);
  });
});

describe.concurrent('a fixed hostname', () => {
  it('that a pull request did not get is not deployed to', async () => {
    await using world = await startServing();
    const given = { 'preview-domain': production };
    expectRefused(await run(world, 'topic', 'opened', given), world);
  });

  it.each(['check_suite', 'merge_group'])('is not deployed to on %s', async (name) => {
    await using world = await startServing();
    const head = await world.project.head();
    const payload = adjust(examplePayload(name), { [`${name}.head_sha`]: head });
    const given = { ...inputs, 'preview-domain': production, comment: 'false' };
    const result = await world.run('opened', { event: { name, payload }, inputs: given });
    expectRefused(result, world);
    expect(world.project.deployments).toEqual([]);
  });

  it('is deployed to by a push', async () => {
    await using world = await startServing();
    const payload = { ref: 'refs/heads/main', after: await world.project.head() };
    const given = { 'preview-domain': production, comment: 'false' };
    const event = { name: 'push', payload };
    const { outputs } = await world.run('opened', { event, inputs: given });
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
  });
});

describe.concurrent('a branch with a preview of its own', () => {
  const hostname = 'topic.example.com';

  it.each<[string, Record<string, string>]>([
    ['a comment and a GitHub Deployment', {}],
    ['a comment alone', { 'github-deployment': 'false' }],
    ['a GitHub Deployment alone', { comment: 'false' }],
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
    expect(world.comments()[0]).toContain('❌ Failed');
    const { outputs } = await run(world, 'topic', 'synchronize', given);
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
  });

  it('in leased projects keeps its own', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.createProject();
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
    world.emulator.assignDomain(hostname, world.project.id);
    const { conclusion, outputs } = await run(world, 'topic', 'reopened');
    expect(conclusion).toBe('failure');
    expect(outputs['error']).toContain(hostname);
    await run(world, 'topic', 'closed');
    expect(placeOf(world, hostname)).toBe(world.project.id);
  });

  it('that was given to another project by hand is not taken back', async () => {
    await using world = await startPullRequest();
    await run(world, 'topic', 'opened');
    const other = await world.emulator.createProject();
    world.emulator.assignDomain(hostname, other.id);
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

describe.concurrent('a record that nobody of ours wrote', () => {
  const onlyComments = { 'github-deployment': 'false' };
  const claimOf = ({ project }: PullRequestWorld) => ({
    hostname: production,
    projectId: project.id,
  });
  const otherKey = Buffer.from('not-a-real-key');

  it.each<[string, string, (world: PullRequestWorld) => SignedClaim]>([
    ['octocat invented', 'octocat', (world) => ({ ...claimOf(world), mark: 'a'.repeat(64) })],
    [
      'a workflow was made to write',
      'github-actions[bot]',
      (world) => ({ ...claimOf(world), mark: 'a'.repeat(64) }),
    ],
    [
      'somebody signed with another key',
      'github-actions[bot]',
      (world) => sealOf(otherKey, repository, number).sign(claimOf(world)),
    ],
  ])('is not believed, as a comment that %s', async (_, author, claim) => {
    await using world = await startServing();
    const marker = writeMarker({ key: world.project.id, runId: '1', runAttempt: '1' });
    const body = `${marker}\n${writeClaimLine(claim(world))}\n\nhi`;
    world.github.addComments(repository, number, [{ author, body }]);
    expectRefused(await run(world, 'www', 'synchronize', onlyComments), world);
    await run(world, 'www', 'closed', onlyComments);
    expect(placeOf(world, production)).toBe(world.project.id);
    expect(world.project.deployments).toEqual([]);
  });

  it.each(['octocat', 'another-app[bot]'])(
    'is not believed, as a copy of ours by %s that outlives it',
    async (author) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', onlyComments);
      const body = world.comments()[0] ?? '';
      expect(readClaimLine(body)).toMatchObject(claimOf(world));
      await run(world, 'www', 'closed', onlyComments);
      const comments = world.github.comments(repository, number);
      // Before ours, as if it were the older one.
      comments.unshift(...world.github.addComments(repository, number, [{ author, body }]));
      comments.pop();
      world.emulator.assignDomain(production, world.project.id);
      expectRefused(await run(world, 'www', 'reopened', onlyComments), world);
    },
  );

  it('is not believed as a GitHub Deployment', async () => {
    await using world = await startServing();
    const { project, github } = world;
    await run(world, 'topic', 'opened', { 'allow-production': 'true' });
    const [ours] = github.deployments(repository);
    const text = JSON.stringify(ours?.payload);
    expect(text).toContain('topic.example.com');
    const payload = JSON.parse(text.replaceAll('topic.example', 'www.example'));
    const sha = await project.head();
    github.addDeployment(repository, { sha, environment: 'preview/pr-7', payload }, [
      { state: 'success' },
    ]);
    const deployed = project.deployments.length;
    expectRefused(await run(world, 'www', 'synchronize', { comment: 'false' }), world);
    expect(project.deployments).toHaveLength(deployed);
  });

  it('is not believed where it was copied from another pull request', async () => {
    await using world = await startPullRequest();
    const { project, github } = world;
    const head = { ref: 'www', sha: await project.head(), repo: null };
    github.pullRequests.set(`${repository}#8`, { number: 8, state: 'open', head, base: head });
    await run(world, 'www', 'opened', {}, 8);
    const [theirs] = github.comments(repository, 8);
    github.addComments(repository, number, [
      { author: 'github-actions[bot]', body: theirs?.body ?? '' },
    ]);
    for (const { payload, sha } of [...github.deployments(repository)]) {
      const copied = JSON.parse(JSON.stringify(payload).replaceAll('pr-8', 'pr-7'));
      github.addDeployment(repository, { sha, environment: 'preview/pr-7', payload: copied });
    }
    expectRefused(await run(world, 'www', 'synchronize'), world);
  });

  it('cannot be read: then it is none, and the run says what it needs', async () => {
    await using world = await startServing();
    world.github.trouble = 'forbidden';
    const result = await run(world, 'www', 'synchronize');
    expectRefused(result, world);
    expect(result.annotations.map(({ message }) => message).join()).toContain(
      'pull-requests: write',
    );
  });
});
