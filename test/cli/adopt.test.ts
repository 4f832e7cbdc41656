import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { git } from '../git/support.ts';
import { siteDeploy } from './site-deploy.ts';

/** A new project, and a repository of another history with one commit. */
async function startNewProject() {
  const emulator = await startEmulator();
  const project = await emulator.world.createProject();
  const temporary = mkdtempDisposableSync(join(tmpdir(), 'adopt-'));
  const folder = temporary.path;
  await git(folder, ['init', '--quiet', '--initial-branch', 'main']);
  await git(folder, ['commit', '--quiet', '--allow-empty', '--message', 'Begin']);
  const env = {
    SITE_API_KEY: emulator.key,
    SITE_BASE_URL: emulator.url,
    SITE_PROJECT_ID: project.id,
    SITE_GIT_URL: project.gitUrl,
  };
  const template = await project.head();
  return {
    emulator,
    project,
    template,
    commit: (await git(folder, ['rev-parse', 'HEAD'])).trim(),
    deploy: (...flags: string[]) => siteDeploy(['deploy', ...flags], { env, folder }),
    heads: async () => {
      const format = '--format=%(refname:short) %(objectname)';
      const listed = await git(await project.gitFolder(), ['for-each-ref', format]);
      return Object.fromEntries(
        listed
          .trim()
          .split('\n')
          .map((line) => line.split(' ')),
      );
    },
    [Symbol.asyncDispose]: async () => {
      temporary.remove();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

const merged = ['--pull-request', 'none'];
const adopting = ['--git-force', 'adopt'];

describe('a new project', () => {
  it('is adopted where git-force says so, and its template is kept', async () => {
    await using project = await startNewProject();
    const { commit, template, deploy, heads } = project;
    expect(await deploy(...adopting, ...merged)).toMatchObject({ status: 0 });
    expect(await heads()).toEqual({ main: commit, [`before-${template.slice(0, 7)}`]: template });
  });

  it.each<[string, string[]]>([
    ['by default', merged],
    ['for a pull request', ['--pull-request', '7', '--allow-production', 'true', ...adopting]],
  ])('is not adopted %s', async (_what, flags) => {
    await using project = await startNewProject();
    const { status, stdout } = await project.deploy('--commit-sha', project.commit, ...flags);
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('(SD7004)') });
    expect(await project.heads()).toEqual({ main: project.template });
  });

  it('is not adopted once the service shows that it is in use', async () => {
    await using project = await startNewProject();
    project.emulator.world.connectDomain('www.example.com', project.project.id);
    const { status, stdout } = await project.deploy(...adopting, ...merged);
    expect(status).toBe(1);
    expect(stdout).toContain('Not adopted as a new project: it serves www.example.com');
    expect(await project.heads()).toEqual({ main: project.template });
  });

  it('is not adopted if it has commits of its own', async () => {
    await using project = await startNewProject();
    const repository = await project.project.gitFolder();
    await git(repository, ['branch', 'work', 'main']);
    expect(await project.deploy(...adopting, ...merged)).toMatchObject({ status: 1 });
    expect(Object.keys(await project.heads())).toEqual(['main', 'work']);
  });

  it('is said to be adopted before anything is sent', async () => {
    await using project = await startNewProject();
    const explained = await project.deploy('--mode', 'explain', ...adopting, ...merged);
    expect(explained.stdout).toContain('A project that contains only its template is adopted');
    expect((await project.deploy('--mode', 'explain', ...merged)).stdout).not.toContain('adopted');
  });
});
