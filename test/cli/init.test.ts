// Attack (command): A link in the repository leads a file that `init` writes, or the example file that it reads, out of
// it
// Defense: Both are refused, and nothing is written
// Attack (command): A key or a token is in a command that `init` prints, or in a variable of GitHub that is not secret
// Defense: `gh` reads secrets from standard input. A `git-url` with a password is refused, and the credentials of the
// clone's URL are left out

import { mkdtempDisposableSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { type DialectOptions, type EmulatedProject, startEmulator } from '../../emulator/index.ts';
import { commandsIn, readSetCommands } from './init-run.ts';
import { hasTerminals, onTerminal } from './on-terminal.ts';
import { bundled, siteDeploy, siteDeployProcess } from './site-deploy.ts';

/** A service with two projects, and a folder with a new git repository. */
async function openSetting(
  files: Readonly<Record<string, string>> = {},
  dialect: DialectOptions = {},
) {
  const opening = new AsyncDisposableStack();
  const emulator = opening.use(await startEmulator({ dialect }));
  const live = await emulator.world.createProject('shop');
  const preview = await emulator.world.createProject('shop previews');
  const temporary = opening.use(mkdtempDisposableSync(join(tmpdir(), 'init-')));
  const folder = join(temporary.path, 'site');
  await git(['init', '--quiet', '--initial-branch=main', folder]);
  await write(folder, files);
  const flags = [
    ...['init', '--into', folder, '--base-url', emulator.url, '--project-id', live.id],
    ...['--git-url', `${emulator.url}/git/{projectId}.git`],
  ];
  const env = { SITE_API_KEY: emulator.key, SITE_GIT_TOKEN: emulator.gitToken };
  return {
    ...{ emulator, live, preview, outside: temporary.path, folder, env, flags },
    run: (...more: string[]) => siteDeploy([...flags, ...more], { env }),
    [Symbol.asyncDispose]: () => opening.disposeAsync(),
  };
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** The texts of all files but git's, by their paths. */
async function filesIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.flatMap((entry) => {
    const path = relative(folder, join(entry.parentPath, entry.name));
    return entry.isFile() && !path.startsWith('.git/') ? [path] : [];
  });
  const texts = paths
    .toSorted()
    .map(async (path) => [path, await readFile(join(folder, path), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}

const written = [
  'site.yml',
  'workflows/deploy.yml',
  'workflows/drift.yml',
  'workflows/sync.yml',
].map((file) => `.github/${file}`);

const ownWorkflow = `# Ours: do not touch
on: push
x-steps: &steps
  - run: echo "kept" # with a comment
jobs:
  a: { runs-on: ubuntu-latest, steps: *steps }
  b:
    runs-on: ubuntu-latest
    steps: *steps
`;

const ownSiteFile = `# Ours: do not touch
environment:
  OWN_KEY: {} # rotated in spring
`;

describe('init keeps what is in repositories of other shapes', () => {
  it.each<[shape: string, files: Record<string, string>, flags: string[]]>([
    ['without .github', { 'index.html': '<h1>Mine</h1>' }, []],
    ['with workflows of its own', { '.github/workflows/test.yml': ownWorkflow, 'a.txt': 'a' }, []],
    ['with other files in .github', { '.github/CODEOWNERS': '* @octo\r\n' }, []],
    [
      'a monorepo',
      { 'apps/web/.env.example': 'WEB_KEY=fake-web\n', 'apps/web/.github/x.yml': 'a: 1' },
      ['--env-example', 'apps/web/.env.example'],
    ],
    ['with CRLF', { '.env.sample': 'STRIPE_KEY=fake-a\r\nMAIL_KEY=fake-b\r\n' }, []],
  ])('%s', async (_, files, flags) => {
    await using setting = await openSetting(files);
    expect(await setting.run('--yes', ...flags)).toMatchObject({ status: 0, stderr: '' });
    const after = await filesIn(setting.folder);
    expect(after).toMatchObject(files);
    expect(Object.keys(after).toSorted()).toEqual([...Object.keys(files), ...written].toSorted());
  });

  it.each([
    ['a site file with comments', '.github/site.yml', ownSiteFile],
    ['a deploy workflow with anchors', '.github/workflows/deploy.yml', ownWorkflow],
    ['one with CRLF', '.github/workflows/deploy.yml', ownWorkflow.replaceAll('\n', '\r\n')],
  ])('%s is replaced only if that is asked for', async (_, path, text) => {
    await using setting = await openSetting({ [path]: text });
    const kept = await setting.run('--yes');
    expect(kept).toMatchObject({ status: 0, stderr: '' });
    expect(kept.stdout).toContain(`! ${path} exists and is kept as it is; --overwrite replaces it`);
    const files = await filesIn(setting.folder);
    expect(files[path]).toBe(text);
    expect(Object.keys(files)).toEqual(written);

    const shown = await setting.run('--dry-run', '--overwrite');
    expect(shown).toMatchObject({ status: 0 });
    expect(shown.stdout).toContain('\n- # Ours: do not touch\n');
    const asked = await siteDeploy([...setting.flags, '--overwrite'], {
      env: setting.env,
      atTerminal: [
        { sees: 'no previews): ', types: () => '\n' },
        { sees: 'Write this file? [y/N]', types: () => 'n\n' },
      ],
    });
    expect(asked).toMatchObject({ status: 130 });
    expect(await filesIn(setting.folder)).toEqual(files);

    expect(await setting.run('--yes', '--overwrite')).toMatchObject({ status: 0 });
    const after = (await filesIn(setting.folder))[path] ?? '';
    expect(after).not.toContain('Ours');
    expect(after.match(/\r/g)?.length ?? 0).toBe(
      text.includes('\r') ? after.split('\n').length - 1 : 0,
    );
  });

  it('one that was set up before: nothing is to be written, and the commands are the same', async () => {
    await using setting = await openSetting({ '.env.example': 'A_KEY=1\n' });
    const first = await setting.run('--yes');
    const path = join(setting.folder, '.github/site.yml');
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll('\n', '\r\n'));
    const again = await setting.run();
    expect(again).toMatchObject({ status: 0, stderr: '' });
    expect(commandsIn(again.stdout)).toEqual(commandsIn(first.stdout));
    expect(again.stdout).not.toContain('+ ');
    expect(again.stdout).toContain('There is no file to write.\n');
  });

  it('one with a new name in the example file: the command that adds it is shown', async () => {
    await using setting = await openSetting({ '.env.example': 'A_KEY=1\n' });
    await setting.run('--yes');
    await write(setting.folder, {
      '.env.example': 'A_KEY=1\nB_KEY=2\nNODE_OPTIONS=\nfake value\n',
    });
    const { stdout } = await setting.run('--yes');
    expect(stdout).toContain('\n  To add B_KEY: site-deploy add-variable B_KEY\n');
    expect(stdout).not.toContain('add-variable A_KEY');
    expect(stdout).toContain(
      'or is of the runner, Node, git or this command: NODE_OPTIONS, line 4\n',
    );
    expect(stdout).toContain('no one can read the old values back: A_KEY, B_KEY\n');
  });

  it('a worktree', async () => {
    await using setting = await openSetting();
    const commit = ['-c', 'user.name=A', '-c', 'user.email=a@b.invalid', 'commit'];
    await git(['-C', setting.folder, ...commit, '--quiet', '--allow-empty', '--message', 'First']);
    const other = join(setting.outside, 'topic');
    await git(['-C', setting.folder, 'worktree', 'add', '--quiet', '-b', 'topic', other]);
    const args = setting.flags.map((one) => (one === setting.folder ? other : one));
    const ran = await siteDeploy([...args, '--yes'], { env: setting.env });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(await readFile(join(other, '.github/workflows/deploy.yml'), 'utf8')).toContain(
      "branches: ['topic']",
    );
  });

  it('another default branch, and an address with a token', async () => {
    await using setting = await openSetting();
    const remote = 'https://octo:fake-clone-token@github.example.com/octo-org/my-site.git';
    await git(['-C', setting.folder, 'remote', 'add', 'origin', remote]);
    const ref = ['refs/remotes/origin/HEAD', 'refs/remotes/origin/2.x'];
    await git(['-C', setting.folder, 'symbolic-ref', ...ref]);
    const ran = await setting.run('--yes');
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stdout).not.toContain('remote add');
    expect(ran.stdout).not.toContain('fake-clone-token');
    const files = await filesIn(setting.folder);
    expect(files['.github/workflows/deploy.yml']).toContain("    branches: ['2.x']\n");
    const all = Object.values(files).join('\n');
    expect(all.match(/github\.ref == 'refs\/heads\/2\.x'/g)).toHaveLength(3);
    expect(all).not.toMatch(/\bmain\b/);
  });
});

describe('init writes nothing', () => {
  it.skipIf(process.platform === 'win32').each([
    ['.github', ''],
    ['.github/workflows', '.github'],
  ])('through a link in the repository: %s', async (link, parent) => {
    await using setting = await openSetting();
    const target = join(setting.outside, 'elsewhere');
    await mkdir(target);
    await mkdir(join(setting.folder, parent), { recursive: true });
    await symlink(target, join(setting.folder, link));
    const ran = await setting.run('--yes', '--overwrite');
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toContain('is or contains a link, which is not followed');
    expect(await readdir(target)).toEqual([]);
    expect(await filesIn(setting.folder)).toEqual({});
  });

  it.skipIf(process.platform === 'win32')('of a file outside that a link names', async () => {
    await using setting = await openSetting();
    await write(setting.outside, { '.env': 'SECRET_OF_OTHERS=fake-value\n' });
    await symlink(join(setting.outside, '.env'), join(setting.folder, '.env.example'));
    const ran = await setting.run('--yes');
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toContain('--env-example: .env.example is outside');
    expect(ran.stderr).not.toContain('SECRET_OF_OTHERS');
  });

  it.each<[why: string, into: string, message: RegExp]>([
    ['outside a repository', '..', /is not the top of a git repository/],
    [
      'below the top of one',
      'apps/web',
      /is not the top of a git repository, where GitHub reads workflows/,
    ],
  ])('%s', async (_, into, message) => {
    await using setting = await openSetting({ 'apps/web/index.html': '' });
    const path = join(setting.folder, into);
    const flags = setting.flags.map((one) => (one === setting.folder ? path : one));
    const ran = await siteDeploy([...flags, '--yes'], { env: setting.env });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toMatch(message);
    expect(setting.emulator.journal.entries).toEqual([]);
  });

  it.each<[flags: string[], message: string]>([
    [['--env-example', 'none'], '--env-example: none does not exist'],
    [
      ['--preview-domain', 'pr-{number}.example.com'],
      '--preview-projects is empty: set it, or SITE_PREVIEW_PROJECTS. (SD1101)',
    ],
    [
      ['--preview-domain', 'preview.example.com', '--preview-projects', crypto.randomUUID()],
      'must contain {number}',
    ],
    [
      ['--preview-domain', 'pr-{number}', '--preview-projects', crypto.randomUUID()],
      'does not give a valid hostname',
    ],
    [
      ['--preview-domain', 'pr-{number}.example.com', '--preview-projects', ' , '],
      '--preview-projects is empty: set it, or SITE_PREVIEW_PROJECTS. (SD1101)',
    ],
  ])('with %j, and sends nothing', async (flags, message) => {
    await using setting = await openSetting();
    const ran = await setting.run('--yes', ...flags);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain(message);
    expect(setting.emulator.journal.entries).toEqual([]);
    expect(await filesIn(setting.folder)).toEqual({});
  });

  it('for a branch that a shell would read as something else', async () => {
    await using setting = await openSetting();
    await git(['-C', setting.folder, 'symbolic-ref', 'HEAD', "refs/heads/x'"]);
    const ran = await setting.run('--yes');
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain("the branch x' has other characters than letters");
  });

  it('for settings that are missing where nobody is asked', async () => {
    await using setting = await openSetting();
    const ran = await siteDeploy(['init', '--into', setting.folder, '--yes']);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('SITE_API_KEY is empty: set it, or --api-key-file FILE. (SD1001)'),
      expect.stringContaining('--base-url is empty: set it, or SITE_BASE_URL. (SD1001)'),
      expect.stringContaining('--project-id is empty: set it, or SITE_PROJECT_ID. (SD1001)'),
      expect.stringContaining('--git-url is empty: set it, or SITE_GIT_URL. (SD1001)'),
    ]);
  });

  it('with a git address that has a password, which it does not show', async () => {
    await using setting = await openSetting();
    const flags = setting.flags.map((one) =>
      one.includes('{projectId}') ? one.replace('://', '://me:fake-password@') : one,
    );
    const ran = await siteDeploy([...flags, '--yes'], { env: setting.env });
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain('put it into SITE_GIT_TOKEN');
    expect(ran.stderr).not.toContain('fake-password');
  });

  it.each<
    [wrong: string, env: object, flags: (live: EmulatedProject) => string[], message: string]
  >([
    [
      'key',
      { SITE_API_KEY: 'fake-wrong-key' },
      () => [],
      'Check SITE_API_KEY: the service rejected it. (SD3401)',
    ],
    ['token', { SITE_GIT_TOKEN: 'fake-wrong-token' }, () => [], 'rejected SITE_GIT_TOKEN'],
    [
      'project of previews',
      {},
      () => [
        '--preview-domain',
        'pr-{number}.example.com',
        '--preview-projects',
        crypto.randomUUID(),
      ],
      '(SD3404)',
    ],
    [
      'choice of projects',
      {},
      ({ id }) => ['--preview-domain', 'pr-{number}.example.com', '--preview-projects', id],
      'contains the live project, which pull requests would overwrite. Remove its id. (SD1102)',
    ],
  ])('with a wrong %s', async (_, env, flags, message) => {
    await using setting = await openSetting();
    const given = { ...setting.env, ...env };
    const args = [...setting.flags, '--yes', ...flags(setting.live)];
    const ran = await siteDeploy(args, { env: given });
    expect([1, 2]).toContain(ran.status);
    expect(ran.stderr).toContain(message);
    expect(`${ran.stdout}${ran.stderr}`).not.toMatch(/fake-wrong/);
    expect(await filesIn(setting.folder)).toEqual({});
  });
});

