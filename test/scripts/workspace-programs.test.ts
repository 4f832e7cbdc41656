// Attack (files): A site file of `--workspace` names a variable by which a program runs code, such as `NODE_OPTIONS`,
// and its fake value is a file of that folder
// Defense: No variable that the runner sets, or that Node, OpenSSL, git, the system's loader or a shell reads, is given
// to the step
// Attack (files): The repository of `--workspace` or `--repo` names programs: `core.fsmonitor`, filters, hooks,
// aliases, `core.sshCommand`, `diff.external`, `textconv`, includes, submodules, worktrees, a partial clone's remote
// Defense: Git reads a bare repository of the emulator with a copy of the references. It finds the objects in the
// folder, and never reads its settings, hooks, attributes or files

import { execFile } from 'node:child_process';
import {
  chmod,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { findRepository } from '../../scripts/player/own-repository.ts';
import { root } from '../../scripts/player/play.ts';
import { play } from './play.ts';

const runFile = promisify(execFile);

/** A repository with a commit, and a change that is not committed. Whatever its programs are, each leaves a file in a folder. */
async function openStrangers() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'strangers-'));
  const [site, ran] = [join(folder.path, 'site'), join(folder.path, 'ran')];
  const git = async (where: string, ...args: string[]) => {
    const author = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid'];
    const { stdout } = await runFile('git', ['-C', where, ...author, ...args]);
    return stdout.trim();
  };
  await mkdir(ran);
  await runFile('git', ['init', '--quiet', '--initial-branch=main', site]);
  await writeFile(join(site, 'index.html'), '<h1>Mine</h1>');
  await git(site, 'add', '--all');
  await git(site, 'commit', '--quiet', '--message', 'A change');
  const program = (name: string) => `touch '${join(ran, name)}'; false #`;
  return {
    site,
    git,
    program,
    /** Touches a tracked file without changing it, so that git would compare its contents. */
    touch: () => writeFile(join(site, 'index.html'), '<h1>Mine</h1>'),
    ran: () => readdir(ran),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

type Strangers = Awaited<ReturnType<typeof openStrangers>>;

const set = async ({ site, git, program }: Strangers, ...names: string[]) => {
  for (const name of names) await git(site, 'config', name, program(name));
};

/** Ways in which a repository names programs; `where` is the folder that is played if it is not the repository. */
const ways: Record<string, (own: Strangers) => Promise<string | undefined>> = {
  fsmonitor: async (own) => {
    await set(own, 'core.fsmonitor');
    return undefined;
  },
  'filters, diffs and merges by attributes': async (own) => {
    const attributes = '* filter=f diff=f merge=f working-tree-encoding=UTF-16\n';
    await writeFile(join(own.site, '.git/info/attributes'), attributes);
    await writeFile(join(own.site, '.gitattributes'), attributes);
    await set(own, 'filter.f.clean', 'filter.f.smudge', 'filter.f.process');
    await set(own, 'diff.f.textconv', 'diff.f.command', 'diff.external', 'merge.f.driver');
    return undefined;
  },
  hooks: async (own) => {
    const hooks = join(own.site, 'hooks');
    await mkdir(hooks);
    const names = ['post-checkout', 'post-index-change', 'reference-transaction', 'pre-auto-gc'];
    for (const name of [...names, 'fsmonitor-watchman', 'pre-receive', 'proc-receive']) {
      for (const place of [join(own.site, '.git/hooks'), hooks]) {
        await mkdir(place, { recursive: true });
        await writeFile(join(place, name), `#!/bin/sh\n${own.program(name)}\n`);
        await chmod(join(place, name), 0o755);
      }
    }
    await own.git(own.site, 'config', 'core.hooksPath', hooks);
    return undefined;
  },
  'other programs of the settings': async (own) => {
    await set(own, 'core.sshCommand', 'core.gitProxy', 'core.pager', 'core.editor', 'core.askPass');
    await set(own, 'gpg.program', 'credential.helper', 'uploadpack.packObjectsHook');
    await set(own, 'core.alternateRefsCommand', 'sequence.editor', 'trailer.x.command');
    for (const name of ['rev-parse', 'status', 'fetch', 'upload-pack', 'symbolic-ref'])
      await own.git(own.site, 'config', `alias.${name}`, `!${own.program(`alias-${name}`)}`);
    await own.git(own.site, 'config', 'log.showSignature', 'true');
    return undefined;
  },
  'a file that the settings include': async (own) => {
    const included = join(own.site, 'included');
    const value = JSON.stringify(own.program('included'));
    await writeFile(included, `[core]\n\tfsmonitor = ${value}\n`);
    await own.git(own.site, 'config', `includeIf.gitdir:${own.site}/.path`, included);
    await own.git(own.site, 'config', 'include.path', included);
    return undefined;
  },
  'a submodule with settings': async (own) => {
    const inner = join(own.site, 'inner');
    await runFile('git', ['init', '--quiet', '--initial-branch=main', inner]);
    await own.git(inner, 'commit', '--quiet', '--allow-empty', '--message', 'Inner');
    await own.git(own.site, 'add', '--all');
    await own.git(own.site, 'commit', '--quiet', '--message', 'With a submodule');
    await own.git(inner, 'config', 'core.fsmonitor', own.program('submodule'));
    return undefined;
  },
  'a worktree with settings of its own': async (own) => {
    const tree = join(own.site, '..', 'tree');
    await own.git(own.site, 'worktree', 'add', '--quiet', tree);
    await own.git(own.site, 'config', 'extensions.worktreeConfig', 'true');
    await own.git(tree, 'config', '--worktree', 'core.fsmonitor', own.program('worktree'));
    return tree;
  },
  'a partial clone whose remote is a program': async (own) => {
    await own.git(own.site, 'config', 'remote.origin.url', own.site);
    await own.git(own.site, 'config', 'remote.origin.uploadpack', own.program('upload-pack'));
    await own.git(own.site, 'config', 'remote.origin.promisor', 'true');
    await own.git(own.site, 'config', 'extensions.partialClone', 'origin');
    await own.git(own.site, 'config', 'core.repositoryFormatVersion', '1');
    const blob = await own.git(own.site, 'rev-parse', 'HEAD:index.html');
    await rm(join(own.site, '.git/objects', blob.slice(0, 2), blob.slice(2)));
    return undefined;
  },
};

test.skipIf(process.platform === 'win32').concurrent.each(Object.keys(ways))(
  '--workspace and --repo run no program of a repository: %s (Windows has no sh)',
  async (way) => {
    await using own = await openStrangers();
    const folder = (await ways[way]?.(own)) ?? own.site;
    await own.touch();
    const sha = await readFile(join(own.site, '.git/refs/heads/main'), 'utf8');
    const workflow = join(folder, '.github/workflows/a.yml');
    await mkdir(join(folder, '.github/workflows'), { recursive: true });
    await writeFile(
      workflow,
      'on: push\njobs: { a: { runs-on: x, steps: [{ uses: actions/checkout@v6 }] } }\n',
    );
    const plays = [
      ['deploy', '--workspace', folder],
      ['deploy', 'git-url', '--event', 'push', '--workspace', folder],
      ['--workflow', workflow, '--workspace', folder],
      ['domains', 'mode=plan', '--workspace', folder],
    ];
    await using github = await startGitHub();
    const { name, folder: served } = await findRepository('repo', folder);
    const isServed = await github.serveRepository(name, served).then(
      () => true,
      () => false,
    );
    const texts: string[] = [];
    for (const words of plays) {
      const played = await play(words).catch((error: unknown) => ({ text: String(error) }));
      texts.push(played.text);
    }
    // The commit of a partial clone lacks a file.
    const isWhole = !way.startsWith('a partial clone');
    expect(isServed).toBe(isWhole);
    for (const text of isWhole ? texts.slice(0, 3) : []) {
      expect(text).toContain(`Using commit ${sha.slice(0, 7)} of ${folder}, without`);
      expect(text).toContain('Conclusion: success');
    }
    expect(await own.ran()).toEqual([]);
  },
);

const compiler = await runFile('cc', ['--version']).then(
  () => true,
  () => false,
);

test.skipIf(!compiler || process.platform !== 'linux')(
  'a file with the name of a fake value configures no OpenSSL (needs Linux and a C compiler)',
  async () => {
    await using own = await openStrangers();
    const provider = join(own.site, 'provider');
    await writeFile(
      `${provider}.c`,
      `#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) { system("${own.program('provider')}"); }
int OSSL_provider_init(const void *core, const void *in, const void **out, void **context) { return 0; }`,
    );
    await runFile('cc', ['-shared', '-fPIC', '-o', `${provider}.so`, `${provider}.c`]);
    const sections = ['[init]', 'providers = list', '[list]', 'evil = one', '[one]'];
    const module = 'module = /proc/self/cwd/provider.so';
    const settings = ['nodejs_conf = init', ...sections, module, 'activate = 1', ''];
    await writeFile(join(own.site, 'fake-value-of-openssl_conf'), settings.join('\n'));
    await writeFile(join(own.site, 'site.yml'), 'environment: { OPENSSL_CONF: {} }\n');
    const out = join(own.site, 'out');
    const words = ['deploy', '--workspace', own.site, 'config=site.yml', '--out', out];
    const { stdout } = await runFile(process.execPath, [join(root, 'scripts/try.ts'), ...words]);
    expect(await own.ran()).toEqual([]);
    expect(stdout).toContain('because programs read them: OPENSSL_CONF');
  },
);
