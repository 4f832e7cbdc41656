import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { WorkspaceLack } from '../../src/push/model/git-failure.ts';
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
  const workspace = await world.copyDev();
  const target = join(world.folder, 'moved');
  await rename(join(workspace, path), target);
  await symlink(target, join(workspace, path));
  return workspace;
}

/** A workspace to which something was added. */
async function added(world: GitWorld, add: (repository: string) => Promise<unknown>) {
  const workspace = await world.copyDev();
  await add(join(workspace, '.git'));
  return workspace;
}

type Case = [name: string, make: (world: GitWorld) => Promise<string>, lack: WorkspaceLack];

const cases: Case[] = [
  ['nothing is checked out', ({ temp }) => Promise.resolve(temp), 'nothing'],
  ['there is no workspace', () => Promise.resolve(''), 'nothing'],
  [
    'it is a worktree of another repository',
    async ({ dev, folder }) => {
      await dev.git('worktree', 'add', '--quiet', '--detach', join(folder, 'tree'));
      return join(folder, 'tree');
    },
    'worktree',
  ],
  [
    'it borrows objects itself',
    async ({ folder, github }) => {
      const origin = await github.gitFolder(repository);
      await git(folder, ['clone', '--quiet', '--shared', origin, 'shared']);
      return join(folder, 'shared');
    },
    'borrowing',
  ],
  ['its repository is a link', (world) => link(world, '.git'), 'foreign'],
  ['its objects are a link', (world) => link(world, '.git/objects'), 'foreign'],
  ['its packs are a link', (world) => link(world, '.git/objects/pack'), 'foreign'],
  [
    'a folder of its objects is a link',
    (world) => added(world, (path) => symlink(world.dev.folder, join(path, 'objects/zz'))),
    'foreign',
  ],
  [
    'one of its packs is a link',
    (world) => added(world, (path) => symlink('/dev/zero', join(path, 'objects/pack/a.pack'))),
    'foreign',
  ],
  [
    'an object of it is a link',
    (world) =>
      added(world, async (path) => {
        // An object of the clone may begin with these digits, too.
        await mkdir(join(path, 'objects/aa'), { recursive: true });
        await symlink('/dev/zero', join(path, 'objects/aa', 'a'.repeat(38)));
      }),
    'foreign',
  ],
  ['it is a shallow clone', ({ checkOut }) => checkOut('--depth=1'), 'shallow'],
  [
    'it is a partial clone',
    async ({ checkOut, github }) => {
      await git(await github.gitFolder(repository), ['config', 'uploadpack.allowFilter', 'true']);
      return await checkOut('--filter=blob:none', '--no-checkout');
    },
    'partial',
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
    'other-hash',
  ],
  [
    'it does not have the commit',
    async ({ copyDev, push }) => {
      const workspace = await copyDev();
      await push();
      return workspace;
    },
    'another-commit',
  ],
  [
    'it lacks a commit before, and does not say so',
    async ({ checkOut }) => {
      const workspace = await checkOut('--depth=1');
      await rm(join(workspace, '.git/shallow'));
      return workspace;
    },
    'another-commit',
  ],
];

/**
 * One of each that is refused by another look: at a worktree, at each kind of link, at the borrowed, at both kinds of part of
 * a clone, and at what is missing though nothing says so.
 */
const each = [
  'there is no workspace',
  'it is a worktree of another repository',
  'it borrows objects itself',
  'its repository is a link',
  'its objects are a link',
  'a folder of its objects is a link',
  'one of its packs is a link',
  'an object of it is a link',
  'it is a shallow clone',
  'it is a partial clone',
  'its objects are named by another hash',
  'it lacks a commit before, and does not say so',
];

test.concurrent.each(rows(cases, ([name]) => each.includes(name)))(
  'the workspace is not used if %s',
  async (_name, make, lack) => {
    await using world = await startGitWorld();
    await world.push();
    const workspace = await make(world);
    const commit = await world.dev.head();
    // GitHub would be the source, and has no address.
    const found = world.findSource(commit, { workspace, github: { serverUrl: '' } });
    await expect(found).rejects.toMatchObject({ trouble: { kind: 'source', lack } });
  },
);

// Nothing of it is used, and all of it but one commit.
const lacking = ['it is a shallow clone', 'it lacks a commit before, and does not say so'];

test.concurrent.each(rows(cases, ([name]) => lacking.includes(name)))(
  'GitHub gives the commit if %s',
  async (_name, make) => {
    await using world = await startGitWorld();
    await world.push();
    const workspace = await make(world);
    const commit = await world.dev.head();
    const result = await world.pushCommit(commit, { workspace, force: 'always' });
    expect(result).toMatchObject({ kind: 'pushed', forced: true });
    expect(await world.project.head()).toBe(commit);
  },
);

test.concurrent('GitHub is not asked if the workspace has it all, and nothing changes there', async () => {
  await using world = await startGitWorld();
  const commit = await world.push();
  const workspace = await world.checkOut();
  const before = await filesOf(workspace);
  world.github.contents = 'none';
  await world.pushCommit(commit, { workspace, force: 'always' });
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
    const { first: commit } = world;
    Object.assign(world.github, spoil);
    await expect(world.pushCommit(commit, { github: { token } })).rejects.toMatchObject({
      trouble: { kind: 'source', lack: 'nothing', repository },
      message: expect.stringContaining("Add `contents: read` to the job's `permissions`"),
    });
    expect(githubRequests(world)).toHaveLength(1);
    expect(await world.leftovers()).toEqual([]);
  });

  test('needs no token for what is public', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    world.github.contents = 'public';
    const github = { token: '' };
    expect(await world.pushCommit(commit, { github, force: 'always' })).toMatchObject({
      kind: 'pushed',
    });
    const sent = world.github.journal.map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([undefined]));
  });

  test('does not have the commit', async () => {
    await using world = await startGitWorld();
    const commit = 'c0ffee'.padEnd(40, '0');
    await expect(world.pushCommit(commit)).rejects.toMatchObject({
      trouble: { kind: 'source', fault: 'no-commit' },
      message: expect.stringContaining(`octo-org/octo-site has no commit ${commit}`),
    });
    expect(world.steps.filter(({ step }) => step === 'again')).toEqual([]);
  });

  test('has an address that cannot be', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    for (const serverUrl of ['https://', '', 'http://github.example.com', 'file:///srv']) {
      const found = world.findSource(commit, { github: { serverUrl } });
      await expect(found).rejects.toThrow(
        /GITHUB_SERVER_URL (is not|has the unsupported protocol)/,
      );
    }
  });

  test('gives a commit that no branch has any more', async () => {
    await using world = await startGitWorld();
    const commit = await world.push();
    await world.dev.git('reset', '--quiet', '--hard', 'HEAD~1');
    await world.push();
    expect(await world.pushCommit(commit, { force: 'always' })).toMatchObject({ kind: 'pushed' });
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
      await world.pushCommit(first, { force: 'always' });
      const old = await world.dev.git('rev-parse', 'HEAD~2:old.txt');
      const second = await world.push({ 'other.html': 'other' });
      const spy = await spyOnGit(world.folder);
      const environment = { ...process.env, PATH: spy.path };
      expect(await world.pushCommit(second, { environment })).toMatchObject({ kind: 'pushed' });
      const [push] = (await spy.starts()).filter(({ command }) => command === 'push');
      expect(push?.objects.some((line) => line.startsWith(second))).toBe(true);
      expect(push?.objects.some((line) => line.startsWith(old))).toBe(false);
    },
  );
});
