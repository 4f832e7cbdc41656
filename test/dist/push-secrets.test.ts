// Attack (git): Credentials in `git-url` are shown (an `@` in the path, one slash, backslashes, an invalid line)
// Defense: What the URL parser reads as the password is masked, encoded and decoded, and so is each URL with one;
// errors quote none

import { mkdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionResult } from '../../emulator/runner.ts';
import { processesIn } from '../git/processes.ts';
import { spyOnGit } from '../git/spy.ts';
import { type GitWorld, projectRequests, startGitWorld } from '../git/support.ts';
import { runPushing, startPushing } from './push-world.ts';

// The processes and their arguments are read in /proc, which only Linux has.
const isLinux = process.platform === 'linux';

/** The forms in which a token might be left behind. */
const formsOf = (token: string): string[] => [
  token,
  btoa(`git:${token}`),
  btoa(token).slice(0, -4),
];

/** All that a step left behind where people can read it, before the runner masks any of it. */
function said({ raw, summary, outputs, annotations }: ActionResult): string {
  const lines = raw.stdout.split('\n').filter((line) => !line.startsWith('::add-mask::'));
  return JSON.stringify({ lines, errors: raw.stderr, summary, outputs, annotations });
}

function expectHidden(text: string, { emulator, github }: GitWorld): void {
  for (const token of [emulator.gitToken, github.token, emulator.key]) {
    for (const form of formsOf(token)) expect(text).not.toContain(form);
  }
}

test('a wrong token ends the run before anything is deployed', async () => {
  await using world = await startGitWorld();
  const commit = await world.push();
  const token = 'fake-but-wrong-token';
  const result = await runPushing(world, commit, { inputs: { 'git-token': token } });
  expect(result.outputs).toMatchObject({ outcome: 'failed', pushed: '' });
  expect(result.outputs['error']).toMatch(
    /^The project's repository rejected git-token, or the user name in git-url/,
  );
  for (const form of formsOf(token)) expect(said(result)).not.toContain(form);
  expect(world.project.deployments).toEqual([]);
  expect(projectRequests(world)).not.toContain('POST git-receive-pack');
});

test.skipIf(!isLinux)(
  'a token is in no argument and no log, and the key in no child (seen in /proc, so on Linux)',
  async () => {
    await using world = await startGitWorld();
    const { emulator, folder, push } = world;
    const commit = await push();
    const spy = await spyOnGit(folder);
    const result = await runPushing(world, commit, {
      inputs: { 'git-force': 'true', 'env-from': 'STRIPE_KEY' },
      env: { PATH: spy.path, STRIPE_KEY: 'fake-stripe-key' },
    });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
    expectHidden(said(result), world);
    const starts = await spy.starts();
    expect(starts.map(({ command }) => command)).toContain('push');
    for (const { args, environment } of starts) {
      expectHidden(args.join('\n'), world);
      const given = environment.join('\n');
      for (const secret of [emulator.key, 'fake-stripe-key']) expect(given).not.toContain(secret);
    }
  },
);

