import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { writesTo } from '../support/domains.ts';
import { root } from '../support/places.ts';
import * as jobs from './ci-environments.ts';
import { screen } from './screen.ts';
import { siteDeploy, siteDeployProcess } from './site-deploy.ts';
import { commitOf, good, repository, type StatusWorld, startStatus } from './status-world.ts';

const template = 'pr-{number}.example.com';
/** What is not known, each up to its reason. */
const unknownIn = ({ unknown }: Record<string, unknown>) =>
  (unknown as { why: string }[]).map(({ why }) => why.split(':')[0]);
const registered = 'Registered domains, and whether one expires';

/** A project of which something waits everywhere, and previews in another one. */
async function startBadDay(dialect: DialectOptions = {}) {
  const world = await startStatus({ domainEnds: 'never', ...dialect });
  const { emulator, project, record } = world;
  const [other] = emulator.world.createProjects(1);
  if (other === undefined) throw new Error('no project was made');
  record({ commit: commitOf(1), runId: '17', end: good(project.id) });
  record({ commit: commitOf(2), runId: '18', pullRequest: 7, of: template, end: good(other.id) });
  record({ commit: commitOf(3), runId: '19', pullRequest: 8, of: template, isGoing: true });
  emulator.world.connectDomain('www.example.com', project.id).verify();
  emulator.world.connectDomain('shop.example.com', project.id);
  emulator.world.connectDomain('new.example.com');
  emulator.world.connectDomain('old.example.com').verify();
  emulator.world.connectDomain('pr-7.example.com', other.id);
  project.setVariable({ name: 'A', value: 'fake' });
  return { world, other };
}

