// Attack (command): A build counts as started by a person, because a CI gives its jobs a terminal, where a person would
// decide, or starts a container with one (`docker run -t`, the Docker plugin of Buildkite) that has none of its
// variables
// Defense: It needs `TERM`, no variable of a CI, and no container

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { type EmulatedProject, type Emulator, startEmulator } from '../../emulator/index.ts';
import { isInContainer } from '../../src/cli/container.ts';
import { prompt } from '../../src/cli/prompt.ts';
import { hasTerminals, onTerminal } from './on-terminal.ts';
import { screen } from './screen.ts';
import { bundled, siteDeploy, siteDeployProcess } from './site-deploy.ts';

/** The variables that every command needs. */
const access = (emulator: Emulator, project: EmulatedProject) => ({
  PATH: process.env['PATH'] ?? '',
  SITE_API_KEY: emulator.key,
  SITE_BASE_URL: emulator.url,
  SITE_PROJECT_ID: project.id,
});

const question = 'Apply this plan? [y/N]';

/** For a command without a terminal, or in a container. */
const merged = ['--pull-request', 'none'];

describe.skipIf(!hasTerminals).concurrent('on a terminal (of util-linux)', () => {
  it.each([
    ['applied after a yes', 'y\n', 0, ['A']],
    ['not applied after Ctrl-C', '\u0003', 130, []],
    ['not applied after the end of the input', '\u0004', 130, []],
  ])('a plan is shown, and %s', async (_, typed, status, written) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const command = `${process.execPath} ${await bundled()} env-sync --env A=1 ${merged.join(' ')}`;
    const ran = await onTerminal(command, access(emulator, project), [{ to: question, typed }]);
    expect(ran.output).toContain('\u001b[32m+ to create   A');
    expect(ran.status, ran.output).toBe(status);
    expect(project.variables.map(({ name }) => name)).toEqual(written);
  });

  it('a key is typed, and then the answer to a question', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const { SITE_API_KEY: key, ...env } = access(emulator, project);
    const command = `${process.execPath} ${await bundled()} env-sync --env A=1 --api-key-file - ${merged.join(' ')}`;
    const answers = [{ to: question, typed: 'y\n' }];
    const ran = await onTerminal(command, env, answers, `${key}\n\u0004`);
    expect(ran.status, ran.output).toBe(0);
    expect(project.variables.map(({ name }) => name)).toEqual(['A']);
  });
});

it.skipIf(!hasTerminals || !isInContainer())(
  'the terminal of a container is none of a person (of util-linux, in Docker or Podman)',
  async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const command = `${process.execPath} ${await bundled()} deploy`;
    const ran = await onTerminal(command, access(emulator, project), []);
    expect(ran.status).toBe(2);
    expect(ran.output).toContain("It isn't clear whether this build is of a pull request.");
  },
);

describe('what a person may want to read stays on the screen', () => {
  it.each([
    ['the answer of the AI', ['message', '--content', 'Hello'], /^ {2}│ I read the request\./],
    ['the list of projects', ['projects'], /^[0-9a-f-]{36} {2}project-/],
  ])('%s', async (_, args, shown) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const ran = await siteDeploy(args, {
      env: access(emulator, project),
      atTerminal: { sees: question, types: () => '' },
    });
    expect(ran).toMatchObject({ status: 0 });
    expect(screen(ran.stdout)).toContainEqual(expect.stringMatching(shown));
    expect(screen(ran.stdout).at(-1)).toBe('');
  });

  it("the build's log, before the error", async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    project.failsNextBuild = true;
    const ran = await siteDeploy(['deploy', '--commit-sha', await project.head()], {
      env: access(emulator, project),
      atTerminal: { sees: question, types: () => '' },
    });
    expect(ran).toMatchObject({ status: 1 });
    const lines = screen(ran.stdout).join('\n');
    expect(lines).toMatch(/ {2}│ error: this build fails on request[\s\S]*\nError: .*\n$/);
  });
});

