import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import { type EmulatedProject, type Emulator, startEmulator } from '../../emulator/index.ts';
import { type ActionResult, runAction } from '../../emulator/runner.ts';
import { eventNamed, eventNames, startByEvent } from '../../scripts/player/events.ts';
import { fromFork } from '../../scripts/player/fork.ts';
import { rows } from '../support/exhaustive.ts';
import { shareProcess } from '../support/shared-process.ts';
import { startPullRequest } from './pull-request-world.ts';
import { readable, unpacked } from './run-step.ts';

/** A service and a GitHub, and what they were asked. */
interface World extends AsyncDisposable {
  emulator: Emulator;
  github: GitHubStandIn;
  project: EmulatedProject;
}

async function startWorld(): Promise<World> {
  const emulator = await startEmulator();
  const github = await startGitHub();
  const project = await emulator.world.createProject();
  const close = async () => {
    await github[Symbol.asyncDispose]();
    await emulator[Symbol.asyncDispose]();
  };
  return { emulator, github, project, [Symbol.asyncDispose]: close };
}

const sha = 'a'.repeat(40);
const value = 'fake-value-that-nobody-may-see';

/** A page that names its commit. */
const shown = { 'verify-url': 'https://www.example.com/', 'verify-contains': '{sha}' };

/** What the two were asked; what the local world does to set itself up is none of it. */
const asked = ({ emulator, github }: World) => [
  ...emulator.journal.entries.filter(({ operation }) => operation !== 'git'),
  ...github.journal,
];

/** Explains an event, without a key if none is given. */
async function explain(
  { emulator, github, project }: World,
  name: string,
  given: { inputs?: Record<string, string>; isFork?: boolean } = {},
): Promise<ActionResult> {
  const told = given.isFork ? fromFork(eventNamed(name)) : eventNamed(name);
  const start = startByEvent(told, { sha }, github);
  return await runAction({
    launch: shareProcess,
    action: unpacked,
    event: start.event,
    github: { ...start.github, apiUrl: github.url, token: github.token },
    inputs: {
      mode: 'explain',
      'base-url': emulator.url,
      'project-id': project.id,
      ...given.inputs,
    },
    env: { STRIPE_KEY: value },
    secrets: [value],
  });
}

