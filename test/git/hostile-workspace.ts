import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitWorld, git, repository } from './support.ts';

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

/** A workspace whose every part would run a program that leaves a mark, the marks that were left, and a way to remove them. */
export async function hostileWorkspace(world: GitWorld) {
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
  await world.dev.pushTo(await world.github.gitFolder(repository));
  const workspace = await world.checkOut();
  const gitFolder = join(workspace, '.git');
  // A branch's name that a shell would act on.
  const branch = `$(touch\${IFS}${marks}/branch)`;
  await git(workspace, ['switch', '--quiet', '--create', branch]);
  for (const hook of hooks) {
    const script = `#!/bin/sh\n${touch(`hook-${hook}`)}\n`;
    await writeFile(join(gitFolder, 'hooks', hook), script, { mode: 0o755 });
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
  await appendFile(join(gitFolder, 'config'), settings);
  await appendFile(join(gitFolder, 'info', 'attributes'), '* filter=evil diff=evil\n');
  const left = async () => (await readdir(marks)).sort();
  const forget = async () => {
    for (const mark of await left()) await rm(join(marks, mark));
  };
  return { workspace, branch, left, forget };
}