describe('a person who sees a plan', () => {
  it('is not taken at another word than yes', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    using folder = mkdtempDisposableSync(join(tmpdir(), 'site-declined-'));
    const outputs = join(folder.path, 'outputs.env');
    const ran = await siteDeploy(['env-sync', '--env', 'A=1', '--outputs', outputs], {
      env: access(emulator, project),
      atTerminal: { sees: question, types: () => 'maybe\n' },
    });
    expect(ran.status, ran.stdout).toBe(130);
    expect(readFileSync(outputs, 'utf8')).toContain('SITE_OUT_OUTCOME=cancelled\n');
    expect(project.variables).toEqual([]);
  });

  it('agrees to nothing that changed after it was shown', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    project.setVariable({ name: 'B', value: 'old', kind: 'plain', production: true });
    const types = () => {
      project.setVariable({ name: 'A', value: 'of somebody else', kind: 'plain' });
      return 'y\n';
    };
    const ran = await siteDeploy(['env-sync', '--env', 'A=1', '--env', 'B=2'], {
      env: access(emulator, project),
      atTerminal: { sees: question, types },
    });
    expect(ran.status, ran.stdout).toBe(3);
    const values = project.variables.map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(values)).toEqual({ A: 'of somebody else', B: 'old' });
  });

  it.each([
    ['with --yes', ['--yes'], {}],
    ['at the terminal of a CI', ['--pull-request', 'none'], { CI: 'true' }],
  ])('is not asked %s', async (_, flags, more) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const ran = await siteDeploy(['env-sync', '--env', 'A=1', ...flags], {
      env: { ...access(emulator, project), ...more },
      atTerminal: { sees: question, types: () => 'n\n' },
    });
    expect(ran).toMatchObject({ status: 0 });
    expect(ran.stdout).not.toContain(question);
    expect(project.variables).toHaveLength(1);
  });
});

it('a signal at the question is a no', async () => {
  const controller = new AbortController();
  const person = { input: new PassThrough(), output: new PassThrough() };
  person.output.on('data', () => controller.abort());
  expect(await prompt(person, 'Apply this plan?', controller.signal)).toBe(false);
});

it.skipIf(process.platform === 'win32').each([
  ['without TERM', { env: { TERM: '' } }],
  // `docker run -t` sets TERM, and passes no variable of the CI.
  ['in a container', { isInContainer: true }],
])(
  'is no terminal of a person %s, as some CIs have them',
  async (_, options: { env?: object; isInContainer?: boolean }) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const ran = await siteDeploy(['deploy', '--commit-sha', await project.head()], {
      ...options,
      env: { ...access(emulator, project), ...options.env },
      atTerminal: { sees: question, types: () => 'n\n' },
    });
    expect(ran).toMatchObject({ status: 2 });
    expect(ran.stderr).toContain("It isn't clear whether this build is of a pull request.");
    expect(emulator.journal.entries).toEqual([]);
  },
);

it.skipIf(process.platform === 'win32')(
  'a signal ends a run as a cancellation does, and everything is said of it (where there are signals)',
  async () => {
    await using emulator = await startEmulator({ dialect: { buildMs: 600_000 } });
    const project = await emulator.world.createProject();
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'terminal-'));
    const folder = join(temporary.path, 'clone');
    await git(['clone', '--quiet', project.gitUrl, folder]);
    const child = spawn(process.execPath, [await bundled(), 'deploy', '--json', ...merged], {
      env: access(emulator, project),
      cwd: folder,
    });
    let stdout = '';
    let stderr = '';
    let isCanceled = false;
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
      if (!isCanceled && stderr.includes('queued')) isCanceled = child.kill('SIGINT');
    });
    const [status] = await once(child, 'close');
    expect(status).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'cancelled',
      'deployment-id': project.deployments[0]?.id,
    });
    expect(stderr).toMatch(
      /Canceled\. Deployment .* may still go live; check the service\. \(SD9002\)/,
    );
  },
);

describe('the command, whose output nobody reads', () => {
  it('goes on', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const args = ['deploy', '--commit-sha', await project.head(), ...merged];
    const ran = await siteDeployProcess(args, { env: access(emulator, project), isUnread: true });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(project.deployments.map(({ status }) => status)).toEqual(['succeeded']);
  });

  it('fails if they are its outputs', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const env = access(emulator, project);
    const ran = await siteDeployProcess(['projects', '--json', ...merged], { env, isUnread: true });
    expect(ran).toMatchObject({ status: 1 });
    expect(ran.stderr).toContain("site-deploy: --json: the result can't be written (EPIPE)");
  });
});
