import { describe, expect, it } from 'vitest';
import { leaseProject } from '../../src/deploy/previews/lease.ts';
import { hostnameMatcher } from '../../src/deploy/previews/model/preview-hostname.ts';
import { rows } from '../support/exhaustive.ts';
import { startWorld, type World } from '../support/world.ts';

const matcher = hostnameMatcher('pr-{number}.p.example.com', { owner: 'o', repo: 'r' });
const hostnameOf = (number: number) => `pr-${number}.p.example.com`;

async function projectsOf(world: World, count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, () => world.emulator.world.createProject()),
  );
  return made.map(({ id }) => id);
}

const lease = (world: World, number: number, projects: readonly string[], guarded = false) =>
  leaseProject(
    {
      ...world,
      host: { ...world.host, random: Math.random },
      keyFor: (operation, target) => `${number} ${operation} ${target}`,
    },
    { hostname: hostnameOf(number), projects, matcher, guarded, guard: () => undefined },
  );

const assignments = (world: World): Record<string, string | null> =>
  Object.fromEntries(
    world.emulator.world.domains.all.map(({ hostname, projectId }) => [hostname, projectId]),
  );

describe('a lease', () => {
  it('is the assignment of the hostname, and is kept', async () => {
    await using world = await startWorld();
    const projects = await projectsOf(world, 3);
    const first = await lease(world, 1, projects);
    expect(assignments(world)).toEqual({
      [hostnameOf(1)]: 'projectId' in first && first.projectId,
    });
    world.emulator.journal.clear();
    expect(first).toMatchObject({ isNew: true });
    expect(await lease(world, 1, projects)).toEqual({ ...first, isNew: false });
    const operations = world.emulator.journal.entries.map(({ operation }) => operation);
    expect(operations).toEqual(['listConnectedDomains']);
  });

  it('of a project that serves another domain than a preview is given all the same', async () => {
    await using world = await startWorld();
    const projects = await projectsOf(world, 1);
    world.emulator.world.connectDomain('www.example.com', projects[0]);
    expect(await lease(world, 1, projects)).toEqual({ projectId: projects[0], isNew: true });
  });

  it('is not given of a project that serves another domain where code must not go there', async () => {
    await using world = await startWorld();
    const projects = await projectsOf(world, 2);
    world.emulator.world.connectDomain('www.example.com', projects[0]);
    world.emulator.world.connectDomain(hostnameOf(1), projects[0]);
    expect(await lease(world, 1, projects, true)).toEqual({ projectId: projects[1], isNew: true });
  });

  it('of none that is free tells who holds them, and leaves nothing behind', async () => {
    await using world = await startWorld();
    const projects = await projectsOf(world, 2);
    await lease(world, 1, projects);
    await lease(world, 2, projects);
    const third = await lease(world, 3, projects);
    expect(third).toEqual({ holders: [hostnameOf(1), hostnameOf(2)] });
    expect(assignments(world)[hostnameOf(3)] ?? null).toBeNull();
  });

  it('that two took in the same moment stays with one of them', async () => {
    await using world = await startWorld();
    const projects = await projectsOf(world, 2);
    world.emulator.world.connectDomain(hostnameOf(1), projects[0]);
    world.emulator.world.connectDomain(hostnameOf(2), projects[0]);
    const [one, two] = await Promise.all([lease(world, 1, projects), lease(world, 2, projects)]);
    expect(one).toEqual({ projectId: projects[0], isNew: false });
    expect(two).toEqual({ projectId: projects[1], isNew: true });
  });
});

describe('ten pull requests that want five projects at once', () => {
  const seeds = Array.from({ length: 20 }, (_, index) => index + 1);
  it.each(rows(seeds, 4))('never share one, and use them all (seed %i)', async (seed) => {
    await using world = await startWorld({ dialect: { seed, jitterMs: 8 } });
    const projects = await projectsOf(world, 5);
    const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
    const leases = await Promise.all(numbers.map((number) => lease(world, number, projects)));
    const held = leases.flatMap((one) => ('projectId' in one ? [one.projectId] : []));
    expect(new Set(held).size).toBe(held.length);
    expect(held.length).toBe(5);
    const shown = Object.values(assignments(world)).filter((projectId) => projectId !== null);
    expect(shown.sort()).toEqual([...held].sort());
  });
});
