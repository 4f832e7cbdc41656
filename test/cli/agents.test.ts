import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { type DialectOptions, startEmulator } from '../../emulator/index.ts';
import { needs, whys } from '../../src/cli/next.ts';
import { git } from '../git/support.ts';
import { firstCommand, page, work } from '../support/agent.ts';
import { siteDeployProcess } from './site-deploy.ts';

/** A site service with a project, a clone of it with a new commit, and an agent with its environment. */
async function startTask(dialect: DialectOptions = {}) {
  const emulator = await startEmulator({ dialect: { buildMs: 0, ...dialect } });
  const project = await emulator.world.createProject();
  const temporary = mkdtempDisposableSync(join(tmpdir(), 'agent-'));
  const folder = join(temporary.path, 'site');
  const repository = await project.gitFolder();
  await git(temporary.path, ['clone', '--quiet', repository, folder]);
  const commit = async () => {
    await git(folder, ['commit', '--quiet', '--allow-empty', '--message', 'Change']);
    return (await git(folder, ['rev-parse', 'HEAD'])).trim();
  };
  const env: Record<string, string> = {
    SITE_API_KEY: emulator.key,
    SITE_BASE_URL: emulator.url,
    SITE_PROJECT_ID: project.id,
    SITE_GIT_URL: project.gitAddress,
    SITE_GIT_TOKEN: emulator.gitToken,
  };
  return {
    emulator,
    project,
    folder,
    repository,
    env,
    commit,
    sha: await commit(),
    /** Works from a command line on, until the agent stops. */
    work: (args: readonly string[]) =>
      work(args, async (next) => await siteDeployProcess(next, { env, folder })),
    live: () => project.deployments.map(({ commit: one, status }) => `${status} ${one}`).at(-1),
    [Symbol.asyncDispose]: async () => {
      temporary.remove();
      await emulator[Symbol.asyncDispose]();
    },
  };
}

type Task = Awaited<ReturnType<typeof startTask>>;

const secret = 'not-a-real-token-0123456789';

/** An argument of a run for merged code, as of one for a pull request. */
const ofPullRequest = (one: string): string => (one === 'none' ? '7' : one);