test('a key at the wrong place is not shown', async () => {
  await using setting = await openSetting();
  const { key } = setting.emulator;
  const flags = setting.flags.map((one) => (one === setting.live.id ? key : one));
  const ran = await siteDeploy([...flags, '--yes'], { env: setting.env });
  expect(ran).toMatchObject({ status: 2, stdout: '' });
  expect(ran.stderr).toContain('--project-id: "***" must be a UUID');
});

test('what cannot be checked is named', async () => {
  await using setting = await openSetting();
  const env = { SITE_API_KEY: setting.emulator.key };
  const ran = await siteDeploy([...setting.flags, '--yes'], { env });
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stdout).toMatch(/^! not checked: .*\.git, because SITE_GIT_TOKEN is not set\. /m);
  expect(ran.stdout).toMatch(/^! not checked: whether the key and the token can write$/m);
  expect(setting.emulator.journal.of('git')).toEqual([]);
});

test('the commands that are printed can be pasted, whatever the addresses contain', async () => {
  await using setting = await openSetting();
  const { emulator, live, preview } = setting;
  const gitUrl = `${emulator.url}/it's-$(id)/{projectId}.git`;
  const flags = setting.flags.map((one) => (one.includes('{projectId}') ? gitUrl : one));
  const previews = ['--preview-projects', preview.id, '--preview-domain', 'PR-{number}.a.example'];
  // Without the token, that address is not requested.
  const env = { SITE_API_KEY: emulator.key };
  const ran = await siteDeploy([...flags, '--yes', ...previews], { env });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  const { secrets, vars } = await readSetCommands(commandsIn(ran.stdout));
  expect(secrets).toEqual(['SITE_API_KEY', 'SITE_GIT_TOKEN']);
  expect(vars).toEqual({
    SITE_BASE_URL: emulator.url,
    SITE_PROJECT_ID: live.id,
    SITE_GIT_URL: gitUrl,
    SITE_PREVIEW_PROJECTS: preview.id,
    SITE_PREVIEW_DOMAIN: 'PR-{number}.a.example',
  });
});