test('installation tokens of 520 characters are masked, redacted and sent as they are', async () => {
  // `ghs_`, the app's id and a JWT.
  const tokenOf = (app: string) => {
    const parts = ['fake-header', 'fake-payload-'.repeat(30), 'fake_Signature-'.repeat(6)];
    return `ghs_${app}_${parts.join('.')}`.padEnd(520, '0');
  };
  const tokens = { github: tokenOf('1234567'), project: tokenOf('7654321') };
  await using world = await startGitWorld({}, tokens);
  const commit = await world.push();
  const hooks = join(await world.project.gitFolder(), 'hooks');
  await mkdir(hooks);
  const script = `#!/bin/sh\necho 'Not with ${tokens.project}' >&2; exit 1\n`;
  await writeFile(join(hooks, 'pre-receive'), script, { mode: 0o755 });
  const inputs = { 'git-force': 'true', 'github-deployment': 'true' };
  const rejected = await runPushing(world, commit, { inputs });
  const error = /rejected the push to main.* Git: Not with \*\*\*\. \(SD7006\)$/;
  expect(rejected.outputs['error']).toMatch(error);
  expectHidden(said(rejected), world);
  expect(said(rejected)).not.toContain('fake-payload');
  await rm(hooks, { recursive: true });
  const pushed = await runPushing(world, commit, { inputs });
  expect(pushed.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
  expectHidden(said(pushed), world);
  for (const token of Object.values(tokens)) {
    expect(pushed.raw.stdout).toContain(`::add-mask::${token}\n`);
  }
  const sent = (entries: readonly { headers: IncomingHttpHeaders }[]) =>
    new Set(entries.map(({ headers }) => headers.authorization));
  const ofProject = `Basic ${btoa(`git:${tokens.project}`)}`;
  expect(sent(world.emulator.journal.of('git'))).toEqual(new Set([ofProject]));
  const ofGitHub = `Basic ${btoa(`x-access-token:${tokens.github}`)}`;
  const ofApi = `bearer ${tokens.github}`;
  expect(sent(world.github.journal)).toEqual(new Set([ofGitHub, ofApi]));
});

describe('credentials in git-url', () => {
  // One world for all: the spellings are refused, and change nothing.
  let world: GitWorld;
  let commit: string;
  beforeAll(async () => {
    world = await startGitWorld();
    commit = await world.push();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  const password = 'fake-pass/word';
  const withCredentials = ({ emulator }: GitWorld, secret: string) =>
    `${emulator.url.replace('://', `://robot:${encodeURIComponent(secret)}@`)}/git/{projectId}.git`;

  test('are used, and masked whole', async () => {
    const url = withCredentials(world, world.emulator.gitToken);
    const inputs = { 'git-url': url, 'git-token': '', 'git-force': 'true' };
    const result = await runPushing(world, commit, { inputs });
    expect(result.outputs).toMatchObject({ outcome: 'succeeded', pushed: 'true' });
    const masked = result.raw.stdout.split('\n').filter((line) => line.startsWith('::add-mask::'));
    const filled = url.replace('{projectId}', world.project.id);
    for (const secret of [url, filled]) {
      expect(masked).toContain(`::add-mask::${secret.replaceAll('%', '%25')}`);
    }
    expectHidden(said(result), world);
  });

  test.for<[string, (url: string) => string]>([
    ['beside an @ in the path', (url) => url.replace('{projectId}.git', '@team/{projectId}.git')],
    ['behind one slash', (url) => url.replace('://', ':/')],
    ['behind back slashes', (url) => url.replace('://', ':\\\\')],
    ['behind no slash', (url) => url.replace('://', ':')],
  ])('are masked %s, without the plain user name', async ([, spell]) => {
    const url = spell(withCredentials(world, password)).replace('robot:', 'deploy:');
    const result = await runPushing(world, commit, { inputs: { 'git-url': url } });
    expect(result.outputs['outcome']).toBe('failed');
    for (const part of [password, encodeURIComponent(password), url]) {
      expect(result.masks).toContain(part);
      expect(said(result)).not.toContain(part);
    }
    expect(result.masks).not.toContain('deploy');
    expect(result.outputs['error']).toMatch(/^The project's repository rejected git-token/);
  });
});

test.skipIf(!isLinux)(
  'a cancelled run ends git in the middle of its push (seen in /proc, so on Linux)',
  async () => {
    await using world = await startGitWorld();
    const { emulator, folder, project, push } = world;
    const commit = await push();
    const head = await project.head();
    const spy = await spyOnGit(folder);
    const path = /git-receive-pack$/;
    emulator.faults.add({ operation: 'git', method: 'POST', path, kind: 'stall', effect: false });
    await using step = await startPushing(world, commit, {
      inputs: { 'git-force': 'true' },
      env: { PATH: spy.path },
    });
    await emulator.journal.waitFor((entry) => entry.method === 'POST' && path.test(entry.path));
    const pushing = (await spy.starts()).find(({ command }) => command === 'push');
    const home = pushing?.environment.find((line) => line.startsWith('HOME='))?.slice(5) ?? '';
    expect(await processesIn(home)).not.toEqual([]);
    step.cancel();
    const result = await step.done;
    expect(result.outputs).toMatchObject({ outcome: 'cancelled', pushed: '' });
    expect(result.outputs['error']).toContain('The commit may have been pushed');
    expect(await processesIn(home)).toEqual([]);
    expect(await project.head()).toBe(head);
    expect(emulator.journal.of('createDeployment')).toEqual([]);
  },
);
