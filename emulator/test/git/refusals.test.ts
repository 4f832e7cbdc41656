import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startWorld } from '../service/support.ts';
import { createGit } from './git.ts';

type World = Awaited<ReturnType<typeof startWorld>>;

/** A clone of a project's repository with one new commit. */
async function cloneOf({ project }: World) {
  const folder = await mkdtempDisposable(path.join(tmpdir(), 'refusals-'));
  const git = createGit(folder.path);
  await git('clone', '--quiet', project.gitUrl, '.');
  await git('commit', '--quiet', '--allow-empty', '--message=New');
  return {
    git,
    commit: await git('rev-parse', 'HEAD'),
    push: () => git('push', '--quiet', '--porcelain', 'origin', 'HEAD:main'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const url = (base: string, username: string, password: string) =>
  Object.assign(new URL(base), { username, password }).href;

test('the API key opens no repository', async () => {
  await using world = await startWorld();
  await using work = await cloneOf(world);
  const { emulator, project } = world;
  const look = (user: string, password: string) =>
    work.git('ls-remote', url(project.gitAddress, user, password));
  await expect(look('git', emulator.key)).rejects.toThrow(/Authentication failed/);
  expect(await look('anybody', emulator.gitToken)).toContain('refs/heads/main');
  emulator.dialect.gitUsername = 'octo';
  await expect(look('anybody', emulator.gitToken)).rejects.toThrow(/Authentication failed/);
  expect(await look('octo', emulator.gitToken)).toContain('refs/heads/main');
  emulator.dialect.gitAuth = 'none';
  expect(await work.git('ls-remote', project.gitAddress)).toContain('refs/heads/main');
});

test('nobody pushes to a protected branch, and others are free', async () => {
  await using world = await startWorld();
  await using work = await cloneOf(world);
  const { dialect } = world.emulator;
  Object.assign(dialect, { protectedBranches: ['main'], hostileText: 'Call 555.' });
  const head = await world.project.head();
  await expect(work.push()).rejects.toMatchObject({
    stdout: expect.stringMatching(/^!\t\S+:refs\/heads\/main\t\[remote rejected\]/m),
    stderr: expect.stringContaining(
      'Protected branch update failed for refs/heads/main. Call 555.',
    ),
  });
  expect(await world.project.head()).toBe(head);
  await work.git('push', '--quiet', 'origin', 'HEAD:other');
  dialect.protectedBranches = [];
  await work.push();
  expect(await world.project.head()).toBe(work.commit);
});

test('there is room for small pushes only', async () => {
  await using world = await startWorld();
  await using work = await cloneOf(world);
  world.emulator.dialect.largestPush = 100;
  await expect(work.push()).rejects.toMatchObject({
    stdout: expect.stringContaining('[remote rejected] (unpacker error)'),
  });
  world.emulator.dialect.largestPush = 10_000;
  await work.push();
});

test('a part of a repository is given only if the dialect has it', async () => {
  await using world = await startWorld();
  await using work = await cloneOf(world);
  const part = async (name: string) => {
    await work.git('clone', '--quiet', '--bare', '--filter=tree:0', world.project.gitUrl, name);
    const all = ['--git-dir', name, 'rev-list', '--objects', '--all', '--missing=print'];
    return (await work.git(...all)).includes('?');
  };
  expect(await part('whole')).toBe(false);
  world.emulator.dialect.partialFetch = true;
  expect(await part('part')).toBe(true);
});

test('a push is seen by the version history after a while', async () => {
  await using world = await startWorld({ dialect: { pushSeenAfterMs: 3_600_000 } });
  const { emulator, path: own, project, send } = world;
  await using work = await cloneOf(world);
  const template = await project.head();
  await work.push();
  const deploy = async (versionId: string) =>
    (await send('POST', `${own}/deployments`, { body: { versionId } })).status;
  expect(await deploy(template)).toBe(202);
  expect(await deploy(work.commit)).toBe(404);
  emulator.dialect.pushSeenAfterMs = 0;
  expect(await deploy(work.commit)).toBe(202);
});

test('a push that breaks off in the middle changes nothing', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  await using work = await cloneOf(world);
  const head = await project.head();
  const strike = { operation: 'git', method: 'POST', path: /receive-pack$/ };
  // Twice, because curl itself tries once more on a connection that it had used before.
  emulator.faults.add({ ...strike, times: 2, kind: 'cut-request', bytes: 200 });
  await expect(work.push()).rejects.toThrow();
  expect(await project.head()).toBe(head);
  emulator.faults.add({ ...strike, times: 2, kind: 'reset-after' });
  await expect(work.push()).rejects.toThrow();
  expect(await project.head()).toBe(work.commit);
});

test('a fetch breaks off in the middle', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  await using work = await cloneOf(world);
  emulator.faults.add({ operation: 'git', after: 2, kind: 'cut-body', bytes: 300 });
  const fetch = () => work.git('clone', '--quiet', project.gitUrl, 'second');
  await expect(fetch()).rejects.toThrow(/RPC failed|early EOF/);
  await fetch();
});

test('a request is held until something has happened', async () => {
  await using world = await startWorld();
  const { emulator, path: own } = world;
  const happening = Promise.withResolvers<void>();
  emulator.faults.add({ kind: 'hold', until: () => happening.promise });
  const asked = request(`${emulator.url}${own}/environment`, {
    headers: { 'x-api-key': emulator.key },
  }).end();
  await emulator.journal.waitFor(({ operation }) => operation === 'readEnvironment');
  expect(emulator.journal.entries.at(-1)?.status).toBeNull();
  happening.resolve();
  const [answer] = await once(asked, 'response');
  expect(answer.resume().statusCode).toBe(200);
});
