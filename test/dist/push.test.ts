import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type GitWorld,
  git,
  githubRequests,
  projectRequests,
  repository,
  startGitWorld,
} from '../git/support.ts';
import { runPushing, startPushing } from './push-world.ts';

const aPush = 'POST git-receive-pack';

// What is refused, forced and kept, and from where: test/git/push.test.ts. Here is what a run says of it.
test('a commit is pushed by force from GitHub, the next one from a checkout, and then it is there', async () => {
  await using world = await startGitWorld();
  const { emulator, project, push, checkOut } = world;
  const template = await project.head();
  const first = await push();
  const inputs = { 'git-force': template };
  const adopted = await runPushing(world, first, { inputs });
  expect(adopted.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  expect(adopted.log.join('\n')).toContain(
    `Pushed ${first} to main of the project's repository, by force; its head was ${template}`,
  );
  expect(adopted.summary).toContain(', pushed to its repository · took ');
  expect(await project.head()).toBe(first);

  const commit = await push();
  const workspace = await checkOut();
  const asked = githubRequests(world).length;
  const result = await runPushing(world, commit, { workspace });
  expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  expect(result.log.join('\n')).toContain(
    `Pushed ${commit} to main of the project's repository, on top of`,
  );
  expect(githubRequests(world)).toHaveLength(asked);

  const pushes = projectRequests(world).filter((request) => request === aPush).length;
  const again = await runPushing(world, commit, { workspace });
  expect(again.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'false' });
  expect(again.log.join('\n')).toContain(
    `${commit} is already in main of the project's repository`,
  );

  // What an AI turn commits is never discarded, though git-force stays in the workflow.
  const turn = await world.pushToProject();
  const kept = await runPushing(world, await push(), { inputs });
  expect(kept.outputs).toMatchObject({ outcome: 'failed', pushed: '', 'deployment-id': '' });
  expect(kept.outputs['error']).toContain(turn);
  expect(await project.head()).toBe(turn);
  expect(projectRequests(world).filter((request) => request === aPush)).toHaveLength(pushes);
  expect(project.deployments.map((one) => one.commit)).toEqual([first, commit, commit]);
  expect(emulator.journal.of('createDeployment')).toHaveLength(3);
});

test('the user name in git-url, and git-branch, are what is used', async () => {
  await using world = await startGitWorld({ gitUsername: 'octo' });
  const { emulator, project, push } = world;
  const template = await project.head();
  const commit = await push();
  const lines = { 'git-url': `${project.id} = ${project.gitAddress}`, 'git-branch': 'site/live' };
  const refused = await runPushing(world, commit, { inputs: lines });
  expect(refused.outputs['error']).toMatch(/rejected git-token, or the user name in git-url/);
  const named = project.gitAddress.replace('://', '://octo@');
  const inputs = { ...lines, 'git-url': `${project.id} = ${named}` };
  const result = await runPushing(world, commit, { inputs });
  expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  expect(result.masks).not.toContain('octo');
  expect(result.masks).not.toContain(named);
  expect(result.log.join('\n')).toContain('to site/live of the project');
  expect(result.log.join('\n')).toContain('as a new branch');
  expect(result.log.join('\n')).toMatch(/default branch has 1 commit that .*SD7011/);
  expect(await project.head()).toBe(template);
  expect(emulator.journal.of('createDeployment')).toHaveLength(1);
});

