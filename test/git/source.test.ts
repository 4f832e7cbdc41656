import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import { rows } from '../support/exhaustive.ts';
import { spyOnGit } from './spy.ts';
import {
  filesOf,
  type GitWorld,
  git,
  githubRequests,
  repository,
  startGitWorld,
} from './support.ts';

const isWindows = process.platform === 'win32';

/** Moves something out of a workspace, and leaves a link in its place. */
async function link(world: GitWorld, path: string): Promise<string> {
  const workspace = await world.checkOut();
  const target = join(world.folder, 'moved');
  await rename(join(workspace, path), target);
  await symlink(target, join(workspace, path));
  return workspace;
}

/** A workspace to which something was added. */
async function added(world: GitWorld, add: (repository: string) => Promise<unknown>) {
  const workspace = await world.checkOut();
  await add(join(workspace, '.git'));
  return workspace;
}

type Case = [name: string, make: (world: GitWorld) => Promise<string>, refusal: RegExp];

const cases: Case[] = [
  [
    'nothing is checked out',
    ({ temp }) => Promise.resolve(temp),
    /nothing is checked out.*`contents: read`/,
  ],
  ['there is no workspace', () => Promise.resolve(''), /nothing is checked out.*`contents: read`/],
  [
    'it is a worktree of another repository',
    async ({ dev, folder }) => {
      await dev.git('worktree', 'add', '--quiet', '--detach', join(folder, 'tree'));
      return join(folder, 'tree');
    },
    /objects are stored outside/,
  ],
  [
    'it borrows objects itself',
    async ({ folder, github }) => {
      const origin = await github.gitFolder(repository);
      await git(folder, ['clone', '--quiet', '--shared', origin, 'shared']);
      return join(folder, 'shared');
    },
    /objects are stored outside/,
  ],
  ['its repository is a link', (world) => link(world, '.git'), /objects are stored outside/],
  ['its objects are a link', (world) => link(world, '.git/objects'), /objects are stored outside/],
  [
    'its packs are a link',
    (world) => link(world, '.git/objects/pack'),
    /objects are stored outside/,
  ],
  [
    'a folder of its objects is a link',
    (world) => added(world, (path) => symlink(world.dev.folder, join(path, 'objects/zz'))),
    /objects are stored outside/,
  ],
  [
    'one of its packs is a link',
    (world) => added(world, (path) => symlink('/dev/zero', join(path, 'objects/pack/a.pack'))),
    /objects are stored outside/,
  ],
  [
    'an object of it is a link',
    (world) =>
      added(world, async (path) => {
        await mkdir(join(path, 'objects/aa'));
        await symlink('/dev/zero', join(path, 'objects/aa', 'a'.repeat(38)));
      }),
    /objects are stored outside/,
  ],
  [
    'it is a shallow clone',
    ({ checkOut }) => checkOut('--depth=1'),
    /shallow clone.*Add `fetch-depth: 0`/,
  ],
  [
    'it is a partial clone',
    async ({ checkOut, github }) => {
      await git(await github.gitFolder(repository), ['config', 'uploadpack.allowFilter', 'true']);
      return await checkOut('--filter=blob:none', '--no-checkout');
    },
    /partial clone.*Set `fetch-depth: 0` and no `filter`/,
  ],
  [
    'its objects are named by another hash',
    async ({ folder }) => {
      const workspace = join(folder, 'sha256');
      await git(folder, ['init', '--quiet', '--object-format=sha256', workspace]);
      await git(workspace, ['commit', '--quiet', '--allow-empty', '--message=Other']);
      await git(workspace, ['gc', '--quiet']);
      return workspace;
    },
    /the checkout doesn't contain it/,
  ],
  [
    'it does not have the commit',
    async ({ checkOut, push }) => {
      const workspace = await checkOut();
      await push();
      return workspace;
    },
    /the checkout doesn't contain it.*`contents: read`/,
  ],
  [
    'it lacks a commit before, and does not say so',
    async ({ checkOut }) => {
      const workspace = await checkOut('--depth=1');
      await rm(join(workspace, '.git/shallow'));
      return workspace;
    },
    /the checkout doesn't contain it/,
  ],
];

/**
 * One of each that is refused by another look: at each kind of link, at the borrowed, at both kinds of part of a clone, and at what
 * is missing though nothing says so.
 */
const each = [
  'there is no workspace',
  'it borrows objects itself',
  'its repository is a link',
  'its objects are a link',
  'a folder of its objects is a link',
  'one of its packs is a link',
  'an object of it is a link',
  'it is a shallow clone',
  'it is a partial clone',
  'it lacks a commit before, and does not say so',
];

