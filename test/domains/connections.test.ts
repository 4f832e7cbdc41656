import { describe, expect, it } from 'vitest';
import type { DialectOptions, EmulatedProject, FaultSpec } from '../../emulator/index.ts';
import { writesTo } from '../support/domains.ts';
import { startWorld, type World } from '../support/world.ts';
import { planDomainsOf, resultsOf, runDomains } from './run.ts';

const hostname = 'www.example.com';
const siteOf = (entry: object | null) => ({ 'connected-domains': { [hostname]: entry } });

async function startPlaces(dialect: DialectOptions = {}): Promise<[World, EmulatedProject]> {
  const world = await startWorld({ dialect });
  const [other] = world.emulator.world.createProjects(1);
  if (other === undefined) throw new Error('no project was made');
  return [world, other];
}

type Place = 'unconnected' | 'unassigned' | 'self' | 'other';

/** What is done where a domain is at a place, and where it is then. */
const moves: readonly (readonly [Place, object | null, readonly string[], Place])[] = [
  ['unconnected', { project: 'self' }, ['connect', 'assign'], 'self'],
  ['unconnected', { project: null }, ['connect'], 'unassigned'],
  ['unconnected', {}, ['connect'], 'unassigned'],
  ['unconnected', null, ['connect'], 'unassigned'],
  ['unassigned', { project: 'self' }, ['assign'], 'self'],
  ['unassigned', { project: null }, [], 'unassigned'],
  ['unassigned', {}, [], 'unassigned'],
  ['self', { project: 'self' }, [], 'self'],
  ['self', { project: null }, ['clear'], 'unassigned'],
  ['self', {}, [], 'self'],
  ['other', { project: 'self' }, ['assign'], 'self'],
  ['other', { project: null }, ['clear'], 'unassigned'],
  ['other', null, [], 'other'],
];

const dialects: readonly (readonly [string, DialectOptions])[] = [
  ['null, moves', { unassigned: 'null' }],
  ['absent, 409', { unassigned: 'absent', assignedElsewhere: '409' }],
  ['empty, 409', { unassigned: 'empty', assignedElsewhere: '409', extraFields: true }],
];

describe.concurrent('a connected domain', () => {
  it.each(
    moves.flatMap(([from, entry, actions, to]) =>
      dialects.map(([words, dialect]) => ({ from, entry, actions, to, words, dialect })),
    ),
  )(
    'that is $from, declared as $entry: $actions ($words)',
    async ({ from, entry, actions, to, dialect }) => {
      const [opened, other] = await startPlaces(dialect);
      await using world = opened;
      const { emulator, project } = world;
      const ids = { unconnected: null, unassigned: null, self: project.id, other: other.id };
      if (from !== 'unconnected') emulator.world.connectDomain(hostname, ids[from] ?? undefined);
      const plan = await planDomainsOf(world, siteOf(entry));
      expect(plan.changes.map(({ action }) => action)).toEqual(actions);
      expect(writesTo(emulator)).toEqual([]);
      const applied = await runDomains(world, siteOf(entry));
      expect(applied).toMatchObject({ outcome: 'synced', digest: plan.digest });
      expect(resultsOf(applied)['done'] ?? []).toEqual(
        actions.map((action) => `${hostname}, ${action}`),
      );
      expect(emulator.world.domains.all).toMatchObject([{ hostname, projectId: ids[to] }]);
      expect(applied.connected).toMatchObject([{ hostname, projectId: ids[to] ?? '' }]);
      expect((await planDomainsOf(world, siteOf(entry))).changes).toEqual([]);
    },
  );

  it('that is not declared is left alone', async () => {
    const [opened, other] = await startPlaces();
    await using world = opened;
    world.emulator.world.connectDomain('other.example.com', other.id);
    const { connected } = await runDomains(world, siteOf({ project: 'self' }));
    expect(connected.map((domain) => domain.hostname)).toEqual([hostname]);
    expect(world.emulator.world.domains.all[0]?.projectId).toBe(other.id);
  });

  it.each<readonly [string, DialectOptions]>([
    ['is refused', { duplicateHostname: '409' }],
    ['is refused, and so is its move', { duplicateHostname: '409', assignedElsewhere: '409' }],
    ['gives that one', { duplicateHostname: 'same' }],
  ])('that somebody connects in the same moment, where a second one %s', async (_, dialect) => {
    const [opened, other] = await startPlaces({ latencyMs: 15, ...dialect });
    await using world = opened;
    const { emulator, project } = world;
    const race = emulator.journal
      .waitFor(({ operation }) => operation === 'connectDomain')
      .then(() => emulator.world.connectDomain(hostname, other.id));
    const report = await runDomains(world, siteOf({ project: 'self' }));
    await race;
    expect(report.outcome).toBe('synced');
    expect(resultsOf(report)).toEqual({ done: [`${hostname}, connect`, `${hostname}, assign`] });
    expect(emulator.world.domains.all).toMatchObject([{ hostname, projectId: project.id }]);
  });

  it('cannot be given to a project that is not there: the run fails and says so', async () => {
    await using world = await startWorld();
    const project = '00000000-0000-4000-8000-000000000000';
    const report = await runDomains(world, siteOf({ project }));
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('Could not assign the domain');
    expect(resultsOf(report)).toEqual({
      done: [`${hostname}, connect`],
      failed: [`${hostname}, assign`],
    });
  });
});

