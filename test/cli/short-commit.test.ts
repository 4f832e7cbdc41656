// Attack (command): Few digits name a commit that is not merged, a forged one, or another one by a replaced or a
// grafted history
// Defense: The commit counts if a copy of the default branch's history has it, whose ids were computed again; digits of
// several commits are an error

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempDisposableSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { startEmulator } from '../../emulator/index.ts';
import { siteDeploy } from './site-deploy.ts';

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];

/** A clone whose main branch has three commits, and the branch `other` one more. */
async function clone(folder: string, ...args: string[]) {
  const origin = join(folder, 'origin');
  const root = join(folder, 'clone');
  await git(['init', '--quiet', '--initial-branch=main', ...args, origin]);
  const commit = async (message: string) => {
    await git(['-C', origin, ...author, 'commit', '--quiet', '--allow-empty', '-m', message]);
    return await git(['-C', origin, 'rev-parse', 'HEAD']);
  };
  const [first, second, third] = [await commit('1'), await commit('2'), await commit('3')];
  await git(['-C', origin, 'switch', '--quiet', '--create', 'other']);
  const other = await commit('4');
  await git(['-C', origin, 'switch', '--quiet', 'main']);
  await git(['clone', '--quiet', origin, root]);
  return { origin, root, first, second, third, other };
}

/** Runs the command in a folder. `SITE_BASE_URL` has no server: what needs no request is shown. */
const explain = (folder: string, digits: string, env: Readonly<Record<string, string>> = {}) =>
  siteDeploy(['deploy', '--mode', 'explain', '--pull-request', 'none', '--commit-sha', digits], {
    env: { ...settings, ...env },
    folder,
  });

const settings = {
  SITE_API_KEY: 'fake-key-0123456789012345678901234567890123456789',
  SITE_BASE_URL: 'http://127.0.0.1:9',
  SITE_PROJECT_ID: '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
};

/** A push to main on GitLab. */
const gitLab = (commit: string) => ({
  GITLAB_CI: 'true',
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_SHA: commit,
  CI_COMMIT_BRANCH: 'main',
});

const temporaryFolder = () => mkdtempDisposableSync(join(tmpdir(), 'short-commit-'));

/** Two commits on top of a parent that begin with the same seven digits, as loose objects. @returns their ids */
function twins(repository: string, tree: string, parent: string): [string, string] {
  const seen = new Map<string, [string, string]>();
  for (let number = 0; ; number += 1) {
    const who = 'Ada <ada@example.invalid> 1800000000 +0000';
    const text = `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n\n${number}\n`;
    const object = `commit ${Buffer.byteLength(text)}\0${text}`;
    const id = createHash('sha1').update(object).digest('hex');
    const [twin, itsObject] = seen.get(id.slice(0, 7)) ?? [];
    seen.set(id.slice(0, 7), [id, object]);
    if (twin === undefined || itsObject === undefined) continue;
    for (const [name, content] of [
      [id, object],
      [twin, itsObject],
    ] as const) {
      const folder = join(repository, '.git/objects', name.slice(0, 2));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name.slice(2)), deflateSync(content));
    }
    return [id, twin];
  }
}