test.concurrent.each(rows(cases, ([name]) => each.includes(name)))(
  'GitHub is asked if %s',
  async (_name, make, refusal) => {
    await using world = await startGitWorld();
    const { bring, dev, github, project, push } = world;
    await push();
    const workspace = await make(world);
    const commit = await dev.git('rev-parse', 'HEAD');
    const options = { workspace, force: 'always' } as const;
    github.contents = 'none';
    await expect(bring(commit, options)).rejects.toThrow(refusal);
    github.contents = 'token';
    expect(await bring(commit, options)).toMatchObject({ kind: 'pushed', forced: true });
    expect(await project.head()).toBe(commit);
  },
);

test.concurrent('GitHub is not asked if the workspace has it all, and nothing changes there', async () => {
  await using world = await startGitWorld();
  const commit = await world.push();
  const workspace = await world.checkOut();
  const before = await filesOf(workspace);
  world.github.contents = 'none';
  await world.bring(commit, { workspace, force: 'always' });
  expect(await filesOf(workspace)).toEqual(before);
  expect(githubRequests(world)).toEqual([]);
});

describe.concurrent('GitHub', () => {
  const refusals: [string, token: string, spoil: Partial<GitHubStandIn>][] = [
    ['a wrong token', 'fake-and-wrong', {}],
    ['no token', '', {}],
    ['a token that may not read', 'fake-github-token', { contents: 'none' }],
    ['a token that may not see it', 'fake-github-token', { trouble: { git: 'not-found' } }],
  ];
  // An answer of 401, and one of 404.
  test.each(rows(refusals, 2))('says no to %s, and is asked once', async (_name, token, spoil) => {
    await using world = await startGitWorld();
    const commit = await world.push();
    Object.assign(world.github, spoil);
    await expect(world.bring(commit, { github: { token } })).rejects.toMatchObject({
      trouble: { kind: 'source', lack: 'nothing', repository },
      message: expect.stringContaining("Add `contents: read` to the job's `permissions`"),
    });
    expect(githubRequests(world)).toHaveLength(1);
    expect(await world.leftovers()).toEqual([]);
  });

  test('needs no token for what is public', async () => {
    await using world = await startGitWorld();
    const commit = await world.push();
    world.github.contents = 'public';
    const github = { token: '' };
    expect(await world.bring(commit, { github, force: 'always' })).toMatchObject({
      kind: 'pushed',
    });
    const sent = world.github.journal.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([undefined]));
  });

  test('does not have the commit', async () => {
    await using world = await startGitWorld();
    const commit = 'c0ffee'.padEnd(40, '0');
    await expect(world.bring(commit)).rejects.toMatchObject({
      trouble: { kind: 'source', fault: 'no-commit' },
      message: expect.stringContaining(`octo-org/octo-site has no commit ${commit}`),
    });
    expect(world.steps.filter(({ step }) => step === 'again')).toEqual([]);
  });

  test('has an address that cannot be', async () => {
    await using world = await startGitWorld();
    const commit = await world.push();
    for (const serverUrl of ['https://', '', 'http://github.example.com', 'file:///srv']) {
      const brought = world.bring(commit, { github: { serverUrl } });
      await expect(brought).rejects.toThrow(
        /GITHUB_SERVER_URL (is not|has the unsupported protocol)/,
      );
    }
  });

  test('gives a commit that no branch has any more', async () => {
    await using world = await startGitWorld();
    const commit = await world.push();
    await world.dev.git('reset', '--quiet', '--hard', 'HEAD~1');
    await world.push();
    expect(await world.bring(commit, { force: 'always' })).toMatchObject({ kind: 'pushed' });
  });

  test.skipIf(isWindows)(
    'sends of a large history only what the push needs (seen by a shell script)',
    async () => {
      await using world = await startGitWorld();
      const noise = (size: number) =>
        Array.from({ length: size / 10 }, () => Math.random().toString(36).slice(2, 12)).join('');
      await world.push({ 'old.txt': noise(300_000) });
      await world.push({ 'old.txt': 'small' });
      const first = await world.push({ 'page.html': noise(1_000) });
      await world.bring(first, { force: 'always' });
      const old = await world.dev.git('rev-parse', 'HEAD~2:old.txt');
      const second = await world.push({ 'other.html': 'other' });
      const spy = await spyOnGit(world.folder);
      const environment = { ...process.env, PATH: spy.path };
      expect(await world.bring(second, { environment })).toMatchObject({ kind: 'pushed' });
      const [push] = (await spy.starts()).filter(({ command }) => command === 'push');
      expect(push?.objects.some((line) => line.startsWith(second))).toBe(true);
      expect(push?.objects.some((line) => line.startsWith(old))).toBe(false);
    },
  );
});
