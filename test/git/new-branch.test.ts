// Attack (git): A project whose commits are on `master` gets a new branch `main`, which replaces the site
// Defense: Without `git-branch`, `main` is created only if there is no other branch (except `before-…`); a branch that
// the input names is created, with a warning

import { expect, test } from 'vitest';
import { git, projectRequests, startGitWorld } from './support.ts';

/** A project whose template is on these branches instead of `main`; the first is the default branch. */
async function startWith(...branches: string[]) {
  const world = await startGitWorld();
  const folder = await world.project.gitFolder();
  const template = await world.project.head();
  for (const branch of branches)
    await git(folder, ['update-ref', `refs/heads/${branch}`, template]);
  await git(folder, ['update-ref', '-d', 'refs/heads/main']);
  await git(folder, ['symbolic-ref', 'HEAD', `refs/heads/${branches[0] ?? 'main'}`]);
  const commit = await world.push();
  const refs = async () => {
    const listed = await git(folder, ['for-each-ref', '--format=%(refname:short) %(objectname)']);
    return Object.fromEntries(listed.split('\n').map((line) => line.split(' ')));
  };
  const workspace = await world.copyDev();
  return { world, folder, template, commit, refs, workspace };
}

test.each([
  ['never', ['master'], /has no branch main, but master\. Set git-branch/, 'master'],
  ['always', ['master'], /has no branch main, but master\. Set git-branch/, 'master'],
  [
    'always',
    ['live', 'next', 'before-1234567'],
    /has no branch main, but live, next\. Set/,
    undefined,
  ],
  ['never', ['Main'], /has no branch main, but Main\. Set/, 'Main'],
  ['never', ['before-x'], /has no branch main, but before-x\. Set/, 'before-x'],
] as const)(
  'a project without main, which the inputs do not name (force: %s), keeps %j, and the error has the default branch, if it is known',
  async (force, branches, message, branch) => {
    const { world, commit, workspace, refs } = await startWith(...branches);
    await using _ = world;
    const before = await refs();
    const end = world.pushCommit(commit, { workspace, force });
    await expect(end).rejects.toMatchObject({
      trouble: { kind: 'no-branch' },
      diagnostic: { code: 'SD7010', branch },
    });
    await expect(end).rejects.toThrow(message);
    expect(await refs()).toEqual(before);
    expect(projectRequests(world)).not.toContain('POST git-receive-pack');
    expect(world.steps.map(({ step }) => step)).toEqual(['read-branch']);
  },
);

test('main is made in an empty repository, and beside the branch of an earlier adoption', async () => {
  for (const branches of [[], ['before-1234567']]) {
    const { world, commit, workspace, refs } = await startWith(...branches);
    await using _ = world;
    const made = { kind: 'pushed', from: null, forced: false };
    expect(await world.pushCommit(commit, { workspace })).toMatchObject(made);
    expect(await refs()).toMatchObject({ main: commit });
  }
});

test.each(['main', 'site/live'])(
  'a branch that the inputs name is made (%s), with the number of commits of the default branch that it lacks',
  async (branch) => {
    const { world, folder, commit, template, workspace, refs } = await startWith('master');
    await using _ = world;
    const made = { kind: 'pushed', from: null, forced: false };
    const result = await world.pushCommit(commit, { workspace, branch });
    expect(result).toEqual({ ...made, missing: 1 });
    expect(await refs()).toEqual({ master: template, [branch]: commit });
    await git(folder, ['update-ref', 'refs/heads/master', world.first]);
    const next = await world.push();
    const other = await world.pushCommit(next, { branch: 'other' });
    expect(other).toEqual(made);
    expect(await refs()).toMatchObject({ other: next, [branch]: commit });
  },
);

test('a rival that makes main first is not overwritten', async () => {
  const { world, folder, template, commit, workspace, refs } = await startWith();
  await using _ = world;
  const until = () => git(folder, ['update-ref', 'refs/heads/main', template]);
  const moment = { operation: 'git', method: 'GET', after: 2 } as const;
  world.emulator.faults.add({ ...moment, kind: 'hold', until });
  expect(await world.pushCommit(commit, { workspace })).toMatchObject({ kind: 'refused' });
  expect(await refs()).toEqual({ main: template });
});

test('a branch that the inputs name is made although the history of the default branch cannot be read', async () => {
  const { world, commit, template, workspace, refs } = await startWith('master');
  await using _ = world;
  const fetch = { operation: 'git', method: 'POST', path: /git-upload-pack$/ };
  world.emulator.faults.add({ ...fetch, times: 9, kind: 'status', status: 403, effect: false });
  const made = { kind: 'pushed', from: null, forced: false };
  expect(await world.pushCommit(commit, { workspace, branch: 'live' })).toEqual(made);
  expect(await refs()).toEqual({ master: template, live: commit });
});