const projectsSent = (world: World): unknown[] =>
  world.emulator.journal
    .of('assignDomain')
    .map(({ body }) =>
      typeof body === 'object' && body !== null ? Reflect.get(body, 'projectId') : body,
    );

/** A domain on another project, of a service that wants it cleared before it is moved. */
async function startMove(dialect: DialectOptions = {}) {
  const [world, other] = await startPlaces({ assignedElsewhere: '409', ...dialect });
  world.emulator.world.connectDomain(hostname, other.id);
  return { world, other };
}

const status = (code: number, effect = false) =>
  ({ kind: 'status', status: code, effect }) as const;
/** The assignment that is refused comes first, then the clearing. */
const theClearing = { operation: 'assignDomain', after: 1 };
const theSecondAssignment = { operation: 'assignDomain', after: 2 };
const allTries = { times: 5 };

describe.concurrent('a move that a service refuses until the domain is cleared', () => {
  it.each<readonly [string, FaultSpec]>([
    ['is refused again', { ...theSecondAssignment, ...status(409) }],
    ['is refused for another reason', { ...theSecondAssignment, ...status(422) }],
    ['fails for good', { ...theSecondAssignment, ...allTries, ...status(503) }],
  ])('and then %s leaves the domain on its former project', async (_, fault) => {
    const { world: opened, other } = await startMove();
    await using world = opened;
    world.emulator.faults.add(fault);
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('Could not ');
    expect(report.error).toContain(`${hostname} serves its former project again`);
    expect(world.emulator.world.domains.all).toMatchObject([{ hostname, projectId: other.id }]);
    expect(report.connected).toMatchObject([{ hostname, projectId: other.id }]);
    expect(projectsSent(world).at(-1)).toBe(other.id);
    const keys = writesTo(world.emulator).map(({ body }) =>
      Reflect.get(Object(body), 'idempotencyKey'),
    );
    // Assign, clear, assign again, assign back.
    expect(new Set(keys).size).toBe(4);
  });

  it('and cannot be cleared leaves the domain where it is', async () => {
    const { world: opened, other } = await startMove();
    await using world = opened;
    world.emulator.faults.add({ ...theClearing, ...allTries, ...status(503) });
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`${hostname} serves its former project again`);
    expect(world.emulator.world.domains.all).toMatchObject([{ hostname, projectId: other.id }]);
    expect(projectsSent(world)).not.toContain(other.id);
  });

  it('and is cleared without an answer goes on where a look shows it', async () => {
    const { world: opened } = await startMove();
    await using world = opened;
    const { emulator, project } = world;
    emulator.faults.add({ ...theClearing, ...allTries, ...status(503, true) });
    expect((await runDomains(world, siteOf({ project: 'self' }))).outcome).toBe('synced');
    expect(emulator.world.domains.all).toMatchObject([{ hostname, projectId: project.id }]);
  });

  it('and that cannot be put back either is said to be on no project', async () => {
    const { world: opened } = await startMove();
    await using world = opened;
    world.emulator.faults.add({ ...theSecondAssignment, times: 2, ...status(422) });
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(`${hostname} may have no project now`);
    expect(report.connected).toMatchObject([{ hostname, projectId: '' }]);
  });

  it('and whose answers are all lost is done where a look shows it', async () => {
    const { world: opened } = await startMove();
    await using world = opened;
    const { emulator, project } = world;
    emulator.faults.add({ ...theSecondAssignment, ...allTries, ...status(503, true) });
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('synced');
    expect(emulator.world.domains.all).toMatchObject([{ hostname, projectId: project.id }]);
  });

  it('and whose answers and first look are lost is done where the next look shows it', async () => {
    const { world: opened } = await startMove();
    await using world = opened;
    const { emulator, project } = world;
    emulator.faults.add({ ...theSecondAssignment, ...allTries, ...status(503, true) });
    // Two looks come before the domain is cleared.
    emulator.faults.add({ operation: 'readConnectedDomain', after: 2, ...status(403) });
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('synced');
    expect(emulator.world.domains.all).toMatchObject([{ hostname, projectId: project.id }]);
  });

  it('and whose clearing is refused leaves it where it was, and sends no more', async () => {
    const { world: opened, other } = await startMove();
    await using world = opened;
    const { emulator, project } = world;
    emulator.faults.add({ ...theClearing, ...status(422) });
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('failed');
    expect(projectsSent(world)).toEqual([project.id, null]);
    expect(report.connected).toMatchObject([{ hostname, projectId: other.id }]);
  });

  it('is not cleared where a 409 only repeats what was done', async () => {
    const { world: opened } = await startMove({
      assignedElsewhere: 'moves',
      idempotency: 'conflict',
    });
    await using world = opened;
    const { emulator, project } = world;
    emulator.faults.add({ operation: 'assignDomain', kind: 'reset-after' });
    const report = await runDomains(world, siteOf({ project: 'self' }));
    expect(report.outcome).toBe('synced');
    expect(projectsSent(world)).toEqual([project.id, project.id]);
  });

  it('is not cleared where somebody moved it in the meantime', async () => {
    const { world: opened } = await startMove({ latencyMs: 15 });
    await using world = opened;
    const { emulator, project } = world;
    const [third] = emulator.world.createProjects(1);
    if (third === undefined) throw new Error('no project was made');
    const race = emulator.journal
      .waitFor(({ operation }) => operation === 'assignDomain')
      .then(() => emulator.world.assignDomain(hostname, third.id));
    const report = await runDomains(world, siteOf({ project: 'self' }));
    await race;
    expect(report.outcome).toBe('failed');
    expect(projectsSent(world)).toEqual([project.id]);
    expect(report.connected).toMatchObject([{ hostname, projectId: third.id }]);
  });
});

it('is not read again if it was never connected, and so not assigned either', async () => {
  const [opened] = await startPlaces({ refuse: ['connectDomain'] });
  await using world = opened;
  const applied = await runDomains(world, siteOf({ project: 'self' }));
  expect(resultsOf(applied)).toMatchObject({ failed: [`${hostname}, connect`] });
  const read = world.emulator.journal.entries.filter(
    ({ method, path }) => method === 'GET' && path.includes(hostname),
  );
  expect(read).toEqual([]);
});