test('the package has the starter in it, as it is', async () => {
  await using setting = await openSetting({ '.env.example': 'A_KEY=1\n' });
  const args = [...setting.flags, '--dry-run'];
  const fromSource = await setting.run('--dry-run');
  const ran = await siteDeployProcess(args, { env: setting.env, folder: setting.outside });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  expect(ran.stdout).toBe(fromSource.stdout);
  expect(ran.stdout).toContain('uses: OWNER/site-deploy-action@v1');
  expect(ran.stdout).toContain(
    '\n! replace OWNER in each uses: with the account that has the action\n',
  );
});

/** What a person types at the questions of `init`. */
const answersFor = ({ emulator, live, preview }: Awaited<ReturnType<typeof openSetting>>) => [
  { to: 'API key (not shown): ', typed: 'fake-wrong-key\n' },
  { to: 'API address, without /v1: ', typed: 'not an address\n' },
  { to: 'API address, without /v1: ', typed: `${emulator.url}\n` },
  { to: 'API key (not shown): ', typed: `${emulator.key}\n` },
  { to: 'API address, without /v1: ', typed: `${emulator.url}\n` },
  { to: 'live project: ', typed: 'shop\n' },
  { to: 'live project: ', typed: `${live.id}\n` },
  { to: 'no previews): ', typed: `${live.id}\n` },
  { to: 'no previews): ', typed: `${preview.id}\n` },
  { to: 'pr-{number}.preview.example.com: ', typed: '\n' },
  { to: 'pr-{number}.preview.example.com: ', typed: 'preview.example.com\n' },
  { to: 'pr-{number}.preview.example.com: ', typed: 'pr-{number}.example.com\n' },
  { to: '{projectId}.git: ', typed: `${emulator.url}/git/site.git\n` },
  { to: '{projectId}.git: ', typed: `${emulator.url}/git/{projectId}.git\n` },
];

