import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { hostileWorkspace } from '../git/hostile-workspace.ts';
import { type GitWorld, githubRequests, repository, startGitWorld } from '../git/support.ts';
import { runPushing, type StepOptions } from './push-world.ts';

// One world for all: a refused push changes nothing in it.
let world: GitWorld;
let commit: string;
const usual: DialectOptions = { protectedBranches: [], largestPush: null };

beforeAll(async () => {
  world = await startGitWorld();
  commit = await world.push();
});

afterEach(() => {
  Object.assign(world.emulator.dialect, usual);
  Object.assign(world.github, { contents: 'token', brokenPacks: [] });
  world.emulator.faults.clear();
});

afterAll(() => world[Symbol.asyncDispose]());

/** All that a step wrote, before the runner looks at it. */
const written = ({ raw, summary, outputs }: ActionResult): string =>
  `${raw.stdout}${raw.stderr}${summary}${JSON.stringify(outputs)}`;

const forced = (options: StepOptions = {}) =>
  runPushing(world, commit, {
    ...options,
    inputs: { 'git-force': 'true', ...options.inputs },
  });

type Case = [name: string, spoil: () => Promise<StepOptions | undefined>, error: RegExp];

const cases: Case[] = [
  [
    'a protected branch',
    async () => {
      const hostileText = '\u001b[31m::error::Red\u202e';
      Object.assign(world.emulator.dialect, { protectedBranches: ['main'], hostileText });
      return undefined;
    },
    /rejected the push to main: pre-receive hook declined\. The branch is protected: .*::error::Red/,
  ],
  [
    'a shallow clone that GitHub may not complete',
    async () => {
      world.github.contents = 'none';
      return { workspace: await world.checkOut('--depth=1') };
    },
    /the checkout is a shallow clone, and github-token has no read access to .* Add `fetch-depth: 0`/,
  ],
  [
    'no git',
    async () => {
      const empty = join(world.folder, 'no-programs');
      await mkdir(empty);
      return { env: { PATH: empty } };
    },
    /git-url needs git, which is not installed\. Install git/,
  ],
];

// Of the project's words, GitHub's and the machine's one each; all others: test/git, src/push/model/git-failure.test.ts.
test.each(cases)(
  '%s ends the run in words that help, and nothing is deployed',
  async (...given) => {
    const [, spoil, error] = given;
    const head = await world.project.head();
    const result = await forced(await spoil());
    expect(result.outputs).toMatchObject({ outcome: 'failed', pushed: '', 'deployment-id': '' });
    expect(result.outputs['error']).toMatch(error);
    expect(result.summary).toContain('was not deployed');
    expect(result.raw.stderr).toBe('');
    for (const raw of ['\u001b', '\u202e']) expect(written(result)).not.toContain(raw);
    expect(result.raw.stdout).not.toMatch(/^::error::Red/m);
    expect(world.project.deployments).toEqual([]);
    expect(await world.project.head()).toBe(head);
  },
);

test.for(['file:///srv/other.git', 'https://git.example', 'ssh://git:fake-word@git.example/x'])(
  'a wrong line beside a good one ends the run before anything is asked: %s',
  async (wrong) => {
    const other = '22222222-2222-4222-8222-222222222222';
    const good = `${world.project.id}=${world.emulator.url}/git/${world.project.id}.git`;
    const before = [world.emulator.journal.entries.length, githubRequests(world).length];
    const result = await forced({ inputs: { 'git-url': `${good}\n${other}=${wrong}` } });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(result.outputs['error']).toMatch(/^git-url: .*\(for the project 22222222-.*\(SD1106\)$/);
    expect(written(result).replaceAll(/^::add-mask::.*/gm, '')).not.toContain('fake-word');
    expect([world.emulator.journal.entries.length, githubRequests(world).length]).toEqual(before);
  },
);

test("the workflow's own repository in a line that nobody named ends the run", async () => {
  const other = '22222222-2222-4222-8222-222222222222';
  const good = `${world.project.id}=${world.emulator.url}/git/${world.project.id}.git`;
  const own = `${world.github.url}/${repository}`;
  const result = await forced({ inputs: { 'git-url': `${good}\n${other}=${own}` } });
  expect(result.outputs['error']).toMatch(/^git-url is this workflow's repository/);
});

test('a push that fails says which variables are written', async () => {
  world.emulator.dialect.protectedBranches = ['main'];
  const { outputs } = await forced({ inputs: { env: 'ONE=1\nTWO=2' } });
  expect(outputs['error']).toMatch(
    /^The project's repository rejected the push.* 2 variables wait for the next deployment\. \(SD7006\)$/,
  );
  expect(world.project.variables).toHaveLength(2);
});

test('so does a deployment that is surely refused', async () => {
  await using own = await startGitWorld();
  const strike = { operation: 'createDeployment', times: 99, kind: 'status', status: 422 } as const;
  own.emulator.faults.add({ ...strike, effect: false });
  const sha = await own.project.head();
  const { outputs } = await runPushing(own, sha ?? '', {
    inputs: { env: 'ONE=1', 'git-url': '', 'git-token': '', timeout: '20s' },
  });
  expect(outputs['outcome']).toBe('failed');
  expect(outputs['error']).toContain('next deployment');
});

test('of a hostile repository nothing is run, and nothing is printed as it is', async () => {
  const { workspace, branch, left } = await hostileWorkspace(world);
  const own = await world.dev.git('rev-parse', 'HEAD');
  const turn = '\u001b[31m::error::Turn\u202e $(touch x)';
  await world.pushToProject(turn);
  const asked = githubRequests(world).length;
  const refused = await runPushing(world, own, { workspace });
  expect(refused.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
  expect(refused.outputs['error']).toContain('"::error::Turn $(touch x)"');
  const inputs = { 'git-branch': branch };
  const pushed = await runPushing(world, own, { workspace, inputs });
  expect(pushed.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  expect(pushed.log.join('\n')).toContain(`to ${branch} of the project's repository`);
  for (const result of [refused, pushed]) {
    for (const raw of ['\u001b', '\u202e']) expect(written(result)).not.toContain(raw);
    expect(result.raw.stdout).not.toMatch(/^::error::Turn/m);
  }
  expect(githubRequests(world)).toHaveLength(asked);
  expect(await left()).toEqual([]);
});

// The stand-in for ssh is a shell script. What it is given, and what is not: test/git/transport.test.ts.
if (process.platform !== 'win32') {
}
