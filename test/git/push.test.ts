import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import {
  addCommits,
  Checkout,
  type GitWorld,
  git,
  githubRequests,
  projectRequests,
  repository,
  startGitWorld,
} from './support.ts';

/** Where the commit comes from. */
const sources = ['the workspace', 'GitHub'] as const;
type SourceName = (typeof sources)[number];

/** A workspace that holds all that the developer has, or none. */
async function workspaceFor({ copyDev }: GitWorld, source: SourceName): Promise<string> {
  return source === 'GitHub' ? '' : await copyDev();
}

/** Fails unless a branch of the project is at a commit, and all that belongs to it is there. */
async function expectWhole({ project }: GitWorld, commit: string, branch = 'main') {
  const folder = await project.gitFolder();
  expect(await readFile(join(folder, 'refs', 'heads', branch), 'utf8')).toBe(`${commit}\n`);
  expect(await git(folder, ['fsck', '--full', '--strict'])).not.toMatch(/missing|error/);
}

// The workspace is tried below, and in source.test.ts.
test.each(rows(sources, (source) => source === 'GitHub'))(
  'a new project is refused, then adopted by its head, from %s',
  async (source) => {
    await using world = await startGitWorld();
    const { pushCommit, project, push } = world;
    const commit = await push();
    const workspace = await workspaceFor(world, source);
    const template = await project.head();
    const refused = await pushCommit(commit, { workspace });
    expect(refused).toEqual({
      kind: 'refused',
      head: template,
      count: 1,
      newest: { sha: template, subject: 'Start from the template' },
    });
    expect(await project.head()).toBe(template);
    expect(projectRequests(world)).not.toContain('POST git-receive-pack');

    const force = { onlyFrom: template };
    const adopted = await pushCommit(commit, { workspace, force });
    expect(adopted).toEqual({ kind: 'pushed', from: template, forced: true });
    await expectWhole(world, commit);

    const next = await push();
    const grown = await pushCommit(next, { workspace: await workspaceFor(world, source), force });
    expect(grown).toEqual({ kind: 'pushed', from: commit, forced: false });
    await expectWhole(world, next);

    const turn = await world.pushToProject('A turn');
    const last = await push();
    const kept = await pushCommit(last, { workspace: await workspaceFor(world, source), force });
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
  expect(await world.pushCommit(head)).toEqual({ kind: 'there', head });
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
    const { pushCommit, dev, project, push } = world;
    const commit = await push();
    const workspace = await workspaceFor(world, source);
    await dev.pushTo(await project.gitFolder());
    const head = await world.pushToProject();
    expect(await pushCommit(commit, { workspace, force: 'always' })).toEqual({
      kind: 'there',
      head,
    });
    expect(await project.head()).toBe(head);
    expect(world.steps).toContainEqual({ step: 'fetch-branch' });
  },
);

test.each(rows(pairs, ([source, part]) => source === 'the workspace' && part))(
  'from %s, commits that would be lost are counted, the newest is told (a part can be fetched: %s)',
  async (source, partialFetch) => {
    await using world = await startGitWorld({ partialFetch });
    const { pushCommit, dev, project, push, pushToProject } = world;
    await dev.pushTo(await project.gitFolder());
    await pushToProject('One');
    const hostile = '\u001b[31m::error::Red##[group] @all\u202e <b>';
    const head = await pushToProject(`${hostile}${'x'.repeat(100_000)}\n\nMore.`);
    const other = await push();
    const refused = await pushCommit(other, { workspace: await workspaceFor(world, source) });
    const subject = `${'::error::Red##[group] @all <b>'.padEnd(499, 'x')}…`;
    expect(refused).toEqual({ kind: 'refused', head, count: 2, newest: { sha: head, subject } });
    const forced = await pushCommit(other, {
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
    const result = await world.pushCommit(commit, { workspace, branch: 'feature/x' });
    expect(result).toEqual({ kind: 'pushed', from: null, forced: false, missing: 1 });
    await expectWhole(world, commit, 'feature/x');
    expect(await world.project.head()).toBe(template);
    const again = await world.pushCommit(commit, { workspace, branch: 'feature/x' });
    expect(again).toEqual({ kind: 'there', head: commit });
  },
);

test.each(rows(sources, (source) => source === 'the workspace'))(
  'from %s, a merge of an old branch arrives whole, beside branches that are known by name only',
  async (source) => {
    await using world = await startGitWorld();
    const { pushCommit, dev, github, project, push } = world;
    const start = await push({ 'a/deep/file.txt': 'one'.repeat(500), 'old.txt': 'old' });
    for (const text of ['two', 'three']) await push({ 'a/deep/file.txt': text });
    const middle = await dev.head();
    await dev.pushTo(await project.gitFolder());
    const side = new Checkout(dev.folder);
    await side.git('switch', '--quiet', '--create', 'feature', start);
    const feature = await side.commit({ 'side.txt': 'side', 'a/deep/other.txt': 'other' });
    await side.pushTo(await github.gitFolder(repository));
    await side.pushTo(await project.gitFolder());
    await dev.git('switch', '--quiet', 'main');
    await dev.git('merge', '--quiet', '--message', 'Merge', feature);
    const merge = await push({ 'a/deep/file.txt': 'last' });
    const workspace = await workspaceFor(world, source);
    expect(await pushCommit(merge, { workspace })).toEqual({
      kind: 'pushed',
      from: middle,
      forced: false,
    });
    await expectWhole(world, merge);
  },
);

// A long one is above.
test('the subject of a lost commit may be empty', async () => {
  await using world = await startGitWorld();
  const sha = await world.pushToProject('');
  const result = await world.pushCommit(world.first);
  expect(result).toMatchObject({ kind: 'refused', count: 2, newest: { sha, subject: '' } });
});

test('hundreds of new commits are fetched with the whole history', async () => {
  await using world = await startGitWorld();
  const { pushCommit, dev, first, project, push } = world;
  await dev.pushTo(await project.gitFolder());
  await addCommits(dev, 260);
  const last = await push();
  world.steps.length = 0;
  expect(await pushCommit(last)).toEqual({ kind: 'pushed', from: first, forced: false });
  expect(world.steps).toEqual([
    { step: 'read-branch' },
    { step: 'fetch-commit', part: 'history' },
    { step: 'fetch-commit', part: 'whole' },
    { step: 'push', commits: 261, forced: false },
  ]);
  await expectWhole(world, last);
});
