import { expect, test } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import {
  addCommits,
  Checkout,
  type GitWorld,
  git,
  githubRequests,
  projectRequests,
  startGitWorld,
} from './support.ts';

/** Where the commit comes from. */
const sources = ['the workspace', 'GitHub'] as const;
type SourceName = (typeof sources)[number];

/** A workspace that holds all that the developer has, or none. */
async function workspaceFor({ checkOut, dev }: GitWorld, source: SourceName): Promise<string> {
  if (source === 'GitHub') return '';
  await dev.git('push', '--quiet', '--force', 'origin', 'HEAD');
  return await checkOut();
}

/** Fails unless the project holds a commit with all that belongs to it, and its files are the developer's. */
async function expectWhole({ dev, folder, project }: GitWorld, commit: string, branch = 'main') {
  const copy = `${folder}/copy-${Math.random()}`;
  await git(folder, ['clone', '--quiet', '--bare', project.gitUrl, copy]);
  const asked = ['--git-dir', copy];
  expect(await git(folder, [...asked, 'fsck', '--full', '--strict'])).not.toMatch(/missing|error/);
  expect(await git(folder, [...asked, 'rev-parse', `refs/heads/${branch}`])).toBe(commit);
  expect(await git(folder, [...asked, 'ls-tree', '-r', commit])).toBe(
    await dev.git('ls-tree', '-r', commit),
  );
}

// The workspace is tried below, and in source.test.ts.
test.each(rows(sources, (source) => source === 'GitHub'))(
  'a new project is refused, then adopted by its head, from %s',
  async (source) => {
    await using world = await startGitWorld();
    const { bring, project, push } = world;
    const commit = await push();
    const workspace = await workspaceFor(world, source);
    const template = await project.head();
    const refused = await bring(commit, { workspace });
    expect(refused).toEqual({
      kind: 'refused',
      head: template,
      count: 1,
      newest: { sha: template, subject: 'Start from the template' },
    });
    expect(await project.head()).toBe(template);
    expect(projectRequests(world)).not.toContain('POST git-receive-pack');

    const force = { onlyFrom: template };
    const adopted = await bring(commit, { workspace, force });
    expect(adopted).toEqual({ kind: 'pushed', from: template, forced: true });
    await expectWhole(world, commit);

    const next = await push();
    const grown = await bring(next, { workspace: await workspaceFor(world, source), force });
    expect(grown).toEqual({ kind: 'pushed', from: commit, forced: false });
    await expectWhole(world, next);

    const turn = await world.pushToProject({ 'index.html': 'from a turn' }, 'A turn');
    const last = await push();
    const kept = await bring(last, { workspace: await workspaceFor(world, source), force });
    const newest = { sha: turn, subject: 'A turn' };
    expect(kept).toEqual({ kind: 'refused', head: turn, count: 1, newest });
    expect(await project.head()).toBe(turn);
    expect(githubRequests(world).length > 0).toBe(source === 'GitHub');
    expect(await world.leftovers()).toEqual([]);
  },
);

test('a commit that is the head costs one look', async () => {
  await using world = await startGitWorld();
  const head = await world.project.head();
  expect(await world.bring(head)).toEqual({ kind: 'there', head });
  expect(projectRequests(world)).toEqual(['GET git-upload-pack']);
  expect(githubRequests(world)).toEqual([]);
  expect(world.steps).toEqual([{ step: 'read-branch' }]);
});

/** A source, and whether the server gives a part of a branch: each of them is tried once in one of two tests. */
const pairs = sources.flatMap((source) => [true, false].map((part) => [source, part] as const));

test.each(rows(pairs, ([source, part]) => source === 'GitHub' && !part))(
  'from %s, a commit below an unknown head is there (a part can be fetched: %s)',
  async (source, partialFetch) => {
    await using world = await startGitWorld({ partialFetch });
    const { bring, project, push } = world;
    const commit = await push();
    const workspace = await workspaceFor(world, source);
    await bring(commit, { workspace, force: 'always' });
    const head = await world.pushToProject();
    expect(await bring(commit, { workspace, force: 'always' })).toEqual({ kind: 'there', head });
    expect(await project.head()).toBe(head);
    expect(world.steps).toContainEqual({ step: 'fetch-branch' });
  },
);

