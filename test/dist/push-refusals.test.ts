import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { hostileWorkspace } from '../git/hostile-workspace.ts';
import { type GitWorld, githubRequests, repository, startGitWorld } from '../git/support.ts';
import { rows } from '../support/exhaustive.ts';
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

const push = { operation: 'git', method: 'POST', path: /git-receive-pack$/ };

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
    /rejected the push to main: pre-receive hook declined\. If the branch is protected, .*::error::Red/,
  ],
  [
    'no room',
    async () => {
      world.emulator.dialect.largestPush = 100;
      return undefined;
    },
    /could not store the commit\. It may be out of space\./,
  ],
  [
    'a token that may not push',
    async () => {
      world.emulator.faults.add({ ...push, kind: 'status', status: 403, effect: false });
      return undefined;
    },
    /git-token lacks a permission for the project's repository/,
  ],
  [
    'a redirect of the push',
    async () => {
      const headers = { location: 'http://127.0.0.1:9/elsewhere' };
      world.emulator.faults.add({ ...push, kind: 'status', status: 307, headers, effect: false });
      return undefined;
    },
    /git-url redirects to another address, and git-token is not sent there/,
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
    'no checkout that GitHub may replace',
    async () => {
      world.github.contents = 'none';
      return undefined;
    },
    /nothing is checked out, and github-token has no read access to .* Add `contents: read`/,
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
  [
    "a reference's whole name as git-branch",
    async () => ({ inputs: { 'git-branch': 'refs/heads/main' } }),
    /git-branch is a full reference name/,
  ],
];

/** What test/git shows of the same words: here it is one of the project's, one of GitHub's, and one of the machine's. */
const shown = ['a protected branch', 'a shallow clone that GitHub may not complete', 'no git'];

test.each(rows(cases, ([name]) => shown.includes(name)))(
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

test.for(
  rows<[string, number, RegExp | undefined]>(
    [
      ['none', 0, undefined],
      ['one', 1, / 1 variable was written for the next deployment\. \(SD7006\)$/],
      ['two', 2, / 2 variables were written for the next deployment\. \(SD7006\)$/],
    ],
    ([, count]) => count === 2,
  ),
)('a push that fails says which variables are written: %s', async ([, count, said]) => {
  world.emulator.dialect.protectedBranches = ['main'];
  const env = ['ONE=1', 'TWO=2'].slice(0, count).join('\n');
  const { outputs } = await forced({ inputs: { env } });
  expect(outputs['error']).toMatch(/^The project's repository rejected the push/);
  if (said === undefined) expect(outputs['error']).not.toContain('next deployment');
  else expect(outputs['error']).toMatch(said);
  expect(world.project.variables).toHaveLength(count);
});

test.for(
  rows<[string, number, number]>(
    [
      ['surely refused', 422, 1],
      ['in doubt', 500, 0],
    ],
    1,
  ),
)('so does a deployment that is %s', async ([, status, times]) => {
  await using own = await startGitWorld();
  const inputs = { env: 'ONE=1' };
  const strike = { operation: 'createDeployment', times: 99, kind: 'status', status } as const;
  own.emulator.faults.add({ ...strike, effect: false });
  const sha = await own.project.head();
  const { outputs } = await runPushing(own, sha ?? '', {
    inputs: { ...inputs, 'git-url': '', 'git-token': '', timeout: '20s' },
  });
  expect(outputs['outcome']).toBe('failed');
  expect(String(outputs['error']).split('next deployment')).toHaveLength(times + 1);
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