describe.concurrent('mode: explain', () => {
  it.each(eventNames)('asks nobody anything, whatever the event: %s', async (name) => {
    await using world = await startWorld();
    const inputs = {
      'preview-domain': 'pr-{number}.preview.example.com',
      'git-url': `${world.emulator.url}/git/{projectId}.git`,
      'env-from': 'STRIPE_KEY',
    };
    for (const key of rows([undefined, world.emulator.key], (one) => one !== undefined)) {
      const result = await explain(world, name, {
        inputs: { ...inputs, ...(key !== undefined && { 'api-key': key }) },
      });
      const { outcome = '', requests } = result.outputs;
      expect(requests).toBe('0');
      // Without a commit a run would fail, and so does what explains it.
      expect(outcome === 'failed' ? result.outputs['error'] : outcome).toMatch(
        /^(planned|skipped|commit-sha: the event .* names no commit.*)$/,
      );
      expect(result.summary).not.toContain('undefined');
      expect(JSON.stringify(result)).not.toContain('assumed.preview');
    }
    expect(asked(world)).toEqual([]);
    expect(world.project.deployments).toEqual([]);
  });

  it('tells of a push: project, commit, push, variables by name, checks, record, grants', async () => {
    await using world = await startWorld();
    const { emulator, project } = world;
    const result = await explain(world, 'push', {
      inputs: {
        'git-url': `${emulator.url}/git/{projectId}.git`,
        'env-from': 'STRIPE_KEY',
        'env-targets': 'production',
        'verify-url': `${emulator.url}/health`,
        'verify-contains': '{sha}',
      },
    });
    expect(result.outputs).toMatchObject({
      outcome: 'planned',
      'commit-sha': sha,
      'project-id': project.id,
      'preview-hostname': '',
    });
    const { summary } = result;
    expect(summary).toContain(`this run would deploy commit ${sha.slice(0, 7)}`);
    expect(summary).toContain(`**Project**: ${project.id} (project-id)`);
    expect(summary).toContain(`${sha}, the pushed commit`);
    expect(summary).toContain(
      `/git/${project.id}.git, unless the branch already contains the commit. If the repository has other branches but no main, the run fails`,
    );
    expect(summary).toMatch(/STRIPE_KEY<\/code> \| secret, production \|/);
    expect(summary).toMatch(/health<\/code> \| 2xx, with "a{40}"/);
    expect(summary).toContain('In environment production');
    expect(summary).toMatch(
      /permissions:\n {2}contents: read +# to fetch the commit[^\n]*\n {2}deployments: write/,
    );
    expect(summary).toContain('**Comment**: the event has no pull request');
    expect(summary).toContain('**API key**: Not set. Every mode except explain needs it.');
    expect(readable(result)).not.toContain(value);
  });

  it.each([
    ['PREVIOUS', 'The newest good release before the live one'],
    ['0a1b2c3', 'The commit of the default branch starting with 0a1b2c3.'],
  ])('says how the commit %s would be found, and asks nobody', async (given, said) => {
    await using world = await startWorld();
    const { log, conclusion } = await explain(world, 'push', { inputs: { 'commit-sha': given } });
    expect(conclusion).toBe('success');
    expect(log.join('\n')).toContain(said);
    expect(asked(world)).toEqual([]);
  });

  it('says that a new project is adopted, where nothing else decides about its commits', async () => {
    await using world = await startWorld();
    const cases: [string, Record<string, string>, boolean][] = [
      ['push', {}, true],
      ['push', { 'git-force': 'false' }, false],
      ['push', { 'github-deployment': 'false' }, false],
      ['push', { 'commit-sha': 'HEAD' }, false],
      ['merge_group', {}, false],
      ['pull_request', {}, false],
    ];
    for (const [event, more, isAdopted] of cases) {
      const inputs = { 'git-url': `${world.emulator.url}/git/{projectId}.git`, ...more };
      const { summary } = await explain(world, event, { inputs });
      expect(summary.includes('only its template is adopted'), event).toBe(isAdopted);
    }
  });

  it('says of a lease that it is one of some, and of nothing which', async () => {
    await using world = await startWorld();
    const other = await world.emulator.world.createProject();
    const result = await explain(world, 'pull_request', {
      inputs: {
        'project-id': '',
        'preview-projects': `${world.project.id}\n${other.id}`,
        'preview-domain': 'pr-{number}.preview.example.com',
      },
    });
    expect(result.outputs).toMatchObject({
      'project-id': '',
      'preview-hostname': 'pr-7.preview.example.com',
    });
    expect(result.summary).toContain(`One of ${world.project.id}, ${other.id}`);
    expect(result.summary).toContain('pull-requests: write');
  });

  it.each([
    ['a comment', 'issue_comment', 'The head of the pull request', ''],
    ['the end of a run of a fork', 'workflow_run', sha, sha],
  ])('says what GitHub would be asked after %s', async (_, name, commit, output) => {
    await using world = await startWorld();
    const told = eventNamed(name);
    const { issue } = told.payload as { issue?: Record<string, unknown> };
    if (issue !== undefined) issue['pull_request'] = {};
    const isFork = name === 'workflow_run';
    const start = startByEvent(isFork ? fromFork(told) : told, { sha }, world.github);
    const result = await runAction({
      launch: shareProcess,
      action: unpacked,
      event: start.event,
      github: { ...start.github, apiUrl: world.github.url, token: world.github.token },
      inputs: {
        mode: 'explain',
        'base-url': world.emulator.url,
        'project-id': world.project.id,
        'preview-domain': '{branch}-{number}.preview.example.com',
        'verify-url': 'https://{preview-domain}/{sha}',
      },
    });
    const { summary, outputs } = result;
    expect(outputs).toMatchObject({
      outcome: 'planned',
      'commit-sha': output,
      'preview-hostname': '',
    });
    expect(summary).toContain(`**Commit**: ${commit}`);
    expect(summary).toContain('The run would read ');
    expect(summary).toContain('{branch}&#45;{number}.preview.example.com (filled in once');
    expect(summary).toContain('{preview-domain}/<wbr>{sha}</code>');
    expect(JSON.stringify(result)).not.toMatch(/0{40}|assumed-|#\u200d?0\b/);
    expect(asked(world)).toEqual([]);
  });

  it('says how the preview of a closed pull request would be ended', async () => {
    await using world = await startWorld();
    const result = await explain(world, 'pull_request.closed', {
      inputs: { 'preview-domain': 'pr-{number}.preview.example.com' },
    });
    expect(result.outputs['outcome']).toBe('planned');
    expect(result.summary).toContain('would remove the preview');
    expect(result.summary).toContain('pr-7.preview.example.com is no longer assigned');
    expect(result.summary).toMatch(/deployments: write .*\n {2}pull-requests: write/);
    const quiet = await explain(world, 'pull_request.closed', {
      inputs: {
        'preview-domain': 'pr-{number}.preview.example.com',
        comment: 'false',
        'github-deployment': 'false',
      },
    });
    expect(quiet.summary).toMatch(/permissions:\n {2}pull-requests: read [^\n]*\n```/);
    expect(asked(world)).toEqual([]);
  });

  it.each<[string, string, boolean, Record<string, string>, RegExp]>([
    ['fork', 'pull_request', true, {}, /fork-preview\.yml/],
    ['pull-request-closed', 'pull_request.closed', false, {}, /preview-domain/],
    [
      'not-allowed',
      'issue_comment',
      false,
      { 'allowed-associations': 'OWNER' },
      /can allow others .allowed-associations/,
    ],
    ['not-allowed', 'gollum', false, {}, /workflow_dispatch/],
  ])('says that a run would be skipped as %s: %s', async (reason, name, isFork, inputs, advice) => {
    await using world = await startWorld();
    const result = await explain(world, name, { inputs, isFork });
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': reason });
    expect(result.summary).toContain('this run would be skipped');
    expect(result.summary).toMatch(advice);
  });

  it.each<[string, Record<string, string>, RegExp[], RegExp, RegExp]>([
    [
      'nothing',
      {},
      [/\*\*Earlier deployments\*\*: If the commit is older .* is skipped before it writes/],
      /not deployed again|Way back/,
      /contents: read +# to compare commits\n {2}deployments: write # .*read earlier deployments/,
    ],
    [
      'on-older: fail',
      { 'on-older': 'fail' },
      [/the run fails before it writes \(on-older\)/],
      /is skipped/,
      /contents: read /,
    ],
    [
      'deploy: if-needed',
      { ...shown, deploy: 'if-needed' },
      [
        /deploy commit a{7} when needed/,
        /If the commit was rolled back, the run is skipped .* not deployed again/,
      ],
      /on&#45;older|that last one/,
      /contents: read +# to compare commits\n {2}deployments: write [^\n]*\n```/,
    ],
    [
      'deploy: if-needed, where no check names the commit',
      { deploy: 'if-needed', 'verify-url': 'https://www.example.com/' },
      [/deploy commit a{7} when/, /Otherwise it is deployed, because no check contains/],
      /not deployed again/,
      /deployments: write /,
    ],
    [
      'records',
      { 'github-deployment': 'false' },
      [/deploy commit a{7}/],
      /Earlier deployments/,
      /permissions: \{\}/,
    ],
    [
      'on-older without records',
      { ...shown, 'on-older': 'skip', 'github-deployment': 'false' },
      [
        /deploy commit a{7}( once api-key is set)?\n/,
        /\n- \*\*Earlier deployments\*\*: github-deployment is false, so/,
      ],
      /is older|not deployed again/,
      /permissions: \{\}/,
    ],
    [
      'on-older beside commit-sha',
      { 'on-older': 'skip', 'commit-sha': 'b'.repeat(40) },
      [/deploy commit b{7}/],
      /Earlier deployments/,
      /permissions:\n {2}deployments: write [^\n]*\n```/,
    ],
    [
      'on-failed-checks: roll-back',
      { ...shown, 'on-failed-checks': 'roll-back', 'on-older': 'deploy' },
      [
        /\*\*Rollback\*\*: If the checks fail, .* deployed again, once, .* the run fails either way/,
      ],
      /Earlier deployments/,
      /permissions:\n {2}deployments: write # .*read earlier deployments[^\n]*\n```/,
    ],
  ])('tells of a push what our records decide: %s', async (_, inputs, says, not, grants) => {
    await using world = await startWorld();
    const { summary, outputs } = await explain(world, 'push', { inputs });
    expect(outputs).toMatchObject({ outcome: 'planned', error: '' });
    const [text = '', granted = ''] = summary.split('### Permissions this job needs');
    for (const one of says) expect(text).toMatch(one);
    expect(text).not.toMatch(not);
    expect(granted).toMatch(grants);
    expect(asked(world)).toEqual([]);
  });

  it('names each host that the run connects to, and no other', async () => {
    await using world = await startWorld();
    const { emulator, github } = world;
    const { log } = await explain(world, 'push', {
      inputs: {
        'git-url': 'https://git.example.com/{projectId}.git',
        'git-token': 'fake-token-that-nobody-may-see',
        'verify-url': 'https://www.example.com/',
      },
    });
    expect(log.filter((one) => one.startsWith('Hosts ')).map((one) => one.slice(5).trim())).toEqual(
      [
        [
          `${new URL(emulator.url).host} (the service)`,
          `${new URL(github.url).host} (GitHub's API)`,
          'github.com (the commit)',
          "git.example.com (the project's repository)",
          'www.example.com (checks).',
        ].join(', '),
      ],
    );
  });

  it("does not count GitHub's server for a commit that is only compared", async () => {
    await using world = await startWorld();
    const inputs = { 'on-older': 'skip' };
    const { log, summary } = await explain(world, 'push', { inputs });
    expect(summary).toContain('contents: read');
    const { host } = new URL(world.github.url);
    expect(log.join('\n')).toContain(`${host} (GitHub's API).`);
  });

  it('tells nothing of them where nothing asks them', async () => {
    await using world = await startWorld();
    const { summary } = await explain(world, 'push', { inputs: { 'on-older': 'deploy' } });
    expect(summary).toContain('would deploy commit');
    expect(summary).not.toMatch(
      /Earlier deployments|Rollback|a{7} when needed|earlier deployments/,
    );
    const inputs = {
      deploy: 'false',
      'on-older': 'skip',
      env: 'A=b',
    };
    const synced = await explain(world, 'push', { inputs });
    expect(synced.outputs).toMatchObject({ outcome: 'planned', error: '' });
    expect(synced.summary).not.toMatch(/Earlier deployments|Way back/);
  });

  it('tells all wrong inputs together, then all that do not fit, and that a key is missing of no other mode', async () => {
    await using world = await startWorld();
    const unfit = { 'project-id': '', 'verify-contains': 'x' };
    const wrong = { timeout: 'soon', 'git-branch': 'a..b', ...unfit };
    const result = await explain(world, 'push', { inputs: wrong });
    expect(result.exitCode).toBe(1);
    expect(result.outputs['error']).toMatch(/2 problems.*timeout.*git-branch/);
    expect(result.outputs['error']).not.toContain('api-key');
    const righted = await explain(world, 'push', { inputs: unfit });
    expect(righted.exitCode).toBe(1);
    expect(righted.outputs['error']).toMatch(/2 problems.*verify-contains.*project-id/);
    const planned = await explain(world, 'push', { inputs: { mode: 'plan' } });
    expect(planned.outputs['error']).toContain(
      'api-key is empty. The secret it comes from is not set',
    );
    expect(asked(world)).toEqual([]);
  });

  it.each<[string, string, Record<string, string>]>([
    ['deploy', '', { 'project-id': '' }],
    ['deploy', '', { 'base-url': '', timeout: 'soon' }],
    ['env-sync', 'env-sync', { 'project-id': '' }],
  ])('of %s (%s) with wrong inputs says that a run would fail: %j', async (_, folder, wrong) => {
    await using world = await startWorld();
    const result = await runAction({
      launch: shareProcess,
      action: join(unpacked, folder),
      event: startByEvent(eventNamed('push'), { sha }, world.github).event,
      github: { apiUrl: world.github.url, token: world.github.token },
      inputs: {
        mode: 'explain',
        'base-url': world.emulator.url,
        'project-id': world.project.id,
        ...wrong,
      },
    });
    expect(result).toMatchObject({ conclusion: 'failure', outputs: { outcome: 'failed' } });
    const [title, ...others] = result.annotations.map((one) => one.title);
    expect(others).toEqual([]);
    expect(title).toMatch(/^(Production|Variables): this run would fail$/);
    expect(result.log.join('\n')).toContain('this run would fail · nothing was sent');
    expect(result.summary).toContain('this run would fail');
    for (const name of Object.keys(wrong)) expect(result.summary).toContain(`**${name}**: `);
    expect(readable(result)).not.toMatch(/was not deployed|not synced/);
    expect(asked(world)).toEqual([]);
  });

  it('of env-sync tells project, variables and files, without a key', async () => {
    await using world = await startWorld();
    const run = (name: string, inputs: Record<string, string> = {}) =>
      runAction({
        launch: shareProcess,
        action: join(unpacked, 'env-sync'),
        event: startByEvent(eventNamed(name), { sha }, world.github).event,
        github: { apiUrl: world.github.url, token: world.github.token },
        inputs: {
          mode: 'explain',
          'base-url': world.emulator.url,
          'project-id': world.project.id,
          'env-from': 'STRIPE_KEY',
          ...inputs,
        },
        env: { STRIPE_KEY: value },
        secrets: [value],
      });
    const result = await run('schedule', { 'max-changes': '2' });
    expect(result.outputs).toMatchObject({ outcome: 'planned', requests: '0', plan: '' });
    expect(result.summary).toContain('Variables: this run would sync 1 variable');
    expect(result.summary).toContain(`${world.project.id} (project-id).`);
    expect(result.summary).toMatch(/STRIPE_KEY<\/code> \| secret, preview and production/);
    expect(result.summary).toContain('**Gates**');
    expect(result.summary).toContain('permissions: {}');
    expect(readable(result)).not.toContain(value);
    const held = await run('gollum');
    expect(held.outputs['outcome']).toBe('skipped');
    expect(held.summary).toContain('this run would be skipped');
    const wrong = await run('schedule', { 'env-from': 'NOT_THERE', 'max-changes': 'few' });
    expect(wrong.outputs['error']).toMatch(/2 problems.*max-changes.*NOT_THERE/);
    expect(asked(world)).toEqual([]);
  });

  it('says before what the run then does', async () => {
    await using world = await startPullRequest({ buildMs: 20, verifyMs: 20 });
    const inputs = { 'env-from': 'STRIPE_KEY' };
    const env = { STRIPE_KEY: value };
    const explained = await world.run('opened', { inputs: { ...inputs, mode: 'explain' }, env });
    expect(world.github.journal).toEqual([]);
    const done = await world.run('opened', { inputs, env });
    expect(done.outputs['outcome']).toBe('succeeded');
    for (const output of ['commit-sha', 'project-id', 'preview-hostname']) {
      expect(explained.outputs[output], output).toBe(done.outputs[output]);
      expect(done.outputs[output]).not.toBe('');
    }
    const [record] = world.github.deployments('octo-org/octo-site');
    expect(explained.summary).toContain(`In environment ${record?.environment}`);
    expect(world.comments()).toHaveLength(1);
    expect(explained.summary).toMatch(/On pull request #\u200d7/);
    expect(world.project.variables.map(({ name }) => name)).toEqual(['STRIPE_KEY']);
    expect(explained.summary).toContain('STRIPE_KEY');
  });
});
