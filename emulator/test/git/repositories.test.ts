import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { deploy, startWorld } from '../service/support.ts';
import { createGit } from './git.ts';

/** A clone of a repository in a folder of its own. */
async function clone(url: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'clone-'));
  const git = createGit(folder);
  const remove = () => rm(folder, { recursive: true });
  await git('clone', '--quiet', url, '.').catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const commit = async (name: string, content: string) => {
    await writeFile(path.join(folder, name), content);
    await git('add', '--all');
    await git('commit', '--quiet', '--message', `Change ${name}`);
    return await git('rev-parse', 'HEAD');
  };
  return { folder, git, commit, [Symbol.asyncDispose]: remove };
}

test('a push of more commits than a small buffer holds the names of', async () => {
  await using world = await startWorld();
  await using work = await clone(world.project.gitUrl);
  const commits = Array.from(
    { length: 30_000 },
    (_, second) =>
      `commit refs/heads/long\ncommitter Ada <ada@example.invalid> ${second} +0000\ndata 0\n`,
  );
  execFileSync('git', ['-C', work.folder, 'fast-import', '--quiet'], { input: commits.join('') });
  await work.git('push', '--quiet', 'origin', 'long');
  const [, line] = (await work.git('ls-remote', 'origin', 'long')).split('\t');
  expect(line).toBe('refs/heads/long');
});

test('clone, commit, push, deploy, and deploy an older commit', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  const { emulator, project } = world;
  const template = await project.head();
  await using work = await clone(project.gitUrl);
  expect(await work.git('rev-parse', 'HEAD')).toBe(template);
  expect(await readdir(work.folder)).toEqual(expect.arrayContaining(['index.html', 'style.css']));

  const pushed = await work.commit('index.html', '<p>second</p>');
  await work.git('push', '--quiet', 'origin', 'main');
  expect(await project.head()).toBe(pushed);
  expect(emulator.journal.of('git').filter(({ effect }) => effect)).toHaveLength(1);

  expect((await deploy(world)).commit).toBe(pushed);
  expect(await (await fetch(project.sitePathUrl)).text()).toBe('<p>second</p>');
  expect((await deploy(world, { versionId: template })).commit).toBe(template);
  const sample = await readFile(path.join('examples', 'site', 'index.html'), 'utf8');
  expect(await (await fetch(project.sitePathUrl)).text()).toBe(sample);
});

test('the tree of a commit is no version', async () => {
  await using world = await startWorld();
  await using work = await clone(world.project.gitUrl);
  await work.commit('index.html', '<p>second</p>');
  await work.git('push', '--quiet', 'origin', 'main');
  const tree = await work.git('rev-parse', 'HEAD^{tree}');
  const body = { versionId: tree };
  const { status, json } = await world.send('POST', `${world.path}/deployments`, { body });
  expect(status).toBe(404);
  expect(JSON.stringify(json)).toContain('unknown_version');
});

test('a commit on another branch is in the version history', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  const { project } = world;
  await using work = await clone(project.gitUrl);
  await work.git('switch', '--quiet', '--create', 'feature');
  const versionId = await work.commit('new.html', 'new');
  await work.git('push', '--quiet', 'origin', 'feature');
  expect(await project.head()).not.toBe(versionId);
  expect((await deploy(world, { versionId })).status).toBe('succeeded');
});

test('a commit that failed to build for want of it can be pushed and deployed', async () => {
  await using world = await startWorld({
    dialect: { buildMs: 0, unknownVersionId: 'accept-and-fail' },
  });
  await using work = await clone(world.project.gitUrl);
  const versionId = await work.commit('a.txt', 'a');
  expect((await deploy(world, { versionId })).status).toBe('failed');
  await work.git('push', '--quiet', 'origin', 'main');
  expect((await deploy(world, { versionId })).status).toBe('succeeded');
});

test('a push that git refuses changes nothing', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  await using work = await clone(project.gitUrl);
  await work.commit('a.txt', 'a');
  await work.git('push', '--quiet', 'origin', 'main');
  const head = await project.head();
  emulator.journal.clear();
  await work.git('reset', '--quiet', '--hard', 'HEAD~1');
  await work.commit('b.txt', 'b');
  await expect(work.git('push', 'origin', 'main')).rejects.toThrow(/rejected/);
  await expect(work.git('push', 'origin', ':main')).rejects.toThrow(/rejected|refusing/);
  expect(await project.head()).toBe(head);
  expect(emulator.journal.entries.some(({ effect }) => effect)).toBe(false);
});

test('a large push in chunks', async () => {
  await using world = await startWorld({ dialect: { buildMs: 0 } });
  await using work = await clone(world.project.gitUrl);
  const noise = Array.from({ length: 200_000 }, () => Math.random().toString(36)).join('');
  const versionId = await work.commit('noise.txt', noise);
  await work.git('-c', 'http.postBuffer=65536', 'push', '--quiet', 'origin', 'main');
  const push = world.emulator.journal.of('git').findLast(({ effect }) => effect);
  expect(push?.headers['transfer-encoding']).toBe('chunked');
  await deploy(world, { versionId });
  expect(await (await fetch(`${world.project.sitePathUrl}noise.txt`)).text()).toBe(noise);
});

const listReferences = '0014command=ls-refs\n0000';

function uploadPackHeaders(token: string) {
  return {
    authorization: `Basic ${btoa(`git:${token}`)}`,
    'content-type': 'application/x-git-upload-pack-request',
    'git-protocol': 'version=2',
  };
}

test('a compressed request is understood', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  const answer = await fetch(`${emulator.url}/git/${project.id}.git/git-upload-pack`, {
    method: 'POST',
    headers: { ...uploadPackHeaders(emulator.gitToken), 'content-encoding': 'gzip' },
    body: gzipSync(listReferences),
  });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain(`${await project.head()} refs/heads/main`);
});

test('a request that waits for leave to send its body gets it', async () => {
  await using world = await startWorld();
  const { emulator, project } = world;
  const outgoing = request(`${emulator.url}/git/${project.id}.git/git-upload-pack`, {
    method: 'POST',
    headers: { ...uploadPackHeaders(emulator.gitToken), expect: '100-continue' },
  });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  outgoing.end(listReferences);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  expect(answer.statusCode).toBe(200);
  expect(await text(answer)).toContain(await project.head());
});

test.for([
  { name: 'a wrong password', rewrite: (url: URL) => Object.assign(url, { password: 'fake' }) },
  {
    name: 'another project',
    rewrite: (url: URL) => Object.assign(url, { pathname: '/git/x.git' }),
  },
])('$name cannot be cloned', async ({ rewrite }) => {
  await using world = await startWorld();
  const url = rewrite(new URL(world.project.gitUrl)).href;
  await expect(clone(url)).rejects.toThrow(/Authentication failed|not found/);
});

test('nothing is left after the end', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'files-'));
  for (const name of ['TMPDIR', 'TMP', 'TEMP']) vi.stubEnv(name, folder);
  const world = await startWorld();
  vi.unstubAllEnvs();
  await using work = await clone(world.project.gitUrl);
  await work.commit('a.txt', 'a');
  await world.send('POST', `${world.path}/deployments`, { body: {} });
  expect(await readdir(folder)).toHaveLength(1);
  await world.emulator.close();
  await world.emulator.close();
  expect(await readdir(folder)).toEqual([]);
  await expect(work.git('push', '--quiet', 'origin', 'main')).rejects.toThrow();
  await rm(folder, { recursive: true });
});
