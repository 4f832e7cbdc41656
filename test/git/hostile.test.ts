import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { hostileWorkspace } from './hostile-workspace.ts';
import { filesOf, type GitWorld, git, githubRequests, startGitWorld } from './support.ts';

const run = promisify(execFile);

test('of a hostile workspace nothing is run and nothing is changed', async () => {
  await using world = await startGitWorld();
  const { workspace, branch, left } = await hostileWorkspace(world);
  const commit = await world.dev.git('rev-parse', 'HEAD');
  const files = await filesOf(workspace);
  const force = 'always';
  expect(await world.bring(commit, { workspace, force })).toMatchObject({ kind: 'pushed' });
  await world.pushToProject();
  const again = await world.bring(commit, { workspace, force });
  expect(again).toMatchObject({ kind: 'there' });
  const named = await world.bring(commit, { workspace, branch });
  expect(named).toMatchObject({ kind: 'pushed', from: null });
  expect(githubRequests(world)).toEqual([]);
  expect(await left()).toEqual([]);
  expect(await filesOf(workspace)).toEqual(files);
});

test.skipIf(process.platform === 'win32')(
  'its settings and references are not even opened (Windows has no named pipes in folders)',
  async () => {
    await using world = await startGitWorld();
    const commit = await world.push();
    const workspace = await world.checkOut();
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
      await rm(file, { force: true });
      await run('mkfifo', [file]);
    }
    const force = 'always';
    expect(await world.bring(commit, { workspace, force })).toMatchObject({ kind: 'pushed' });
    const head = await world.pushToProject();
    expect(await world.bring(commit, { workspace })).toEqual({ kind: 'there', head });
    expect(githubRequests(world)).toEqual([]);
  },
);

describe('the same workspace, under git itself, runs', () => {
  const cases: [mark: string, command: (world: GitWorld) => string[]][] = [
    ['fsmonitor', () => ['status']],
    ['filter', () => ['hash-object', '-w', 'index.html']],
    ['diff', () => ['diff', '--ext-diff', 'HEAD~2', 'HEAD', '--', 'index.html']],
    ['hook-reference-transaction', () => ['update-ref', 'refs/heads/x', 'HEAD']],
    ['hook-pre-push', () => ['push', 'origin', 'HEAD:refs/heads/x']],
    ['insteadOf', ({ project }) => ['ls-remote', project.gitAddress]],
    ['remote', () => ['ls-remote', 'project']],
    ['ssh', () => ['ls-remote', 'ssh://git@127.0.0.1/x']],
    [
      'credential',
      ({ project }) => ['-c', `url.${project.gitAddress}.insteadOf=x:`, 'ls-remote', 'x:'],
    ],
  ];

  // That the traps work at all: one of the settings, one of the hooks, one of the remotes.
  test.each(rows(cases, ([mark]) => ['fsmonitor', 'hook-pre-push', 'insteadOf'].includes(mark)))(
    '%s',
    async (mark, command) => {
      await using world = await startGitWorld();
      const { workspace, left } = await hostileWorkspace(world);
      expect(await left()).not.toContain(mark);
      // What it runs may well fail: that it ran is what counts.
      await git(workspace, command(world)).catch(() => undefined);
      expect(await left()).toContain(mark);
    },
  );
});