describe.skipIf(!hasTerminals).concurrent('on a terminal (of util-linux)', () => {
  it('asks for everything, again after a wrong answer, and never shows the key', async () => {
    await using setting = await openSetting({ '.env.dist': 'STRIPE_KEY=fake-a\n' });
    const { emulator, live, preview, folder } = setting;
    const command = `${process.execPath} ${await bundled()} init --into ${folder}`;
    const answers = [...answersFor(setting), { to: 'Write these 5 files? [y/N] ', typed: 'y\n' }];
    const ran = await onTerminal(command, { PATH: process.env['PATH'] ?? '' }, answers);
    expect(ran.status, ran.output).toBe(0);
    for (const fault of [
      'Check SITE_API_KEY: the service rejected it. (SD3401)',
      'must be a URL such as https://api.example.com',
      'must be a UUID, not a name: copy it from the list\r\n',
      'Projects of this API key:\r\n',
      'contains the live project, which pull requests would overwrite. Remove its id',
      '  is required but empty\r\n',
      'must contain {number}',
      'needs {projectId} in its host or path',
    ]) {
      expect(ran.output).toContain(fault);
    }
    for (const key of ['fake-wrong-key', emulator.key]) expect(ran.output).not.toContain(key);
    for (const { id } of [live, preview]) expect(ran.output).toContain(`${id}  shop`);
    // Once with each key.
    expect(emulator.journal.of('listProjects')).toHaveLength(2);
    const { vars } = await readSetCommands(commandsIn(ran.output.replaceAll('\r', '')));
    expect(vars).toMatchObject({ SITE_PROJECT_ID: live.id, SITE_PREVIEW_PROJECTS: preview.id });
    expect(Object.keys(await filesIn(folder))).toHaveLength(6);
  });

  it.each([
    ['at a question', 4],
    ['at the key, which is not shown', 3],
  ])('Ctrl-C %s ends it, and nothing is written', async (_, count) => {
    await using setting = await openSetting();
    const { folder } = setting;
    const command = `${process.execPath} ${await bundled()} init --into ${folder}`;
    const answers = answersFor(setting).slice(0, count + 1);
    answers.splice(count, 1, { to: answers[count]?.to ?? '', typed: '\u0003' });
    const ran = await onTerminal(command, { PATH: process.env['PATH'] ?? '' }, answers);
    expect(ran.status, ran.output).toBe(130);
    expect(ran.output).toContain('Canceled. Nothing was written. (SD9002)');
    expect(await lstat(join(folder, '.github')).catch(() => undefined)).toBeUndefined();
  });

  it('asks for a flag again that is wrong, also if only the answers show it', async () => {
    await using setting = await openSetting();
    const { emulator, live, preview, folder } = setting;
    const gitUrl = `${emulator.url}/git/site.git`;
    const flags = ['--base-url', emulator.url, '--project-id', live.id, '--git-url', gitUrl];
    const ran = await siteDeploy(['init', '--into', folder, '--yes', ...flags], {
      env: setting.env,
      atTerminal: [
        { sees: 'no previews): ', types: () => `${preview.id}\n` },
        { sees: 'example.com: ', types: () => 'pr-{number}.example.com\n' },
        { sees: '{projectId}.git: ', types: () => `${emulator.url}/git/{projectId}.git\n` },
      ],
    });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.stdout).toMatch(/ {2}needs \{projectId\} /);
  });

  it('a no to the files is the end', async () => {
    await using setting = await openSetting();
    const ran = await siteDeploy(setting.flags, {
      env: setting.env,
      atTerminal: [
        { sees: 'no previews): ', types: () => '\n' },
        { sees: 'files? [y/N]', types: () => 'maybe\n' },
      ],
    });
    const stderr = 'site-deploy: Canceled. Nothing was written. (SD9002)\n';
    expect(ran).toMatchObject({ status: 130, stderr });
    expect(ran.stdout).toMatch(/^\.github\/workflows\/deploy\.yml \(new\)$/m);
    expect(ran.stdout).not.toContain('uses: OWNER');
    expect(await filesIn(setting.folder)).toEqual({});
  });
});

