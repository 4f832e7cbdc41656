import { describe, expect, it } from 'vitest';
import type { FaultKind, Idempotency } from '../../emulator/index.ts';
import type { CreateProject } from '../../src/contract/project.ts';
import { runProjects } from '../../src/projects/apply.ts';
import { abortOn } from '../support/abort-on.ts';
import { notesTold, statusesTold } from '../support/deploy.ts';
import { countOf } from '../support/message.ts';
import { readReport } from '../support/read-report.ts';
import { startWorld, type World } from '../support/world.ts';

const create = async (world: World, body: CreateProject = {}) =>
  readReport(await runProjects(world, { kind: 'create', body }));

/** The projects that a run created: all but the one that was there before. */
const createdIn = ({ emulator, project }: World) =>
  emulator.world.projects.filter(({ id }) => id !== project.id);

describe.concurrent('a new project', () => {
  it('is waited for until it is ready', async () => {
    await using world = await startWorld({ dialect: { provisionMs: 60 } });
    const report = await create(world);
    const [made, ...more] = createdIn(world);
    expect(more).toEqual([]);
    expect(report).toMatchObject({
      outcome: 'succeeded',
      projects: [{ projectId: made?.id, provisioningState: 'ready' }],
      matrix: { include: [{ 'project-id': made?.id, name: made?.name }] },
      created: { projectId: made?.id, initialMessageId: '', state: 'ready' },
    });
    expect(statusesTold(world)).toEqual(['provisioning', 'ready']);
  });

  it('is looked for among all projects, whoever made them', async () => {
    await using world = await startWorld({ dialect: { provisionMs: 60 } });
    await create(world);
    const filters = world.emulator.journal.of('listProjects').map(({ query }) => query['filter']);
    expect(new Set(filters)).toEqual(new Set(['all']));
  });

  it('gives a sign of life', async () => {
    await using world = await startWorld({ dialect: { provisioningEnds: 'never' } });
    abortOn(world, (told) => told.type === 'heartbeat');
    await create(world);
    expect(world.told).toContainEqual(
      expect.objectContaining({ type: 'heartbeat', status: 'provisioning' }),
    );
  });

  it('in a word that no table knows is waited for, and told once', async () => {
    const provisioningWords = { working: 'zorping' };
    await using world = await startWorld({ dialect: { provisionMs: 60, provisioningWords } });
    expect(await create(world)).toMatchObject({ outcome: 'succeeded' });
    expect(notesTold(world)).toEqual([
      expect.stringContaining('Unknown state "zorping": the step keeps waiting.'),
    ]);
  });

  it('that the list refuses to show afterwards is an error that keeps its id', async () => {
    await using world = await startWorld({ dialect: { provisionMs: 60_000 } });
    const refusal = { kind: 'status', status: 403, effect: false } as const;
    world.emulator.faults.add({ ...refusal, operation: 'listProjects', after: 1, times: 9 });
    const report = await create(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`${createdIn(world)[0]?.id} was created`);
  });

  it('that is ready at once is not asked for again', async () => {
    await using world = await startWorld();
    expect(await create(world)).toMatchObject({ outcome: 'succeeded', requests: 2 });
  });

  it.each(['READY', 'Active project', 'completed', 'provisioned'])(
    'in other words: %s',
    async (ready) => {
      const isKnown = ready !== 'Active project';
      await using world = await startWorld({
        dialect: { provisionMs: 20, provisioningWords: { ready } },
      });
      abortOn(world, (told) => !isKnown && told.type === 'status' && told.status === ready);
      const report = await create(world);
      expect(report.outcome).toBe(isKnown ? 'succeeded' : 'timed-out');
      expect(report.created?.state).toBe(ready);
    },
  );

  it.each([0, 40])('whose provisioning fails after %i ms names the error', async (provisionMs) => {
    await using world = await startWorld({
      dialect: { provisionMs, provisioningEnds: 'failure', provisioningWords: { failed: 'oops' } },
    });
    const report = await create(world);
    expect(report).toMatchObject({ outcome: 'failed', created: { state: 'oops' } });
    expect(report.error).toContain('The template could not be copied.');
    expect(report.error).toContain(createdIn(world)[0]?.id);
  });

  it('that is never ready: timed out, and its id is kept', async () => {
    await using world = await startWorld({ dialect: { provisioningEnds: 'never' } });
    abortOn(world, (told) => told.type === 'status');
    const report = await create(world);
    const id = createdIn(world)[0]?.id;
    expect(report).toMatchObject({ outcome: 'timed-out', created: { projectId: id } });
    expect(report.error).toContain(`${id} was created`);
  });

  it('is begun with a message', async () => {
    await using world = await startWorld({ dialect: { provisionMs: 30 } });
    const body = { initialPrompt: 'A shop.', model: 'm', effort: 'e', skillNames: ['s'] };
    const report = await create(world, body);
    const [made] = createdIn(world);
    expect(made?.messages).toHaveLength(1);
    const { initialPrompt: content, ...options } = body;
    expect(made?.messages[0]?.request).toMatchObject({ content, ...options });
    expect(report.created?.initialMessageId).toBe(made?.messages[0]?.id);
    expect(report.projects[0]?.initialMessageId).toBe(made?.messages[0]?.id);
  });

  it('is waited for over passing faults of the list', async () => {
    await using world = await startWorld({ dialect: { provisionMs: 40 } });
    const fault = { kind: 'status', status: 500, effect: false } as const;
    world.emulator.faults.add({ ...fault, operation: 'listProjects', after: 1, times: 6 });
    expect(await create(world)).toMatchObject({
      outcome: 'succeeded',
      created: { state: 'ready' },
    });
  });
});

