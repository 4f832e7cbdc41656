// Attack (git): Hooks, filters, attributes, submodules or settings of a repository run
// Defense: All work is done in an empty bare repository; only objects are borrowed from the workspace, and none that is
// a link

import { execFile } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { hostileWorkspace } from './hostile-workspace.ts';
import { filesOf, git, githubRequests, startGitWorld } from './support.ts';

const run = promisify(execFile);

test('of a hostile workspace nothing is run and nothing is changed', async () => {
  await using world = await startGitWorld();
  const { workspace, branch, left } = await hostileWorkspace(world);
  const commit = await world.dev.head();
  const files = await filesOf(workspace);
  const force = 'always';
  expect(await world.pushCommit(commit, { workspace, force })).toMatchObject({ kind: 'pushed' });
  await world.pushToProject();
  const again = await world.pushCommit(commit, { workspace, force });
  expect(again).toMatchObject({ kind: 'there' });
  const named = await world.pushCommit(commit, { workspace, branch });
  expect(named).toMatchObject({ kind: 'pushed', from: null });
  expect(githubRequests(world)).toEqual([]);
  expect(await left()).toEqual([]);
  expect(await filesOf(workspace)).toEqual(files);
});

test.skipIf(process.platform === 'win32')(
  'its settings and references are not even opened (Windows has no named pipes in folders)',
  async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const workspace = await world.copyDev();
    // Who opens one of these waits for ever.
    for (const name of [
      'config',
      'HEAD',
      'packed-refs',
      'index',
      'info/attributes',
      'info/grafts',
    ]) {
      const file = join(workspace, '.git', name);
      await mkdir(dirname(file), { recursive: true });
      await rm(file, { force: true });
      await run('mkfifo', [file]);
    }
    const force = 'always';
    expect(await world.pushCommit(commit, { workspace, force })).toMatchObject({ kind: 'pushed' });
    const head = await world.pushToProject();
    expect(await world.pushCommit(commit, { workspace })).toEqual({ kind: 'there', head });
    expect(githubRequests(world)).toEqual([]);
  },
);

test('the same workspace, under git itself, runs its programs', async () => {
  await using world = await startGitWorld();
  const { project } = world;
  const { workspace, left, forget } = await hostileWorkspace(world);
  const cases: [mark: string, command: string[]][] = [
    ['fsmonitor', ['status']],
    ['filter', ['hash-object', '-w', 'index.html']],
    ['diff', ['diff', '--ext-diff', 'HEAD~2', 'HEAD', '--', 'index.html']],
    ['hook-reference-transaction', ['update-ref', 'refs/heads/x', 'HEAD']],
    ['hook-pre-push', ['push', 'origin', 'HEAD:refs/heads/x']],
    ['insteadOf', ['ls-remote', project.gitAddress]],
    ['remote', ['ls-remote', 'project']],
    ['ssh', ['ls-remote', 'ssh://git@127.0.0.1/x']],
    ['credential', ['-c', `url.${project.gitAddress}.insteadOf=x:`, 'ls-remote', 'x:']],
  ];

  // That the traps work at all: one of the settings, one of the hooks, one of the remotes.
  const some = ['fsmonitor', 'hook-pre-push', 'insteadOf'];
  for (const [mark, command] of rows(cases, ([mark]) => some.includes(mark))) {
    await forget();
    // What it runs may well fail: that it ran is what counts.
    await git(workspace, command).catch(() => undefined);
    expect(await left()).toContain(mark);
  }
});