describe('a commit by its first digits', () => {
  it('is deployed if it is on the default branch', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = temporaryFolder();
    const folder = join(temporary.path, 'clone');
    await git(['clone', '--quiet', await project.gitFolder(), folder]);
    const sha = await project.head();
    const env = {
      SITE_API_KEY: emulator.key,
      SITE_BASE_URL: emulator.url,
      SITE_PROJECT_ID: project.id,
      RUNNER_TEMP: temporary.path,
    };
    const digits = sha.slice(0, 7).toUpperCase();
    const args = ['deploy', '--json', '--pull-request', 'none', '--commit-sha', digits];
    const ran = await siteDeploy(args, { env, folder });
    expect(ran).toMatchObject({ status: 0 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: 'succeeded', 'commit-sha': sha });
    expect(project.deployments.map(({ commit }) => commit)).toEqual([sha]);
  });

  it('is found by any number of digits, by packed references or others, and below the clone', async () => {
    using temporary = temporaryFolder();
    const { root, first, second, third } = await clone(temporary.path);
    const below = join(root, 'a/b');
    mkdirSync(below, { recursive: true });
    for (const digits of [first.slice(0, 7), second.slice(0, 39)]) {
      const ran = await explain(below, digits);
      expect(ran).toMatchObject({ status: 0 });
      expect(ran.stdout).toContain(digits.length === 7 ? first : second);
    }
    await git(['-C', root, 'pack-refs', '--all']);
    expect((await explain(root, third.slice(0, 8))).stdout).toContain(third);
  });

  it('is found on the branch that the CI reports as the default one', async () => {
    using temporary = temporaryFolder();
    const { root, first, third } = await clone(temporary.path);
    await git(['-C', root, 'remote', 'set-head', 'origin', '--delete']);
    const main = { ...gitLab(third), CI_DEFAULT_BRANCH: 'main' };
    const known = await explain(root, first.slice(0, 7), main);
    expect(known).toMatchObject({ status: 0 });
    expect(known.stdout).toContain(first);
    // A branch may have any name.
    await git(['-C', root, 'update-ref', 'refs/remotes/origin/undefined', third]);
    const unknown = await explain(root, first.slice(0, 7), gitLab(third));
    expect(unknown.status).toBe(2);
    expect(unknown.stdout).toMatch(/default branch.*git remote set-head origin --auto.*SD1121/);
  });

  it('is searched for on the branch that the CI reports, whatever the clone had as its default branch', async () => {
    using temporary = temporaryFolder();
    const { root, third, other } = await clone(temporary.path);
    await git(['-C', root, 'remote', 'set-head', 'origin', 'other']);
    const main = { ...gitLab(third), CI_DEFAULT_BRANCH: 'main' };
    expect((await explain(root, other.slice(0, 7), main)).status).toBe(2);
    expect(await explain(root, third.slice(0, 7), main)).toMatchObject({ status: 0 });
    await git(['-C', root, 'update-ref', '-d', 'refs/remotes/origin/main']);
    const lacking = await explain(root, other.slice(0, 7), main);
    expect(lacking.status).toBe(2);
    expect(lacking.stdout).toMatch(/default branch.*SD1121/);
  });

  it('is not looked up to end a preview', async () => {
    using temporary = temporaryFolder();
    const args = ['deploy', '--mode', 'explain', '--pull-request', '5', '--close'];
    const domain = ['--preview-domain', 'pr-{number}.preview.example.com'];
    const env = { ...settings, CI: 'true' };
    const folder = temporary.path;
    const ran = await siteDeploy([...args, ...domain, '--commit-sha', '1234567'], { env, folder });
    expect(ran).toMatchObject({ status: 0 });
  });
});