const faults: readonly (readonly [string, FaultKind])[] = [
  ['a reset before it took effect', { kind: 'reset-before' }],
  ['a reset after it took effect', { kind: 'reset-after' }],
  ['an answer that is cut', { kind: 'cut-body' }],
  ['an answer that is a page', { kind: 'not-json' }],
  ['500 after it took effect', { kind: 'status', status: 500, effect: true }],
  ['429', { kind: 'status', status: 429, effect: false }],
];
const policies: readonly Idempotency[] = ['replay', 'ignore', 'conflict'];
const cases = faults.flatMap(([name, fault]) =>
  policies.map((idempotency) => ({ name, fault, idempotency })),
);

describe.concurrent('a lost answer', () => {
  it.each(cases)('$name, keys: $idempotency: one project', async ({ fault, idempotency }) => {
    await using world = await startWorld({ dialect: { idempotency } });
    world.emulator.faults.add({ ...fault, operation: 'createProject' });
    const report = await create(world);
    const [made, ...more] = createdIn(world);
    expect(more).toEqual([]);
    expect(report).toMatchObject({ outcome: 'succeeded', created: { projectId: made?.id } });
  });

  it('beside projects of somebody else is an error: nobody can tell which is ours', async () => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.faults.add({ kind: 'reset-after', operation: 'createProject' });
    const creating = create(world);
    await emulator.journal.waitFor(({ operation }) => operation === 'createProject');
    emulator.world.createProjects(1);
    const report = await creating;
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('several projects were created at the same time');
    expect(countOf(world, 'createProject')).toBe(1);
  });

  it('that is sent again says that there may be two projects', async () => {
    await using world = await startWorld();
    world.emulator.faults.add({ kind: 'reset-before', operation: 'createProject' });
    const report = await create(world);
    expect(countOf(world, 'createProject')).toBe(2);
    expect(report.uncertainties).toEqual([expect.stringMatching(/sent twice.* \(SD5205\)$/)]);
  });

  it('whose list fails afterwards is not sent again, and says that there may be a project', async () => {
    await using world = await startWorld();
    const { faults: trouble } = world.emulator;
    trouble.add({ kind: 'reset-after', operation: 'createProject' });
    const refusal = { kind: 'status', status: 403, effect: false } as const;
    trouble.add({ ...refusal, operation: 'listProjects', after: 1, times: 99 });
    const report = await create(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('A project may have been created.');
    expect(countOf(world, 'createProject')).toBe(1);
  });

  it('again and again is given up, and says that there may be a project', async () => {
    await using world = await startWorld();
    world.emulator.faults.add({ kind: 'reset-before', operation: 'createProject', times: 9 });
    const report = await create(world);
    expect(report.error).toContain('check the service before you rerun the job');
    expect(report.error).toContain('A project may have been created.');
    expect(countOf(world, 'createProject')).toBe(3);
  });

  it('at the deadline says that there may be a project', async () => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.faults.add({ kind: 'stall', effect: true, operation: 'createProject' });
    const creating = create(world);
    await emulator.journal.waitFor(({ operation }) => operation === 'createProject');
    world.abort('cancelled');
    const report = await creating;
    expect(report.outcome).toBe('cancelled');
    expect(report.error).toContain('may have been created');
  });

  it('of a refusal is none: it is sent once', async () => {
    await using world = await startWorld({ dialect: { refuse: ['createProject'] } });
    const report = await create(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('Could not create a project');
    expect(report.error).not.toContain('may have been created');
    expect(countOf(world, 'createProject')).toBe(1);
  });
});
