import { describe, expect, it } from 'vitest';
import { runProjects } from '../../src/projects/apply.ts';
import type { ListIntent } from '../../src/projects/intent.ts';
import { readReport } from '../support/read-report.ts';
import { startWorld, type World } from '../support/world.ts';

const list = async (world: World, fields: Partial<ListIntent> = {}) =>
  readReport(
    await runProjects(world, {
      kind: 'list',
      filter: 'all',
      pattern: undefined,
      shard: undefined,
      ...fields,
    }),
  );

const operationsOf = ({ emulator }: World) =>
  emulator.journal.entries.map(({ operation, query }) => [operation, query]);

describe.concurrent('a fleet', () => {
  it('of 1,000 projects is listed and parted by one request each', async () => {
    await using world = await startWorld();
    world.emulator.world.createProjects(999);
    const ids = new Set<string>();
    for (const index of [1, 2, 3, 4, 5]) {
      const report = await list(world, { shard: { index, of: 5 } });
      expect(report).toMatchObject({ outcome: 'succeeded', listed: 1000 });
      expect(report.matrix.include).toHaveLength(200);
      for (const entry of report.matrix.include) ids.add(entry['project-id']);
      world.project.sendMessage({ content: 'The order of the list changes with each activity.' });
    }
    expect(ids).toEqual(new Set(world.emulator.world.projects.map(({ id }) => id)));
    expect(operationsOf(world)).toEqual(Array(5).fill(['listProjects', { filter: 'all' }]));
  });

  it('of 257 is too many for one matrix: an error that says how to part them', async () => {
    await using world = await startWorld();
    world.emulator.world.createProjects(256);
    const report = await list(world);
    expect(report).toMatchObject({ outcome: 'failed', matrix: { include: [] } });
    expect(report.error).toContain('257 projects');
    expect(report.error).toContain('shard: 1/2 to 2/2');
    const halves = await list(world, { shard: { index: 2, of: 2 } });
    expect(halves).toMatchObject({ outcome: 'succeeded', matrix: { include: { length: 129 } } });
  });

  it('is narrowed by filter and name before it is parted', async () => {
    await using world = await startWorld();
    const { emulator } = world;
    for (const [index, project] of emulator.world.createProjects(8).entries()) {
      project.name = index < 6 ? `shop-${index}` : 'blog';
      project.starred = index !== 0;
    }
    const shard = { index: 1, of: 5 };
    const report = await list(world, { filter: 'starred', pattern: 'shop-*', shard });
    expect(report).toMatchObject({ outcome: 'succeeded', listed: 7, projects: { length: 1 } });
    expect(report.projects[0]?.name).toMatch(/^shop-[1-5]$/);
    expect(operationsOf(world)).toEqual([['listProjects', { filter: 'starred' }]]);
  });

  it('of which no name matches is a warning that tells the near names, or a failure', async () => {
    await using world = await startWorld();
    const { emulator, told } = world;
    for (const project of emulator.world.createProjects(2)) project.name = 'Shop-one';
    const report = await list(world, { pattern: 'shop-*' });
    expect(report).toMatchObject({ outcome: 'succeeded', projects: [] });
    expect(told).toMatchObject([{ type: 'warning' }]);
    const failed = await list(world, { pattern: 'shop-*', failOnEmpty: true });
    expect(failed).toMatchObject({ outcome: 'failed', matrix: { include: [] } });
    expect(failed.error).toContain('"Shop-one"');
  });

  it('of which some match has empty parts without a word', async () => {
    await using world = await startWorld();
    const report = await list(world, { shard: { index: 1, of: 5 }, failOnEmpty: true });
    expect(report).toMatchObject({ outcome: 'succeeded', projects: [] });
  });

  it.each(['all', 'starred', 'created', 'shared'] as const)(
    'is always asked for with its filter: %s',
    async (filter) => {
      await using world = await startWorld({ dialect: { defaultFilter: 'starred' } });
      world.project.createdByUserId = 'somebody-else';
      const report = await list(world, { filter });
      expect(report.projects.length).toBe(/all|shared/.test(filter) ? 1 : 0);
      expect(operationsOf(world)).toEqual([['listProjects', { filter }]]);
    },
  );

  it('is given as the service gives it, with fields that no table has', async () => {
    await using world = await startWorld({ dialect: { extraFields: true } });
    const { projects } = await list(world);
    const answer = await fetch(`${world.emulator.url}/v1/projects?filter=all`, {
      headers: { 'x-api-key': world.emulator.key },
    });
    expect(projects).toEqual(await answer.json());
  });

  it('without a match is an empty matrix', async () => {
    await using world = await startWorld();
    const report = await list(world, { pattern: 'no-such-*' });
    expect(report).toMatchObject({ outcome: 'succeeded', matrix: { include: [] }, listed: 1 });
  });

  it('that may not be listed is an error that says what the key lacks', async () => {
    await using world = await startWorld({ dialect: { refuse: ['listProjects'] } });
    const report = await list(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(/Could not list the projects.*403.*permission/);
  });
});
