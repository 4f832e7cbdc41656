// Attack (starting): By a forged record, or a wrong clock, a preview counts as idle; a sweep ends one that a run has just
// begun to use
// Defense: Only signed records have an age, by GitHub's clock; they are read right before the assignment is cleared and
// after it, and such a run gets its project back

import { describe, expect, it } from 'vitest';
import { asObject } from '../../src/kernel/json.ts';
import { rows } from '../support/exhaustive.ts';
import { adjust, examplePayload, labelOf } from '../support/payloads.ts';
import { killAt } from './kill-at.ts';
import {
  hostname,
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

const event = { name: 'schedule', payload: {} };

/** The inputs of the previews' workflow: leased projects, unless a test gives others. */
const leased = ({ project }: PullRequestWorld) => ({
  'project-id': '',
  'preview-projects': project.id,
});

/** Lets days pass since the newest GitHub deployment of the world was created. */
function pass(days: number, { github }: PullRequestWorld): void {
  const at = new Date(Date.now() - days * 86_400_000).toISOString();
  Object.assign(github.deployments(repository).at(-1) ?? {}, { created_at: at });
}

/** The options of a sweep that ends what is older than a week. */
const sweeping = (world: PullRequestWorld, inputs: Record<string, string> = {}) => ({
  event,
  inputs: { ...leased(world), deploy: 'false', 'preview-idle': '7d', ...inputs },
});

const sweep = (world: PullRequestWorld, inputs?: Record<string, string>) =>
  world.run('opened', sweeping(world, inputs));

const deploy = (world: PullRequestWorld, inputs: Record<string, string> = {}) =>
  world.run('opened', { inputs: { ...leased(world), ...inputs } });

const projectOf = ({ emulator }: PullRequestWorld) =>
  emulator.world.domains.all.find((domain) => domain.hostname === hostname)?.projectId;

/** A world whose preview was released some days ago. */
async function startAged(days = 8, inputs: Record<string, string> = {}) {
  const world = await startPullRequest();
  await deploy(world, inputs);
  pass(days, world);
  return world;
}

/** A run of the pull request that goes on until a test lets it end, and whose record exists. */
async function startHeld(world: PullRequestWorld) {
  const { emulator, github } = world;
  const { promise: built, resolve: build } = Promise.withResolvers<void>();
  const fault = emulator.faults.add({
    operation: 'createDeployment',
    kind: 'hold',
    until: () => built,
  });
  const before = github.deployments(repository).length;
  const { promise: recorded, resolve: record } = Promise.withResolvers<void>();
  github.on('repos/create-deployment-status', () => {
    if (github.deployments(repository).length > before) record();
  });
  const done = world.run('synchronize', { inputs: leased(world) });
  await recorded;
  await emulator.journal.waitFor(() => fault.fired === 1);
  const end = async () => {
    build();
    return await done;
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}

describe.concurrent('a sweep with preview-idle', () => {
  it.each<[string, Record<string, string>]>([
    ['of leased projects', {}],
    ['of a project', { 'preview-projects': '', 'project-id': 'given' }],
    ['in a shared environment', { 'environment-name': 'preview' }],
  ])('ends a preview whose last release is older, %s', async (_, given) => {
    await using world = await startPullRequest();
    const inputs = { ...given };
    if (given['project-id'] !== undefined) inputs['project-id'] = world.project.id;
    await deploy(world, inputs);
    pass(8, world);
    const { outputs, summary, annotations } = await sweep(world, inputs);
    expect(outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
    expect(annotations).toEqual([]);
    expect(projectOf(world)).toBeNull();
    expect(world.states()).toEqual(['inactive']);
    expect(summary).toContain(`${hostname} (pull request 7, idle) is no longer assigned`);
    const [comment = '', ...more] = world.comments();
    expect(more).toEqual([]);
    expect(comment).toContain('is removed');
    expect(comment).toContain('The last release is more than 7d old');
    expect(comment).toContain('push a commit, or rerun the job that deployed it');
    expect(comment).not.toContain('pull request is closed');
    expect(world.github.violations).toEqual([]);
    const again = await sweep(world, inputs);
    expect(again.outputs['outcome']).toBe('synced');
  });

  it.each<[string, string, object]>([
    ['a push', 'synchronize', {}],
    ['a rerun of its last run', 'opened', { github: { runId: '101', runAttempt: '2' } }],
  ])('ends what %s brings back, with its comment', async (_, action, options) => {
    await using world = await startAged();
    await sweep(world);
    expect(world.comments().join()).toContain('is removed');
    const { outputs, log } = await world.run(action, { inputs: leased(world), ...options });
    expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(projectOf(world)).toBe(world.project.id);
    expect(world.states()).toEqual(['inactive', 'success']);
    expect(world.comments()).toEqual([expect.stringContaining('is live')]);
    expect(log.join('\n')).not.toContain('SD8009');
    const next = await sweep(world);
    expect(next.outputs['outcome']).toBe('synced');
  });

  it('keeps a preview that was released since', async () => {
    await using world = await startAged(6);
    const { outputs } = await sweep(world);
    expect(outputs['outcome']).toBe('synced');
    expect(projectOf(world)).toBe(world.project.id);
    const hours = await sweep(world, { 'preview-idle': '143h' });
    expect(hours.outputs['outcome']).toBe('cleaned-up');
  });

  it.each(['keep-preview', 'Keep-Preview'])('keeps one with the label %s', async (name) => {
    await using world = await startAged();
    const { github } = world;
    const pull = github.pullRequests.get(`${repository}#${number}`);
    if (pull === undefined) throw new Error('no pull request');
    Object.assign(pull, { labels: [labelOf('bug'), labelOf(name)] });
    const { outputs, annotations } = await sweep(world);
    expect(outputs['outcome']).toBe('synced');
    expect(annotations).toEqual([]);
    expect(projectOf(world)).toBe(world.project.id);
    Object.assign(pull, { labels: [labelOf('bug')] });
    expect((await sweep(world)).outputs['outcome']).toBe('cleaned-up');
  });

  it('keeps one with a run in progress, however old its record is', async () => {
    await using world = await startAged();
    await using held = await startHeld(world);
    pass(8, world);
    const { outputs } = await sweep(world);
    expect(outputs['outcome']).toBe('synced');
    expect(projectOf(world)).toBe(world.project.id);
    expect((await held.end()).outputs['outcome']).toBe('succeeded');
  });

  it.each<[string, Record<string, string>]>([
    ['without GitHub deployments', { 'github-deployment': 'false' }],
    ['with those of another key', { 'env-ledger-key': 'fake-key-of-another-workflow' }],
    ['with those of another environment', { 'environment-name': 'elsewhere' }],
  ])('knows no age %s', async (_, inputs) => {
    await using world = await startAged(8, inputs);
    const { outputs, annotations } = await sweep(world);
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(annotations).toEqual([]);
    expect(projectOf(world)).toBe(world.project.id);
  });

  it('believes no record that is not signed', async () => {
    await using world = await startAged(8);
    const [made] = world.github.deployments(repository);
    Object.assign(asObject(asObject(made?.payload)?.['record']) ?? {}, { signature: 'x' });
    expect((await sweep(world)).outputs['outcome']).toBe('synced');
    expect(projectOf(world)).toBe(world.project.id);
  });

  it.each(['pulls', 'deployments'] as const)(
    "keeps what it can't read, with a warning: %s",
    async (what) => {
      await using world = await startAged();
      world.github.trouble = { [what]: 'forbidden' };
      const { outputs, annotations } = await sweep(world);
      expect(outputs['outcome']).toBe('synced');
      expect(annotations).toMatchObject([{ level: 'warning' }]);
      expect(projectOf(world)).toBe(world.project.id);
    },
  );

  it('measures ages by the clock of GitHub', async () => {
    await using world = await startAged(8);
    const { github } = world;
    const pull = github.pullRequests.get(`${repository}#${number}`);
    const date = new Date(Date.now() - 5 * 86_400_000).toUTCString();
    github.trouble = ({ operationId }) =>
      operationId === 'pulls/get'
        ? { status: 200, headers: { date }, body: { ...pull, labels: [] } }
        : undefined;
    expect((await sweep(world)).outputs['outcome']).toBe('synced');
    expect(projectOf(world)).toBe(world.project.id);
  });

  it('looks again right before the write: a run that has begun keeps its preview', async () => {
    await using world = await startAged();
    const held = Promise.withResolvers<Awaited<ReturnType<typeof startHeld>>>();
    const until = async () => held.resolve(await startHeld(world));
    world.emulator.faults.add({ operation: 'readConnectedDomain', kind: 'hold', until });
    const { outputs } = await sweep(world);
    await using run = await held.promise;
    expect(outputs['outcome']).toBe('synced');
    expect(world.emulator.journal.of('assignDomain')).toEqual([]);
    expect((await run.end()).outputs).toMatchObject({ outcome: 'succeeded' });
    expect(projectOf(world)).toBe(world.project.id);
    expect(world.states()).toEqual(['inactive', 'success']);
  });

  it('looks again after the write: a run that began meanwhile has its project back', async () => {
    await using world = await startAged();
    const held = Promise.withResolvers<Awaited<ReturnType<typeof startHeld>>>();
    const until = async () => held.resolve(await startHeld(world));
    world.emulator.faults.add({ operation: 'assignDomain', kind: 'hold', until });
    const { outputs, log } = await sweep(world);
    await using run = await held.promise;
    expect(outputs['outcome']).toBe('synced');
    expect(log.join('\n')).toContain(`${hostname} is assigned again: it is in use`);
    expect(projectOf(world)).toBe(world.project.id);
    expect((await run.end()).outputs).toMatchObject({ outcome: 'succeeded' });
    expect(world.states()).toEqual(['inactive', 'success']);
    expect(world.comments()).toEqual([expect.stringContaining('is live')]);
  });

  it('ends it once where the answer to the write is lost', async () => {
    await using world = await startAged();
    world.emulator.faults.add({ operation: 'assignDomain', kind: 'reset-after' });
    const { outputs } = await sweep(world);
    expect(outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
    expect(projectOf(world)).toBeNull();
    expect(world.states()).toEqual(['inactive']);
  });

  const kills = [
    ...[1, 2, 3, 4].map((n) => ['service', n] as const),
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ['GitHub', n] as const),
  ];
  it.each(rows(kills, 3))(
    "that is killed at request %s %i ends no run's preview, and a push brings it back",
    async (side, n) => {
      await using world = await startAged();
      await killAt(world, side, n, () => world.start('opened', sweeping(world)));
      await sweep(world);
      expect(projectOf(world)).toBeNull();
      const { outputs } = await world.run('synchronize', { inputs: leased(world) });
      expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
      expect(projectOf(world)).toBe(world.project.id);
      expect(world.states()).toEqual(['inactive', 'success']);
      expect(world.comments()).toEqual([expect.stringContaining('is live')]);
    },
  );
});

/** The requests of a run to both servers, in order. */
async function requestsOf(world: PullRequestWorld, run: () => Promise<unknown>) {
  const { emulator, github } = world;
  const [served, asked] = [emulator.journal.entries.length, github.journal.length];
  await run();
  return {
    service: emulator.journal.entries.slice(served).map(({ operation }) => operation),
    github: github.journal.slice(asked).map(({ operationId }) => operationId),
  };
}

describe.concurrent('without preview-idle', () => {
  it('a sweep reads no records of an open pull request, however old they are', async () => {
    await using world = await startAged(800);
    const requests = await requestsOf(world, () => sweep(world, { 'preview-idle': '' }));
    expect(requests).toEqual({ service: ['listConnectedDomains'], github: ['pulls/get'] });
  });

  it('a sweep ends the preview of a closed one by the same requests', async () => {
    await using world = await startAged();
    world.close();
    const { service, github } = await requestsOf(world, () => sweep(world, { 'preview-idle': '' }));
    expect(service).toEqual([
      'listConnectedDomains',
      'readConnectedDomain',
      'assignDomain',
      'readConnectedDomain',
    ]);
    expect(github.toSorted()).toEqual([
      'issues/get-comment',
      'issues/get-comment',
      'issues/list-comments',
      'issues/update-comment',
      'pulls/get',
      'repos/create-deployment-status',
      'repos/list-deployment-statuses',
      'repos/list-deployments',
      'users/get-authenticated',
    ]);
  });
});

/** A run of pull request 7 that finds all projects in use by others, which were released some days ago. */
async function runWithoutProject(inputs: Record<string, string>) {
  await using world = await startPullRequest();
  const { emulator, github, project } = world;
  const projects = [project, await emulator.world.createProject()];
  const pool = { 'project-id': '', 'preview-projects': projects.map(({ id }) => id).join('\n') };
  const own = github.pullRequests.get(`${repository}#${number}`);
  if (own === undefined) throw new Error('no pull request');
  for (const [other, days] of [
    [8, 3],
    [9, 12],
  ] as const) {
    github.pullRequests.set(`${repository}#${other}`, { ...own, number: other });
    const payload = adjust(examplePayload('pull_request', 'opened'), {
      number: other,
      'pull_request.number': other,
      'pull_request.head.sha': await project.head(),
      'pull_request.head.repo.full_name': repository,
      'pull_request.base.repo.full_name': repository,
    });
    await world.run('opened', { event: { name: 'pull_request', payload }, inputs: pool });
    pass(days, world);
  }
  const before = github.journal.length;
  const { outputs } = await world.run('opened', { inputs: { ...pool, ...inputs } });
  const asked = github.journal.slice(before).map(({ operationId }) => operationId);
  return { outputs, asked };
}

describe.concurrent('a run that finds no free project', () => {
  it('names the longest idle preview with preview-idle', async () => {
    const { outputs } = await runWithoutProject({ 'preview-idle': '7d' });
    expect(outputs['skipped-reason']).toBe('no-free-preview-project');
    const day = new Date(Date.now() - 12 * 86_400_000).toISOString().slice(0, 10);
    expect(outputs['error']).toContain(
      `in use, by #8, #9. The longest idle is pr-9.preview.example.com (#9), last released on ${day}. Close one of them, or add a project`,
    );
  });

  it('names none without it, and reads no records of others', async () => {
    const { outputs, asked } = await runWithoutProject({});
    expect(outputs['error']).toContain('in use, by #8, #9. Close one of them');
    // Its own record, and its own comment.
    expect(asked.filter((operation) => operation?.startsWith('repos/')).toSorted()).toEqual([
      'repos/create-deployment',
      'repos/create-deployment-status',
      'repos/create-deployment-status',
      'repos/list-deployments',
      'repos/list-deployments',
    ]);
  });
});