test('the name of a project is no command of an agent, and shows no key', async () => {
  await using setting = await openSetting();
  const { key, url, world } = setting.emulator;
  const { id } = await world.createProject(`##vso[task.x]${key}`);
  const ran = await siteDeploy(['init', '--into', setting.folder, '--yes', '--base-url', url], {
    env: setting.env,
    atTerminal: [
      { sees: 'live project: ', types: () => `${id}\n` },
      { sees: 'no previews): ', types: () => '\n' },
      { sees: '{projectId}.git: ', types: () => `${url}/git/{projectId}.git\n` },
    ],
  });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  expect(ran.stdout).toContain(`${id}  ## vso[task.x]***`);
  expect(ran.stdout).toContain(`\n  cd ${setting.folder}\n  git remote add origin `);
});

test('a variable of the command projects changes nothing in the list', async () => {
  await using setting = await openSetting();
  const { emulator, live, preview, flags } = setting;
  const others = flags.filter((one) => one !== '--project-id' && one !== live.id);
  const ran = await siteDeploy([...others, '--dry-run'], {
    env: { ...setting.env, SITE_CREATE: 'true' },
    atTerminal: [
      { sees: 'live project: ', types: () => `${live.id}\n` },
      { sees: 'no previews): ', types: () => '\n' },
    ],
  });
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  for (const { id } of [live, preview]) expect(ran.stdout).toContain(`${id}  shop`);
  expect(emulator.journal.of('createProject')).toEqual([]);
});

test('where the key may not list projects, the flag that needs no list is named', async () => {
  await using setting = await openSetting({}, { refuse: ['listProjects'] });
  const { emulator, folder } = setting;
  const ran = await siteDeploy(['init', '--into', folder, '--base-url', emulator.url], {
    env: setting.env,
    atTerminal: { sees: 'API key (not shown): ', types: () => '\u0003' },
  });
  expect(ran).toMatchObject({ status: 130 });
  expect(ran.stdout).toContain(
    'For a key that may not list projects, run this with --project-id ID.',
  );
  expect(await setting.run('--yes')).toMatchObject({ status: 0, stderr: '' });
});