describe('status', () => {
  it('shows what is live, what waits, the previews, and what is not known', async () => {
    const { world, other } = await startBadDay();
    await using _ = world;
    const { project, github } = world;
    const result = await world.result();
    const page = (id: string) => `${github.url}/${repository}/actions/runs/${id}`;
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(result).toMatchObject({
      action: 'status',
      outcome: 'succeeded',
      live: { commit: commitOf(1), since: time, 'run-id': '17', 'run-url': page('17') },
      pending: true,
      stale: true,
      domains: [
        {
          hostname: 'www.example.com',
          verification: 'good',
          'project-id': project.id,
          records: [],
        },
        { hostname: 'shop.example.com', verification: 'pending', 'project-id': project.id },
        { hostname: 'new.example.com', verification: 'pending' },
      ],
      previews: [
        { 'pull-request': 8, since: time, 'run-id': '19' },
        {
          'pull-request': 7,
          commit: commitOf(2),
          'project-id': other.id,
          'run-url': page('18'),
        },
      ],
      requests: 2,
    });
    expect(result['domains']).toHaveLength(3);
    expect(unknownIn(result)).toEqual([
      'Which variables wait',
      'Whether something else was deployed since',
      registered,
    ]);
    expect(writesTo(world.emulator)).toEqual([]);
    expect(github.journal.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('has a section for each part at a terminal, with the DNS records', async () => {
    const { world } = await startBadDay();
    await using _ = world;
    const { status, stdout } = await world.run([], {
      atTerminal: { sees: 'none', types: () => '' },
    });
    expect(status).toBe(0);
    const lines = screen(stdout);
    const titles = ['Live', 'Variables', 'Domains', 'Previews', 'Not known'];
    expect(lines.filter((line) => titles.includes(line))).toEqual(titles);
    expect(lines).toContain(`✓ commit ${commitOf(1)}`);
    expect(lines.filter((line) => /^ {4}(CNAME|TXT) .*shop\.example/.test(line))).toEqual([
      expect.stringMatching(/^ {4}CNAME {2}shop\.example\.com {2}\S+ {2}\(routing\)$/),
      expect.stringMatching(/^ {4}TXT {2}_site-ownership\.\S+ {2}\S+ {2}\(ownership\)$/),
      expect.stringMatching(/^ {4}CNAME {2}_acme-\S+ {2}\S+ {2}\(certificate, optional\)$/),
    ]);
    expect(lines.at(-2)).toMatch(/^Done in .*s$/);
  });

  it('is shown on its page as it is', async () => {
    await using world = await startStatus({ verifyMs: 3_600_000 });
    const { emulator, project } = world;
    const [other] = emulator.world.createProjects(1);
    if (other === undefined) throw new Error('no project was made');
    world.record({ end: good(project.id) });
    world.record({ runId: '2', pullRequest: 7, of: template, end: good(other.id) });
    project.setVariable({ name: 'STRIPE_KEY', value: 'fake' });
    emulator.world.connectDomain('shop.example.com', project.id);
    emulator.world.connectDomain('www.example.com', project.id).verify();
    emulator.world.connectDomain('pr-7.example.com', other.id);
    const page = readFileSync(join(root, 'docs/status.md'), 'utf8');
    const [, block = ''] = /```text\n([^`]*)```/.exec(page) ?? [];
    /** Without what differs from day to day. */
    const form = (text: string) =>
      text
        .replaceAll(/https?:\S+|\b[0-9a-f-]{36,40}\b|\b\d{4}-\d\d-\d\dT[\d:]+Z/g, '…')
        .replaceAll(/run \d+/g, 'run …')
        .replaceAll(/(?<=Done in )\S+s/g, '…');
    expect(form((await world.run()).stdout)).toBe(form(block));
  });

  it('says where there is nothing', async () => {
    await using world = await startStatus();
    const { stdout } = await world.run();
    expect(stdout.split('Not known')[0]).toBe(
      [
        'Variables',
        'Preview runtime: all variables are in use.',
        'Production runtime: all variables are in use.',
        'Domains\n  none\nPreviews\n  none\n',
      ].join('\n'),
    );
    expect(stdout).toContain('no GitHub deployment of the repository shows it for this project');
  });

  it('says how to see what is live, without a request to GitHub', async () => {
    await using world = await startStatus();
    const { stdout } = await world.run([], { env: { SITE_GITHUB_TOKEN: '' } });
    expect(stdout).toContain('set SITE_GITHUB_TOKEN and --repository OWNER/NAME');
    expect(stdout.match(/set SITE_GITHUB_TOKEN/g)).toHaveLength(1);
    const result = await world.result([], { env: { SITE_GITHUB_TOKEN: '' } });
    expect(result).not.toHaveProperty('live');
    expect(result).not.toHaveProperty('previews');
    expect(unknownIn(result)).toEqual(['What is live, and the previews', registered]);
    expect(world.github.journal).toEqual([]);
  });

  it('ends as a process, although its connections to GitHub are kept', async () => {
    await using world = await startStatus();
    world.record({ end: good(world.project.id) });
    const ran = await siteDeployProcess(['status', '--repository', repository], {
      env: world.env,
      folder: '/',
    });
    expect(ran).toMatchObject({ status: 0, stderr: '' });
    expect(ran.stdout).toContain(`✓ commit ${commitOf(1)}`);
  });

  it.each([
    ["GitHub's", jobs.github],
    ["GitLab's for a merge request of a fork", jobs.gitlabFork],
    ['one that is not known', { CI: 'true', REVIEW_ID: '12' }],
  ])('runs in any CI, of whatever build: %s', async (_, env) => {
    await using world = await startStatus();
    expect(await world.result([], { env, folder: '/' })).toMatchObject({ outcome: 'succeeded' });
  });

  it.each([
    ['a name', ['--repository', 'octo-site'], 'SD1002'],
    ['an address', ['--github-api-url', 'http://github.example.com'], 'SD1002'],
    ['a project', ['--project-id', 'site'], 'SD1005'],
    ['a line of the service', ['--service', 'sucess=live'], 'SD1108'],
  ])('refuses %s before it sends anything', async (_, args, code) => {
    await using world = await startStatus();
    const env = {
      SITE_API_KEY: 'a-fake-key',
      SITE_BASE_URL: world.emulator.url,
      SITE_PROJECT_ID: world.project.id,
    };
    const ran = await siteDeploy(['status', '--json', ...args], { env });
    expect(ran.status).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: 'failed', error: { code } });
    expect(world.emulator.journal.entries).toEqual([]);
  });
});

describe('what may not be read', () => {
  it('is the domains: the rest is shown', async () => {
    const { world } = await startBadDay({ refuse: ['listConnectedDomains'] });
    await using _ = world;
    const result = await world.result();
    expect(result).toMatchObject({ outcome: 'succeeded', live: { commit: commitOf(1) } });
    expect(result).not.toHaveProperty('domains');
    expect(result['unknown']).toContainEqual({
      code: 'SD3403',
      why: expect.stringMatching(
        /403.*Check the API key's permissions, then run the command again/,
      ),
    });
  });

  it.each([
    ['the variables', ['readEnvironment'], 3],
    ['the variables and the domains', ['readEnvironment', 'listConnectedDomains'], 0],
  ] as const)('is %s: the run fails, and shows the rest', async (_, refuse, count) => {
    const { world } = await startBadDay({ refuse: [...refuse] });
    await using _world = world;
    const { status, stderr, stdout } = await world.run(['--json']);
    expect(status, stderr).toBe(1);
    const { domains = [], ...result } = JSON.parse(stdout);
    expect(result).toMatchObject({ error: { code: 'SD3403' }, live: { commit: commitOf(1) } });
    expect(domains).toHaveLength(count);
    expect(result.unknown).toContainEqual({ code: 'SD3403', why: result.error.message });
  });

  it('is everything, with a wrong key: the error is shown once', async () => {
    await using world = await startStatus();
    const { status, stdout } = await world.run([], { env: { SITE_API_KEY: 'another-fake-key' } });
    expect(status).toBe(1);
    expect(stdout.match(/Could not read the project's variables/g)).toHaveLength(1);
    expect(stdout).toContain('Check SITE_API_KEY: the service rejected it. (SD3401)');
    expect(stdout).not.toContain('another-fake-key');
  });

  it('is not a project that does not exist: the run fails, and shows the rest', async () => {
    const { world } = await startBadDay();
    await using _ = world;
    const id = '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10';
    const { status, stdout } = await world.run(['--project-id', id, '--json']);
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: 'SD3404' },
      domains: [{ hostname: 'new.example.com' }],
    });
  });

  it.each([
    [
      'forbidden',
      'SD8002',
      'Add "deployments: read" to the permissions of the token in SITE_GITHUB_TOKEN, and check --repository.',
    ],
    ['not-found', 'SD8007', 'This server does not support it.'],
  ] as const)(
    'is the GitHub deployments (%s): the rest is shown',
    async (trouble, code, advice) => {
      const { world } = await startBadDay();
      await using _ = world;
      world.github.trouble = trouble;
      const result = await world.result();
      expect(result).toMatchObject({ outcome: 'succeeded', domains: expect.any(Array) });
      expect(result).not.toHaveProperty('previews');
      const why = expect.stringMatching(new RegExp(`${advice}$`));
      expect(result['unknown']).toContainEqual({ code, why });
    },
  );

  it('is a GitHub that does not respond by the time limit: the rest is shown', async () => {
    const { world } = await startBadDay();
    await using _ = world;
    const { promise, resolve } = Promise.withResolvers<void>();
    world.github.on('repos/list-deployments', () => promise);
    const { status, stdout } = await world.run(['--timeout', '1']);
    resolve();
    expect(status).toBe(4);
    expect(stdout).toContain('Domains\n');
    expect(stdout).not.toMatch(/^(Live|Previews)$/m);
    expect(stdout).toContain(
      '? What is live, and the previews: not all was read before the run ended.\n? Registered domains',
    );
    expect(stdout.match(/Timed out after 1s/g)).toHaveLength(1);
  });

  it('is not a GitHub that fails: the run fails, and shows the rest', async () => {
    const { world } = await startBadDay();
    await using _ = world;
    world.github.trouble = 'server-error';
    const { status, stdout } = await world.run();
    expect(status).toBe(1);
    expect(stdout).toContain('Domains\n');
    expect(stdout.match(/Could not read earlier deployments/g)).toHaveLength(1);
  });
});

describe('by records', () => {
  const live = async (world: StatusWorld) => {
    const { live, unknown } = await world.result();
    const [{ why } = {}] = unknown as { why: string }[];
    return { live, why };
  };

  it('that are not signed with this key, nothing is live, and there is no preview', async () => {
    await using world = await startStatus();
    const end = good(world.project.id);
    const secret = 'the-fake-key-of-a-stranger';
    world.record({ end, secret });
    world.record({ end, secret, pullRequest: 7 });
    const result = await world.result();
    expect(result).not.toHaveProperty('live');
    expect(result).not.toHaveProperty('previews');
    expect(unknownIn(result)).toEqual([
      'GitHub deployments that are not signed with this key',
      registered,
    ]);
    const { stdout } = await world.run();
    expect(stdout.match(/not signed with this key/g)).toHaveLength(1);
  });

  it('that a stranger added, nothing changes', async () => {
    await using world = await startStatus();
    const end = good(world.project.id);
    const secret = 'the-fake-key-of-a-stranger';
    world.record({ end, runId: '5' });
    world.record({ end, runId: '6', commit: commitOf(6), secret });
    world.record({ end, runId: '7', commit: commitOf(7), secret, pullRequest: 7 });
    expect(await world.result()).toMatchObject({ live: { 'run-id': '5' }, previews: [] });
  });

  it('that are signed with a secret of the ledger, its variable is needed', async () => {
    await using world = await startStatus();
    const secret = 'a-fake-secret-of-the-ledger';
    world.record({ secret, end: good(world.project.id) });
    const env = { SITE_ENV_LEDGER_KEY: secret };
    expect(await world.result([], { env })).toMatchObject({ live: { commit: commitOf(1) } });
    expect((await live(world)).live).toBeUndefined();
  });

  it('of any environment, the newest of the project is live', async () => {
    await using world = await startStatus();
    const end = good(world.project.id);
    world.record({ end, runId: '1', environment: 'production' });
    world.record({ end, runId: '2', environment: 'shop', commit: commitOf(2) });
    expect((await live(world)).live).toMatchObject({ commit: commitOf(2), 'run-id': '2' });
  });

  it('of a rollback, the restored commit is live', async () => {
    await using world = await startStatus();
    const { id: projectId } = world.project;
    world.record({ runId: '1', end: good(projectId) });
    const rolledBack = {
      kind: 'rolled-back',
      projectId,
      restored: commitOf(1),
      isConfirmed: true,
    } as const;
    world.record({ runId: '2', commit: commitOf(2), end: rolledBack });
    expect((await live(world)).live).toMatchObject({ commit: commitOf(1), 'run-id': '2' });
  });

  it.each([
    ['that may be going', { isGoing: true }],
    ['without an end', {}],
    ['that ended otherwise', { end: { kind: 'ended' } }],
  ] as const)('of a run %s, it is not known what is live', async (_, release) => {
    await using world = await startStatus();
    world.record({ end: good(world.project.id) });
    world.record({ runId: '2', commit: commitOf(2), ...release });
    expect((await live(world)).live).toEqual({
      'run-id': '2',
      'run-url': expect.stringMatching(/runs\/2$/),
      since: expect.any(String),
    });
    expect((await world.run()).stdout).toMatch(
      /^Live\n\? a run may still be deploying, or ended without a clear result\n {2}since .*, by run 2: /m,
    );
  });

  it('of a run that deployed nothing, what was live before is live', async () => {
    await using world = await startStatus();
    world.record({ end: good(world.project.id) });
    world.record({ runId: '2', commit: commitOf(2), end: { kind: 'undeployed' } });
    expect((await live(world)).live).toMatchObject({ 'run-id': '1' });
  });

  it('of a preview in the same project since, it is not known what is live', async () => {
    await using world = await startStatus();
    const end = good(world.project.id);
    world.record({ end });
    world.record({ end, runId: '2', commit: commitOf(2), pullRequest: 7 });
    expect(await live(world)).toMatchObject({
      live: undefined,
      why: expect.stringContaining('preview'),
    });
  });

  it('that are inactive, a preview has ended; the newest has a project that two were in', async () => {
    await using world = await startStatus();
    const [one, two] = world.emulator.world.createProjects(2).map(({ id }) => id);
    if (one === undefined || two === undefined) throw new Error('no projects were made');
    const of = template;
    world.record({ runId: '1', pullRequest: 1, of, end: good(one) });
    world.record({ runId: '2', pullRequest: 2, of, end: good(two), state: 'inactive' });
    world.record({ runId: '3', pullRequest: 3, of, end: good(one) });
    world.record({ runId: '4', pullRequest: 3, of, end: { kind: 'undeployed' } });
    const { previews } = await world.result();
    expect(previews).toMatchObject([{ 'pull-request': 3, 'run-id': '3', 'project-id': one }]);
  });
});

describe('in each dialect of the service', () => {
  it.each<[string, DialectOptions]>([
    ['with fields that are not listed', { extraFields: true }],
    [
      'where fields are absent',
      { absentFields: 'omitted', unassigned: 'absent', variableTimes: 'absent' },
    ],
    ['where fields are empty', { absentFields: 'empty', unassigned: 'empty' }],
  ])('%s, the same is shown', async (_, dialect) => {
    const { world } = await startBadDay(dialect);
    await using _world = world;
    expect(await world.result()).toMatchObject({
      outcome: 'succeeded',
      pending: true,
      domains: [{ verification: 'good' }, { verification: 'pending' }, { verification: 'pending' }],
    });
    expect((await world.run()).status).toBe(0);
  });

  it('that does not tell whether variables wait, that is not known', async () => {
    await using world = await startStatus({ pendingFlags: 'absent' });
    const { stdout } = await world.run();
    expect(stdout).toContain("Whether variables wait: the service doesn't report it.");
    expect(stdout).not.toMatch(/^Variables$/m);
  });

  it('with words of its own, they are as in SITE_SERVICE', async () => {
    await using world = await startStatus({ domainWords: { state: { good: 'shipshape' } } });
    world.emulator.world.connectDomain('www.example.com', world.project.id).verify();
    expect(await world.result()).toMatchObject({ domains: [{ verification: 'unclear' }] });
    const env = { SITE_SERVICE: 'success=shipshape' };
    expect(await world.result([], { env })).toMatchObject({ domains: [{ verification: 'good' }] });
  });
});

test('texts of others can neither write to the terminal, nor show a secret, nor give a CI a command', async () => {
  const { world } = await startBadDay({ hostileText: '\u001b[2J\n::error::x ##vso[task] ' });
  await using _ = world;
  const { emulator } = world;
  emulator.world.connectDomain(`${emulator.key.toLowerCase()}.example.com`);
  const { stdout, status } = await world.run();
  expect(status).toBe(0);
  expect(stdout).toContain('site-ownership=');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).not.toMatch(/^\s*::|##vso/m);
  expect(stdout).not.toContain(emulator.key);
  const json = await world.run(['--json']);
  expect(json.stdout).not.toContain(emulator.key);
  expect(json.stdout.trim().split('\n')).toHaveLength(1);
});

test('many previews are cut, which is reported', async () => {
  await using world = await startStatus();
  for (let number = 1; number <= 60; number += 1) {
    world.record({ runId: String(number), pullRequest: number, of: template });
  }
  const { previews, unknown } = await world.result();
  expect(previews).toHaveLength(50);
  expect(unknown).toContainEqual({
    why: 'Older previews: only the newest 500 releases and 50 previews are read.',
  });
});