describe('a commit by its first digits is refused', () => {
  type Case = [
    name: string,
    make: (made: Awaited<ReturnType<typeof clone>>, folder: string) => Promise<[string, string]>,
    why: RegExp,
  ];
  const cases: Case[] = [
    ['on another branch', async ({ root, other }) => [root, other], /matches no fetched commit/],
    ['without a match', async ({ root }) => [root, '0000000'], /matches no fetched commit/],
    [
      'that is only here',
      async ({ root }) => {
        await git(['-C', root, ...author, 'commit', '--quiet', '--allow-empty', '-m', 'Mine']);
        return [root, await git(['-C', root, 'rev-parse', 'HEAD'])];
      },
      /matches no fetched commit/,
    ],
    [
      'like another one that is on no branch',
      async ({ root, third }) => {
        const tree = await git(['-C', root, 'rev-parse', 'HEAD^{tree}']);
        const [twin] = twins(root, tree, third);
        await git(['-C', root, 'update-ref', 'refs/remotes/origin/main', twin]);
        return [root, twin];
      },
      /or several/,
    ],
    [
      'of a tag',
      async ({ root, first }) => {
        await git(['-C', root, ...author, 'tag', '--annotate', '--message=One', 'one', first]);
        return [root, await git(['-C', root, 'rev-parse', 'one'])];
      },
      /matches no fetched commit/,
    ],
    [
      'in a shallow clone',
      async ({ origin, third }, folder) => {
        await git(['clone', '--quiet', '--depth=1', `file://${origin}`, join(folder, 'shallow')]);
        return [join(folder, 'shallow'), third];
      },
      /shallow clone.*40 hex digits/,
    ],
    [
      'in a worktree',
      async ({ root, third }, folder) => {
        await git(['-C', root, 'worktree', 'add', '--quiet', '-b', 'two', join(folder, 'tree')]);
        return [join(folder, 'tree'), third];
      },
      /a worktree or a submodule\. Run this command in a separate clone, or use all 40 hex digits/,
    ],
    [
      'where nothing is checked out',
      async ({ third }, folder) => [folder, third],
      /nothing is checked out\. Run this command in a clone of the repository\./,
    ],
    [
      'where an object is missing',
      async ({ root, second, first }) => {
        const objects = join(root, '.git/objects');
        rmSync(join(objects, second.slice(0, 2), second.slice(2)));
        return [root, first];
      },
      /matches no fetched commit/,
    ],
  ];

  it.each(cases)('%s', async (_, make, why) => {
    using temporary = temporaryFolder();
    const [folder, sha] = await make(await clone(temporary.path), temporary.path);
    const ran = await explain(folder, sha.slice(0, 7));
    expect(ran.status).toBe(2);
    expect(ran.stdout).toMatch(why);
    expect(ran.stdout).toContain('SD1121');
    expect(ran.stdout).not.toMatch(/github-token|SD1123/);
  });

  it('without git', async () => {
    using temporary = temporaryFolder();
    const { root, third } = await clone(temporary.path);
    const ran = await explain(root, third.slice(0, 7), { PATH: temporary.path });
    expect(ran.status).toBe(2);
    expect(ran.stdout).toMatch(/git is missing.*40 hex digits.*SD1121/);
  });

  it.skipIf(process.platform === 'win32')('after the timeout', async () => {
    using temporary = temporaryFolder();
    const { root, third } = await clone(temporary.path);
    const slow = join(temporary.path, 'git');
    writeFileSync(slow, '#!/bin/sh\nexec /bin/sleep 1000\n', { mode: 0o755 });
    const env = { PATH: temporary.path, SITE_TIMEOUT: '1' };
    const ran = await explain(root, third.slice(0, 7), env);
    expect(ran).toMatchObject({ status: 4, stdout: '' });
    expect(ran.stderr).toMatch(/^site-deploy: Timed out after 1s/);
  });

  it('in a repository of another hash', async () => {
    using temporary = temporaryFolder();
    const { root, third } = await clone(temporary.path, '--object-format=sha256');
    const ran = await explain(root, third.slice(0, 7));
    expect(ran.status).toBe(2);
    expect(ran.stdout).toMatch(/can't be resolved: this repository uses SHA-256.*SD1121/);
    await git(['-C', root, 'gc', '--quiet']);
    expect((await explain(root, third.slice(0, 7))).stdout).toMatch(/uses SHA-256.*SD1121/);
  });
});

describe('what a clone is told to do', () => {
  it('is not done, and what it replaces is not replaced', async () => {
    using temporary = temporaryFolder();
    const { root, first, third, other } = await clone(temporary.path);
    const mark = join(temporary.path, 'mark');
    // The branch's head is replaced by the other branch's, and by grafts has no parent.
    await git(['-C', root, 'replace', third, other]);
    writeFileSync(join(root, '.git/info/grafts'), `${third}\n`);
    const script = `touch ${mark}`;
    writeFileSync(join(root, '.git/hooks/reference-transaction'), `#!/bin/sh\n${script}\n`, {
      mode: 0o755,
    });
    await git(['-C', root, 'config', 'core.fsmonitor', script]);
    await git(['-C', root, 'config', 'core.alternateRefsCommand', script]);
    await git(['-C', root, 'config', 'alias.rev-parse', `!${script}`]);
    await git(['-C', root, 'config', 'core.pager', script]);
    expect((await explain(root, first.slice(0, 7))).stdout).toContain(first);
    expect((await explain(root, other.slice(0, 7))).stdout).toMatch(/matches no fetched commit/);
    expect(existsSync(mark)).toBe(false);
  });
});
