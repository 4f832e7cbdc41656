import { execFile } from 'node:child_process';
import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { filesOf, type GitWorld, git, githubRequests, startGitWorld } from './support.ts';

const run = promisify(execFile);

const hooks = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'p4-pre-submit',
  'post-applypatch',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-receive',
  'post-rewrite',
  'post-update',
  'pre-applypatch',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'pre-push',
  'pre-rebase',
  'pre-receive',
  'prepare-commit-msg',
  'proc-receive',
  'push-to-checkout',
  'reference-transaction',
  'sendemail-validate',
  'update',
];

/** A workspace whose every part would run a program that leaves a mark, and the marks that were left. */
async function hostileWorkspace(world: GitWorld) {
  const marks = join(world.folder, 'marks');
  await mkdir(marks);
  const touch = (name: string) => `touch ${marks}/${name}`;
  const commit = await world.push(
    {
      '.gitattributes': '* filter=evil diff=evil merge=evil text=auto\n',
      '.gitmodules': `[submodule "evil"]\n\tpath = evil\n\turl = ext::sh -c "${touch('submodule')}"\n\tupdate = !${touch('submodule')}\n`,
      'index.html': '<h1>Evil</h1>',
    },
    `::error::\u001b[31m##[command]\`${touch('message')}\` $(${touch('message')})`,
  );
  await world.dev.git('update-index', '--add', '--cacheinfo', `160000,${commit},evil`);
  await world.dev.git('commit', '--quiet', '--message', 'Add a submodule');
  await world.dev.git('push', '--quiet', 'origin', 'HEAD');
  const workspace = await world.checkOut();
  const repository = join(workspace, '.git');
  // A branch's name that a shell would act on.
  const branch = `$(touch\${IFS}${marks}/branch)`;
  await git(workspace, ['switch', '--quiet', '--create', branch]);
  for (const hook of hooks) {
    const script = `#!/bin/sh\n${touch(`hook-${hook}`)}\n`;
    await writeFile(join(repository, 'hooks', hook), script, { mode: 0o755 });
  }
  const settings = `
[core]
  fsmonitor = "${touch('fsmonitor')}; false"
  sshCommand = ${touch('ssh')}
  askPass = ${touch('askpass')}
  alternateRefsCommand = ${touch('alternates')}
  gitProxy = ${touch('proxy')}
  attributesFile = ${workspace}/.gitattributes
[credential]
  helper = "!${touch('credential')}"
[filter "evil"]
  clean = ${touch('filter')}; cat
  smudge = ${touch('filter')}; cat
  required = true
[diff "evil"]
  command = ${touch('diff')}
  textconv = ${touch('diff')}; cat
[url "ext::sh -c ${touch('insteadOf').replaceAll(' ', '% ')}% "]
  insteadOf = http://
  insteadOf = https://
[protocol]
  allow = always
[protocol "ext"]
  allow = always
[uploadpack]
  packObjectsHook = ${touch('pack-objects')}
[gpg]
  program = ${touch('gpg')}
[log]
  showSignature = true
[remote "project"]
  url = ext::sh -c ${touch('remote').replaceAll(' ', '% ')}
  uploadpack = ${touch('remote')}
  vcs = evil
[include]
  path = ${workspace}/more
`;
  await appendFile(join(repository, 'config'), settings);
  await appendFile(join(repository, 'info', 'attributes'), '* filter=evil diff=evil\n');
  return { workspace, branch, left: async () => (await readdir(marks)).sort() };
}

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

// Windows has no named pipes in the file system.
test.skipIf(process.platform === 'win32')(
  'its settings and references are not even opened',
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

  test.each(cases)('%s', async (mark, command) => {
    await using world = await startGitWorld();
    const { workspace, left } = await hostileWorkspace(world);
    expect(await left()).not.toContain(mark);
    // What it runs may well fail: that it ran is what counts.
    await git(workspace, command(world)).catch(() => undefined);
    expect(await left()).toContain(mark);
  });
});