test('a project with another branch than main is not changed, unless git-branch is set', async () => {
  await using world = await startGitWorld();
  const { emulator, project, push } = world;
  const folder = await project.gitFolder();
  await git(folder, ['branch', '--move', 'main', 'master']);
  const commit = await push();
  const result = await runPushing(world, commit, { inputs: { 'git-force': 'true' } });
  expect(result.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
  expect(result.outputs['error']).toMatch(
    /has no branch main, but master\. Set git-branch .*SD7010/,
  );
  expect(await git(folder, ['for-each-ref', '--format=%(refname)'])).toBe('refs/heads/master');
  expect(emulator.journal.of('createDeployment')).toEqual([]);
});

describe('nothing is pushed', () => {
  // One world for all: none of them asks git for anything.
  let world: GitWorld;
  let commit: string;
  beforeAll(async () => {
    world = await startGitWorld();
    commit = await world.push();
  });
  beforeEach(() => world.emulator.journal.clear());
  afterAll(() => world[Symbol.asyncDispose]());

  test.for<[string, Record<string, string>, string]>([
    ['for a plan', { mode: 'plan' }, 'planned'],
    ['where only variables are synced', { deploy: 'false' }, 'synced'],
    [
      'where only variables are synced, whatever commit is given',
      { deploy: 'false', 'commit-sha': 'f'.repeat(40) },
      'synced',
    ],
    ['for HEAD', { 'commit-sha': 'HEAD' }, 'succeeded'],
  ])('%s', async ([, inputs, outcome]) => {
    const head = await world.project.head();
    const result = await runPushing(world, commit, { inputs: { 'git-force': 'true', ...inputs } });
    expect(result.outputs).toMatchObject({ outcome, pushed: '' });
    expect(projectRequests(world)).toEqual([]);
    expect(githubRequests(world)).toEqual([]);
    expect(await world.project.head()).toBe(head);
    if (outcome === 'planned') {
      expect(result.log.join('\n')).toContain(
        `${commit} would be pushed to the project's repository when needed, and deployed`,
      );
    }
  });

  test("with the workflow's own repository as git-url, nor asked for", async () => {
    const inputs = { 'git-url': `${world.github.url}/${repository.toUpperCase()}.git` };
    const { outputs } = await runPushing(world, commit, { inputs });
    expect(outputs['error']).toMatch(/^git-url is this workflow's repository/);
    expect(githubRequests(world)).toEqual([]);
  });

  test.for([
    'https://github.com./{repository}',
    'ssh://git@ssh.github.com:443/{repository}.git',
    'ssh://git@git%68ub.com/{repository}',
  ])("with the workflow's own repository behind %s, nor asked for", async (url) => {
    const inputs = { 'git-url': url.replace('{repository}', repository) };
    const github = { serverUrl: 'https://github.com' };
    const { outputs } = await runPushing(world, commit, { inputs, github });
    expect(outputs['error']).toMatch(/^git-url is this workflow's repository/);
    expect(githubRequests(world)).toEqual([]);
    expect(projectRequests(world)).toEqual([]);
  });

  test.for<[string, Record<string, string>, RegExp]>([
    [
      'git-url of two repositories',
      { 'git-url': 'https://a.example/x\nhttps://b.example/y' },
      /^git-url: line 1: must be one URL/,
    ],
    [
      'git-url with an unknown protocol',
      { 'git-url': 'file:///etc' },
      /^git-url: has the unsupported protocol `file:`/,
    ],
    [
      'git-url for other projects',
      { 'git-url': '11111111-1111-4111-8111-111111111111=https://a.example/x' },
      /^git-url: has no line for the project/,
    ],
    ['git-branch', { 'git-branch': 'a..b' }, /^git-branch is not a valid branch name/],
    [
      'git-force',
      { 'git-force': 'yes' },
      /^git-force: "yes" must be auto, adopt, true, false, or all 40/,
    ],
    ['git-token without git-url', { 'git-url': '' }, /^git-token: needs git-url, which is empty/],
  ])('with a wrong %s', async ([, inputs, error]) => {
    const result = await runPushing(world, commit, { inputs });
    expect(result.outputs['outcome']).toBe('failed');
    expect(result.outputs['error']).toMatch(error);
    expect(world.emulator.journal.entries).toEqual([]);
    expect(githubRequests(world)).toEqual([]);
  });
});

describe('a service that sees a push late', () => {
  const unseen = { pushSeenAfterMs: 3_600_000 };

  // How it is asked: test/deploy/seen.test.ts.
  test('and a run that is killed before it asks again: nothing is requested, and the next run deploys the commit', async () => {
    await using world = await startGitWorld(unseen);
    const commit = await world.push();
    const inputs = { 'git-force': 'true', 'github-deployment': 'true' };
    await using step = await startPushing(world, commit, { inputs });
    await step.waitForLine((line) => line.includes('retrying for a minute'));
    step.kill();
    const { post } = await step.done;
    expect(post?.log.join('\n')).toContain('No deployment was requested');
    expect(world.project.deployments).toEqual([]);
    expect(await world.project.head()).toBe(commit);

    world.emulator.dialect.pushSeenAfterMs = 0;
    const { outputs } = await runPushing(world, commit, { inputs });
    expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'false' });
    expect(world.project.deployments.map((one) => one.commit)).toEqual([commit]);
  });
});

test('a service that takes only its default branch for the history deploys what was pushed to it', async () => {
  await using world = await startGitWorld({ versionHistory: 'head' });
  const { project, push } = world;
  const commit = await push();
  const { outputs } = await runPushing(world, commit, { inputs: { 'git-force': 'true' } });
  expect(outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  expect(project.deployments.map((one) => one.commit)).toEqual([commit]);
});