describe.concurrent('an agent that knows only its page and the results', () => {
  it('keeps what someone changed on the service, and deploys', async () => {
    await using task = await startTask();
    task.env['STRIPE_KEY'] = secret;
    const flags = ['--env-from', 'STRIPE_KEY', '--env-ledger', 'ledger'];
    const guarded = firstCommand(...flags, '--env-on-conflict', 'fail');
    expect(await task.work(guarded)).toMatchObject({ end: 'done', ran: { length: 1 } });
    task.project.setVariable({ name: 'STRIPE_KEY', value: 'rotated by a person' });
    const sha = await task.commit();
    const { end, ran } = await task.work(guarded);
    expect({ end, runs: ran.length }).toEqual({ end: 'done', runs: 2 });
    expect(task.live()).toBe(`succeeded ${sha}`);
    expect(task.project.variables).toMatchObject([{ value: 'rotated by a person' }]);
    expect(ran.flat().join(' ')).not.toContain(secret);
  });

  it('adopts a new project, whose template is kept', async () => {
    await using task = await startTask();
    const template = await task.project.head();
    await git(task.folder, ['checkout', '--quiet', '--orphan', 'mine']);
    const sha = await task.commit();
    expect(await task.work(firstCommand())).toMatchObject({ end: 'done', ran: { length: 2 } });
    expect(task.live()).toBe(`succeeded ${sha}`);
    const kept = `before-${template.slice(0, 7)}`;
    expect((await git(task.repository, ['rev-parse', kept])).trim()).toBe(template);
  });

  it('finds the branch that is not main', async () => {
    await using task = await startTask({ versionHistory: 'head' });
    await git(task.repository, ['branch', '--move', 'main', 'trunk']);
    await git(task.repository, ['branch', 'old', await task.project.head()]);
    // Two branches with one head: which is the default one can't be known.
    expect(await task.work(firstCommand())).toMatchObject({
      end: 'needs',
      needs: expect.stringContaining('--git-branch'),
    });
    await git(task.repository, ['branch', '--delete', '--force', 'old']);
    expect(await task.work(firstCommand())).toMatchObject({ end: 'done', ran: { length: 2 } });
    expect(task.live()).toBe(`succeeded ${task.sha}`);
    expect((await git(task.repository, ['rev-parse', 'trunk'])).trim()).toBe(task.sha);
  });

  it('leaves a git-branch that the service does not deploy', async () => {
    await using task = await startTask({ versionHistory: 'head' });
    // As an earlier run pushed it: a run that pushes it itself waits a minute for the service.
    await git(task.folder, ['push', '--quiet', task.repository, 'HEAD:refs/heads/live']);
    const { end, ran } = await task.work(firstCommand('--git-branch', 'live'));
    expect({ end, runs: ran.length }).toEqual({ end: 'done', runs: 2 });
    expect(task.live()).toBe(`succeeded ${task.sha}`);
    expect(await task.project.head()).toBe(task.sha);
  });

  const persons: [
    what: string,
    args: (task: Task) => string[],
    before: (task: Task) => void,
    needs: RegExp,
    does: (task: Task) => void,
    dialect?: DialectOptions,
  ][] = [
    [
      'an API key',
      () => firstCommand(),
      ({ env }) => {
        env['SITE_API_KEY'] = 'not-a-real-key';
      },
      /API key .*SITE_API_KEY/,
      ({ env, emulator }) => {
        env['SITE_API_KEY'] = emulator.key;
      },
    ],
    [
      'the value of a variable',
      () => firstCommand('--env-from', 'STRIPE_KEY'),
      () => undefined,
      /value for each variable/,
      ({ env }) => {
        env['STRIPE_KEY'] = secret;
      },
    ],
    [
      'the value of a variable that the service requires',
      () => firstCommand(),
      ({ project }) => {
        project.setVariable({ name: 'STRIPE_KEY', value: '', required: true });
      },
      /value for each variable that the service requires/,
      ({ project }) => {
        project.setVariable({ name: 'STRIPE_KEY', value: secret });
      },
    ],
    [
      'the DNS records of a domain',
      ({ sha }) => [
        ...firstCommand('--commit-sha', sha, '--verify-timeout', '2s').map(ofPullRequest),
        ...['--preview-domain', 'pr-{number}.preview.example.com'],
      ],
      () => undefined,
      /Create the DNS records in the report \(--report FILE\)/,
      ({ emulator }) => emulator.world.domains.get('pr-7.preview.example.com').verify(),
      { domainEnds: 'never' },
    ],
  ];

  it.each(persons)('stops where it needs %s, and goes on', async (...row) => {
    const [, args, before, needs, does, dialect] = row;
    await using task = await startTask(dialect);
    before(task);
    const stopped = await task.work(args(task));
    expect(stopped).toMatchObject({
      end: 'needs',
      needs: expect.stringMatching(needs),
      ran: { length: 1 },
    });
    does(task);
    expect(await task.work(stopped.ran.at(-1) ?? [])).toMatchObject({
      end: 'done',
      ran: { length: 1 },
    });
    expect(task.live()).toBe(`succeeded ${task.sha}`);
  });

  it('gives up where nothing changes', async () => {
    await using task = await startTask();
    task.emulator.faults.add({
      kind: 'status',
      status: 500,
      // Longer than the time limit, so the run ends with the first answer, however fast it is.
      headers: { 'retry-after': '3600' },
      effect: false,
      times: Number.POSITIVE_INFINITY,
      operation: 'readEnvironment',
    });
    const { end, ran } = await task.work(firstCommand());
    expect({ end, runs: ran.length }).toEqual({ end: 'gave up', runs: 2 });
  });
});

test('the page has each error with a next step, and whether that can be a command', () => {
  const row = (start: string) => {
    const [, codes = ''] = new RegExp(`^\\| ${start}[^|]* \\| (.*) \\|$`, 'm').exec(page) ?? [];
    return codes.split(', ');
  };
  const commands = Object.keys(whys);
  const codes = Object.keys(needs);
  expect(row('a command')).toEqual(commands);
  expect(row('always a person')).toEqual(codes.filter((code) => !commands.includes(code)));
});
