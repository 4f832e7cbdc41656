import { mkdtempDisposableSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { type EmulatedProject, type Emulator, startEmulator } from '../../emulator/index.ts';
import { buildkitePullRequest, gitlabMergeRequest } from './ci-environments.ts';
import { siteDeploy } from './site-deploy.ts';

const secret = 'not-a-real-token-0123456789';

/** Nobody is at a terminal here, and no CI tells what is built. */
const merged = ['--pull-request', 'none'];

/** The variables that every command needs. */
const access = (emulator: Emulator, project: EmulatedProject) => ({
  SITE_API_KEY: emulator.key,
  SITE_BASE_URL: emulator.url,
  SITE_PROJECT_ID: project.id,
});

describe('site-deploy', () => {
  it('deploys the commit that is checked out, with its variables', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const folder = join(temporary.path, 'clone');
    await git(['clone', '--quiet', await project.gitFolder(), folder]);
    const ran = await siteDeploy(
      [
        ...['deploy', '--env-from', 'API_TOKEN', '--json', '--outputs', 'out.env'],
        ...['--report', 'r.md', ...merged],
      ],
      { env: { ...access(emulator, project), API_TOKEN: secret }, folder },
    );
    expect(ran).toMatchObject({ status: 0 });
    const sha = await project.head();
    expect(project.deployments.map(({ commit, status }) => [commit, status])).toEqual([
      [sha, 'succeeded'],
    ]);
    expect(project.variables.map(({ name, value }) => [name, value])).toEqual([
      ['API_TOKEN', secret],
    ]);
    const outputs = JSON.parse(ran.stdout);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'commit-sha': sha });
    expect(outputs).not.toHaveProperty('error');
    const lines = readFileSync(join(folder, 'out.env'), 'utf8');
    expect(lines).toContain(`SITE_OUT_COMMIT_SHA=${sha}\n`);
    const report = readFileSync(join(folder, 'r.md'), 'utf8');
    expect(report).toContain(sha.slice(0, 7));
    for (const text of [ran.stdout, ran.stderr, lines, report]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(emulator.key);
    }
    expect(ran.stderr).not.toMatch(/^::/m);
    expect(ran.stderr).not.toContain('\u001b');
    expect(ran.stderr.match(/No ledger is kept/g)).toHaveLength(1);
  });

  it('takes a key from standard input', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const { SITE_API_KEY: input, ...env } = access(emulator, project);
    const args = ['projects', '--api-key-file', '-', '--json', ...merged];
    const ran = await siteDeploy(args, { env, input: `${input}\n` });
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stdout).toContain(project.id);
  });

  it('explains a push from a clone without a remote', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    await git(['init', '--quiet', temporary.path]);
    const args = ['deploy', '--mode', 'explain', '--commit-sha', await project.head(), ...merged];
    const env = { ...access(emulator, project), SITE_GIT_URL: project.gitUrl };
    const ran = await siteDeploy(args, { env, folder: temporary.path });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.stdout).toContain('To the branch main of');
  });

  it('pushes the commit where the folder for temporary files has no name', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const folder = join(temporary.path, 'clone');
    await git(['clone', '--quiet', await project.gitFolder(), folder]);
    await git(['-C', folder, 'remote', 'remove', 'origin']);
    const env = { ...access(emulator, project), SITE_GIT_URL: project.gitUrl, RUNNER_TEMP: '' };
    expect(await siteDeploy(['deploy', ...merged], { env, folder })).toMatchObject({ status: 0 });
  });

  it.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    [
      'no repository',
      async () => undefined,
      /no git repository in this folder\. Run .* in a clone/,
    ],
    [
      'no commit',
      (folder) => git(['init', '--quiet', folder]),
      /no commit yet\. Commit your files/,
    ],
    [
      'a bare repository',
      (folder) => git(['init', '--quiet', '--bare', folder]),
      /a bare repository\. Run the command in a clone of it/,
    ],
    [
      'a SHA-256 repository',
      (folder) => git(['init', '--quiet', '--object-format=sha256', folder]),
      /uses SHA-256, and projects are SHA-1 repositories/,
    ],
  ])('says what is so in a folder with %s, before a request is sent', async (_, make, why) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    await make(temporary.path);
    const env = access(emulator, project);
    const ran = await siteDeploy(['deploy', ...merged], { env, folder: temporary.path });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stdout).toMatch(why);
    expect(ran.stdout).toMatch(/\(SD1109\)/);
    expect(ran.stdout).not.toContain('the event');
    expect(emulator.journal.entries).toEqual([]);
  });

  it('sends a person from a worktree to a separate clone', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const clone = join(temporary.path, 'clone');
    await git(['clone', '--quiet', await project.gitFolder(), clone]);
    await git(['-C', clone, 'remote', 'remove', 'origin']);
    const folder = join(temporary.path, 'tree');
    await git(['-C', clone, 'worktree', 'add', '--quiet', '-b', 'two', folder]);
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    await git([...author, '-C', folder, 'commit', '--quiet', '--allow-empty', '--message=New']);
    const env = { ...access(emulator, project), SITE_GIT_URL: project.gitUrl };
    const ran = await siteDeploy(['deploy', ...merged], { env, folder });
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.stdout).toMatch(
      /a worktree or a submodule, and this command can't read the remote origin\. Run this command in a separate clone\. \(SD7101\)/,
    );
  });

  it('names SHA-256 as the cause, also for a commit of 40 digits', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const folder = temporary.path;
    await git(['init', '--quiet', '--object-format=sha256', folder]);
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    await git([...author, '-C', folder, 'commit', '--quiet', '--allow-empty', '--message=New']);
    const env = { ...access(emulator, project), SITE_GIT_URL: project.gitUrl };
    const args = ['deploy', '--commit-sha', 'c0ffee'.padEnd(40, '0'), ...merged];
    const ran = await siteDeploy(args, { env, folder });
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.stdout).toMatch(
      /the checkout uses SHA-256, .* Deploy from a SHA-1 repository, or set --commit-sha to HEAD .*\(SD7101\)/,
    );
  });

  it('pushes from a clone with --reference once that borrows nothing, as it says', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const origin = await project.gitFolder();
    const folder = join(temporary.path, 'clone');
    await git(['clone', '--quiet', '--reference', origin, `file://${origin}`, folder]);
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    await git([...author, '-C', folder, 'commit', '--quiet', '--allow-empty', '--message=New']);
    const env = { ...access(emulator, project), SITE_GIT_URL: project.gitUrl };
    const ran = await siteDeploy(['deploy', ...merged], { env, folder });
    expect(ran.stdout).toMatch(/`git repack -a -d`, then delete \.git\/objects\/info\/alternates/);
    await git(['-C', folder, 'repack', '--quiet', '-a', '-d']);
    rmSync(join(folder, '.git/objects/info/alternates'));
    expect(await siteDeploy(['deploy', ...merged], { env, folder })).toMatchObject({ status: 0 });
  });

  it('refuses what rests on GitHub, with all other mistakes, and sends nothing', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const args = ['deploy', '--on-older', 'skip', '--timeout', 'long', '--commit-sha', 'HEAD'];
    const ran = await siteDeploy([...args, ...merged], { env: access(emulator, project) });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stdout).toMatch(/on-older is not available here.*SD1123/);
    expect(ran.stdout).toMatch(/timeout.*SD1002/);
    expect(emulator.journal.entries).toEqual([]);
  });

  it('ignores a token for GitHub that is set for status, and refuses one that it is given', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const env = { ...access(emulator, project), SITE_GITHUB_TOKEN: secret };
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    writeFileSync(join(temporary.path, 'token'), secret);
    const args = ['deploy', '--commit-sha', await project.head(), ...merged];
    const ran = await siteDeploy(args, { env, folder: temporary.path });
    expect(ran).toMatchObject({ status: 0 });
    const given = ['--github-token-file', 'token'];
    const refused = await siteDeploy([...args, ...given], { env, folder: temporary.path });
    expect(refused).toMatchObject({ status: 2 });
    expect(refused.stdout).toMatch(/github-token.* is not available here.*SD1123/);
    for (const { stdout } of [ran, refused]) expect(stdout).not.toContain(secret);
  });

  it('gives no site its own inputs, nor a token of the CI', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    writeFileSync(
      join(temporary.path, 'site.yml'),
      'environment:\n  KEY:\n    from: CI_JOB_TOKEN\n',
    );
    const args = ['env-sync', '--config', 'site.yml', '--env-from', 'MINE=SITE_API_KEY', ...merged];
    const ofStatus = ['--env-from', 'SITE=SITE_REPOSITORY'];
    const env = { ...access(emulator, project), CI_JOB_TOKEN: 'fake-job-token-0123' };
    const ran = await siteDeploy([...args, ...ofStatus], { env, folder: temporary.path });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stdout.match(/^Error: .*/gm)).toEqual([
      expect.stringMatching(/^Error: --env-from: item 1 uses SITE_API_KEY, which no site may have/),
      expect.stringMatching(
        /^Error: --env-from: item 2 uses SITE_REPOSITORY, which no site may have/,
      ),
      expect.stringMatching(/^Error: --config: site.yml line 2 uses CI_JOB_TOKEN, which no/),
    ]);
    expect(emulator.journal.entries).toEqual([]);
  });

  it('reports a merge request as its comment would, without what only runs read in it', async () => {
    await using emulator = await startEmulator({ dialect: { buildMs: 0 } });
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const args = ['deploy', '--preview-domain', 'pr-{number}.preview.example.com'];
    const flags = ['--pull-request', '7', '--branch', 'topic', '--report', 'report.md'];
    const ran = await siteDeploy([...args, ...flags, '--commit-sha', await project.head()], {
      env: access(emulator, project),
      folder: temporary.path,
    });
    expect(ran).toMatchObject({ status: 0 });
    const report = readFileSync(join(temporary.path, 'report.md'), 'utf8');
    expect(report).toMatch(/^### .*Preview of #.?7 is live/);
    expect(report).toContain('https://pr-7.preview.example.com');
    expect(report).not.toContain('<!--');
  });

  it('has words of its own in the log, the report and the outputs', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const args = ['env-sync', '--env', 'A=1', '--mode', 'plan', '--report', 'r.md', '--json'];
    const ran = await siteDeploy([...args, ...merged], {
      env: { ...access(emulator, project), SITE_FAIL_ON_DRIFT: 'true' },
      folder: temporary.path,
    });
    expect(ran).toMatchObject({ status: 1 });
    const report = readFileSync(join(temporary.path, 'r.md'), 'utf8');
    for (const text of [ran.stderr, report, JSON.parse(ran.stdout).error.message]) {
      expect(text).toContain(
        'A is missing on the service. To apply the plan, run with --mode apply.',
      );
    }
  });

  it.each([
    ['GitLab', gitlabMergeRequest, 'merge request !12'],
    ['Buildkite', buildkitePullRequest, 'pull request #12'],
  ])('explains a run on %s without what only GitHub has', async (_, env, words) => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const args = ['deploy', '--mode', 'explain', '--report', 'r.md'];
    const preview = ['--preview-domain', 'pr-{number}.preview.example.com'];
    const flags = ['--base-url', 'https://api.example.com', '--project-id', crypto.randomUUID()];
    const ran = await siteDeploy([...args, ...preview, ...flags], { env, folder: temporary.path });
    expect(ran).toMatchObject({ status: 0 });
    const report = readFileSync(join(temporary.path, 'r.md'), 'utf8');
    expect(ran.stdout.toLowerCase()).toContain(words);
    for (const text of [ran.stdout, report]) {
      expect(text).not.toMatch(/permission|GitHub|\bjob\b|workflow/);
    }
  });

  it('fails if what it was to write is lost, after everything else', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'command-'));
    const args = [
      'projects',
      '--json',
      '--outputs',
      'none/out.env',
      '--report',
      'report.md',
      ...merged,
    ];
    const ran = await siteDeploy(args, { env: access(emulator, project), folder: temporary.path });
    expect(ran).toMatchObject({ status: 1 });
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: 'succeeded' });
    expect(ran.stderr).toContain("site-deploy: --outputs: the file can't be written (ENOENT)");
    expect(readFileSync(join(temporary.path, 'report.md'), 'utf8')).not.toBe('');
  });
});
