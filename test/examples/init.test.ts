import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { gitEnvironment } from '../../emulator/git/git.ts';
import type { PlayValues } from '../../scripts/player/local-values.ts';
import type { LocalWorld } from '../../scripts/player/world.ts';
import { commandsIn, readSetCommands } from '../cli/init-run.ts';
import { siteDeploy } from '../cli/site-deploy.ts';
import { type Checkout, repository } from '../git/support.ts';
import { hostname, type StarterRun, startStarter } from './starter-world.ts';

const example = `# Where to pay
STRIPE_KEY=sk_test_fakeExampleValue
export DATABASE_URL="postgres://fake-user:fake-password@db.example/site" # of your machine
`;

/** What is in no output and no file. */
const valuesOfExample = ['sk_test_fakeExampleValue', 'fake-password', 'db.example'];

/** Runs `init` with flags in a new repository. Its output is the only source of what is set on GitHub, and pushed. */
async function initialize(
  { emulator, project, projects }: LocalWorld,
  { folder }: Checkout,
  flags: readonly string[],
) {
  const preview = projects.get('preview')?.id ?? '';
  const ran = await siteDeploy(
    [
      ...['init', '--into', folder, '--yes', '--base-url', emulator.url],
      ...['--project-id', project.id, '--git-url', `${emulator.url}/git/{projectId}.git`],
      ...(flags.includes('--no-previews')
        ? []
        : ['--preview-projects', preview, '--preview-domain', 'pr-{number}.preview.localhost']),
    ],
    { env: { SITE_API_KEY: emulator.key, SITE_GIT_TOKEN: emulator.gitToken } },
  );
  expect(ran).toMatchObject({ status: 0, stderr: '' });
  const { secrets: names, vars } = await readSetCommands(commandsIn(ran.stdout));
  const known: Record<string, string> = {
    SITE_API_KEY: emulator.key,
    SITE_GIT_TOKEN: emulator.gitToken,
  };
  const secrets = Object.fromEntries(
    names.map((name) => [name, known[name] ?? `fake-${name.toLowerCase()}`]),
  );
  const given: PlayValues = { secrets, vars: { ...vars, SITE_SERVICE: '' } };
  return { stdout: ran.stdout, given };
}

const logOf = (runs: readonly StarterRun[]) => runs.map(({ log }) => log).join('\n');

test('an empty repository: init, a push that is deployed, a pull request with a preview, a drift report', async () => {
  let stdout = '';
  await using world = await startStarter(async (local, dev) => {
    await writeFile(join(dev.folder, '.env.example'), example);
    const initialized = await initialize(local, dev, []);
    stdout = initialized.stdout;
    return initialized.given;
  });
  const { emulator, github, project, preview, dev } = world;
  expect(Object.keys(world.secrets)).toEqual([
    'SITE_API_KEY',
    'SITE_GIT_TOKEN',
    'STRIPE_KEY',
    'DATABASE_URL',
    'PREVIEW_STRIPE_KEY',
    'PREVIEW_DATABASE_URL',
  ]);

  // The last commands that it prints.
  const [add, commit, push, ...more] = commandsIn(stdout).filter((line) => line.startsWith('git '));
  expect(more).toEqual([]);
  expect(stdout).toContain(`\n  cd ${dev.folder}\n`);
  expect(stdout.trimEnd().endsWith(push ?? '-')).toBe(true);
  const person = ['user.name Ada', 'user.email ada@example.invalid'];
  for (const setting of person) await dev.git('config', ...setting.split(' '));
  const sh = async (line = '') => {
    await promisify(execFile)('sh', ['-c', line], { cwd: dev.folder, env: gitEnvironment() });
  };
  await sh(add);
  await sh(commit);
  const first = await world.after(() => sh(push));
  expect(first, logOf(first)).toMatchObject([{ file: 'deploy.yml', conclusion: 'success' }]);
  expect(await project.head()).toBe(await dev.head());
  const valuesOf = ({ variables }: typeof project) =>
    Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  expect(valuesOf(project)).toEqual({
    STRIPE_KEY: 'fake-stripe_key',
    DATABASE_URL: 'fake-database_url',
  });

  expect(await world.push('topic', { 'index.html': '<h1>Idea</h1>' })).toEqual([]);
  const opened = await world.openPull('topic');
  expect(opened, logOf(opened)).toMatchObject([{ file: 'preview.yml', conclusion: 'success' }]);
  expect(await world.readPreview()).toContain('Idea');
  expect(github.comments(repository, 1)[0]?.body).toContain(`https://${hostname}`);
  expect(valuesOf(preview)).toEqual({
    STRIPE_KEY: 'fake-preview_stripe_key',
    DATABASE_URL: 'fake-preview_database_url',
  });

  expect(await world.schedule('drift.yml')).toMatchObject([{ conclusion: 'success', writes: 0 }]);
  project.setVariable({ name: 'STRIPE_KEY', value: 'fake-by-hand' });
  const report = await world.schedule('drift.yml');
  expect(report).toMatchObject([{ conclusion: 'failure', writes: 0 }]);
  expect(logOf(report)).toMatch(/STRIPE_KEY: changed outside this action/);
  expect(await world.dispatch('sync.yml')).toMatchObject([{ conclusion: 'success', writes: 1 }]);

  const files = await dev.git('grep', '--no-index', '--', '', '.github');
  for (const value of [...valuesOfExample, emulator.key, emulator.gitToken, github.token]) {
    expect(`${stdout}${files}`).not.toContain(value);
  }
  expect(world.mistakes).toEqual([]);
});

test('a repository without variables and previews: a push is deployed, and the drift report passes', async () => {
  await using world = await startStarter(
    async (local, dev) => (await initialize(local, dev, ['--no-previews'])).given,
  );
  const first = await world.push('main', {});
  expect(first, logOf(first)).toMatchObject([{ file: 'deploy.yml', conclusion: 'success' }]);
  for (const runs of [await world.schedule('drift.yml'), await world.dispatch('sync.yml')]) {
    expect(runs, logOf(runs)).toMatchObject([{ conclusion: 'success', writes: 0 }]);
  }
  expect(await world.dev.git('ls-files', '.github')).not.toContain('preview');
  expect(world.mistakes).toEqual([]);
});

test('a variable that is added after init is in the files as if init had found it', async () => {
  const files = async (hasName: boolean) => {
    let text = '';
    await using _ = await startStarter(async (local, dev) => {
      if (hasName) await writeFile(join(dev.folder, '.env.example'), 'A_KEY=1');
      const { given } = await initialize(local, dev, []);
      if (!hasName) {
        const args = ['add-variable', 'A_KEY', '--into', dev.folder, '--yes'];
        expect(await siteDeploy(args)).toMatchObject({ status: 0, stderr: '' });
      }
      text = await dev.git('grep', '--no-index', '--', '^ *[^# ]', '.github');
      return given;
    });
    return text;
  };
  expect(await files(false)).toBe(await files(true));
});