test.each(rows(pairs, ([source, part]) => source === 'the workspace' && part))(
  'from %s, commits that would be lost are counted, the newest is told (a part can be fetched: %s)',
  async (source, partialFetch) => {
    await using world = await startGitWorld({ partialFetch });
    const { bring, project, push, pushToProject } = world;
    const commit = await push();
    const workspace = await workspaceFor(world, source);
    await bring(commit, { workspace, force: 'always' });
    const hostile = '\u001b[31m::error::Red##[group] @all\u202e <b>\n\nMore.';
    await pushToProject({ 'a.html': 'a' }, 'One');
    const head = await pushToProject({ 'b.html': 'b' }, hostile);
    const other = await push();
    const refused = await bring(other, { workspace: await workspaceFor(world, source) });
    const subject = '::error::Red##[group] @all <b>';
    expect(refused).toEqual({ kind: 'refused', head, count: 2, newest: { sha: head, subject } });
    const forced = await bring(other, {
      workspace: await workspaceFor(world, source),
      force: 'always',
    });
    expect(forced).toEqual({ kind: 'pushed', from: head, forced: true });
    expect(await project.head()).toBe(other);
    await expectWhole(world, other);
  },
);

test.each(rows(sources, (source) => source === 'GitHub'))(
  'from %s, a branch that does not exist is made',
  async (source) => {
    await using world = await startGitWorld();
    const commit = await world.push();
    const workspace = await workspaceFor(world, source);
    const template = await world.project.head();
    const brought = await world.bring(commit, { workspace, branch: 'feature/x' });
    expect(brought).toEqual({ kind: 'pushed', from: null, forced: false });
    await expectWhole(world, commit, 'feature/x');
    expect(await world.project.head()).toBe(template);
    const again = await world.bring(commit, { workspace, branch: 'feature/x' });
    expect(again).toEqual({ kind: 'there', head: commit });
  },
);

test.each(rows(sources, (source) => source === 'the workspace'))(
  'from %s, a merge of an old branch arrives whole, beside branches that are known by name only',
  async (source) => {
    await using world = await startGitWorld();
    const { bring, dev, push } = world;
    const start = await push({ 'a/deep/file.txt': 'one'.repeat(500), 'old.txt': 'old' });
    for (const text of ['two', 'three']) await push({ 'a/deep/file.txt': text });
    const middle = await dev.git('rev-parse', 'HEAD');
    const options = { force: 'always' } as const;
    await bring(middle, { ...options, workspace: await workspaceFor(world, source) });
    const side = new Checkout(dev.folder);
    await side.git('switch', '--quiet', '--detach', start);
    await side.commit({ 'side.txt': 'side', 'a/deep/other.txt': 'other' });
    const feature = await side.git('rev-parse', 'HEAD');
    await side.git('push', '--quiet', 'origin', `${feature}:refs/heads/feature`);
    await bring(feature, { branch: 'feature', workspace: await workspaceFor(world, 'GitHub') });
    await dev.git('switch', '--quiet', 'main');
    await dev.git('merge', '--quiet', '--message', 'Merge', feature);
    const merge = await push({ 'a/deep/file.txt': 'last' });
    const workspace = await workspaceFor(world, source);
    expect(await bring(merge, { workspace })).toEqual({
      kind: 'pushed',
      from: middle,
      forced: false,
    });
    await expectWhole(world, merge);
  },
);

const subjects = [
  ['empty', '', ''],
  ['long', 'x'.repeat(100_000), `${'x'.repeat(499)}…`],
] as const;

test.each(rows(subjects, ([name]) => name === 'long'))(
  'the subject of a lost commit may be %s',
  async (_name, message, subject) => {
    await using world = await startGitWorld();
    const commit = await world.push();
    const sha = await world.pushToProject({ 'a.html': 'a' }, message);
    const brought = await world.bring(commit);
    expect(brought).toMatchObject({ kind: 'refused', count: 2, newest: { sha, subject } });
  },
);

test('hundreds of new commits are fetched with the whole history', async () => {
  await using world = await startGitWorld();
  const { bring, dev, push } = world;
  const first = await push();
  await bring(first, { force: 'always' });
  await addCommits(dev, 260);
  const last = await push();
  world.steps.length = 0;
  expect(await bring(last)).toEqual({ kind: 'pushed', from: first, forced: false });
  expect(world.steps).toEqual([
    { step: 'read-branch' },
    { step: 'fetch-commit', part: 'history' },
    { step: 'fetch-commit', part: 'whole' },
    { step: 'push', commits: 261, forced: false },
  ]);
  await expectWhole(world, last);
});
