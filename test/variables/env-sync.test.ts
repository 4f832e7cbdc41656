import { describe, expect, it } from 'vitest';
import { operationsDuring, runEnvSync, valuesOf } from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import { startWorld } from '../support/world.ts';
import { four, startDrifted } from './drifted.ts';

describe.concurrent('a plan', () => {
  it('is one GET, names what would change, and writes nothing', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const kept = request.ledgers.kept.get(world.project.id);
    const before = [...world.project.variables];
    const operations = await operationsDuring(world, async () => {
      const { outcome, environment } = await runEnvSync(world, { ...request, planOnly: true });
      expect(outcome).toBe('planned');
      expect(environment?.changes.map(({ name, action }) => [name, action])).toEqual([
        ['C', 'replace'],
        ['D', 'create'],
      ]);
      expect(environment?.variables.map(({ name, outcome: one }) => [name, one])).toEqual([
        ['A', 'unchanged'],
        ['B', 'unchanged'],
        ['C', 'replaced'],
        ['D', 'created'],
      ]);
    });
    expect(operations).toEqual(['readEnvironment']);
    expect(world.project.variables).toEqual(before);
    expect(request.ledgers.kept.get(world.project.id)).toBe(kept);
  });

  it('shows deletions and what a policy would leave alone, too', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    world.project.setVariable({ name: 'C', value: 'by hand' });
    const { environment } = await runEnvSync(world, {
      ...request,
      variables: [desired('A'), desired('C')],
      onConflict: 'keep',
      removals: removing('B'),
      planOnly: true,
    });
    expect(environment?.variables).toMatchObject([
      { name: 'A', outcome: 'unchanged' },
      { name: 'C', outcome: 'kept' },
      { name: 'B', outcome: 'deleted' },
    ]);
    expect(environment?.changes).toMatchObject([{ name: 'B', action: 'delete' }]);
    expect(world.project.variables).toHaveLength(3);
  });
});

describe.concurrent('a variable that the service has as secret', () => {
  it.each([
    ['overwrite', false],
    ['keep', false],
    ['overwrite', true],
  ] as const)('is refused in env, under %s, planned: %s', async (onConflict, planOnly) => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'TOKEN', value: 'fake-by-hand', kind: 'secret' });
    const open = { kind: 'plain', source: 'env' } as const;
    const variables = [desired('NEW', open), desired('TOKEN', open)];
    const report = await runEnvSync(world, { variables, onConflict, planOnly });
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(/TOKEN as secret.*env-from.*SD4015/);
    expect(valuesOf(world.project)).toEqual({ TOKEN: 'fake-by-hand' });
  });
});

describe.concurrent('the end of a sync', () => {
  it.each([
    ['honest', true, true],
    ['always-false', false, false],
    ['absent', undefined, undefined],
  ] as const)(
    'tells the flags of the runtimes as the service gives them: %s',
    async (flags, stale, pending) => {
      await using world = await startWorld({ dialect: { pendingFlags: flags } });
      const { environment } = await runEnvSync(world, { variables: four });
      expect(environment?.runtime).toMatchObject({ stale, pending });
    },
  );

  it('is a conflict that names the variable and both versions', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    world.project.setVariable({ name: 'A', value: 'by hand' });
    const report = await runEnvSync(world, { ...request, onConflict: 'fail' });
    expect(report.outcome).toBe('conflict');
    expect(report.error).toContain(
      'A: changed outside this action or by an unconfirmed write (now version 2, this action wrote version 1)',
    );
    expect(valuesOf(world.project)).toMatchObject({ A: 'by hand', D: desired('D').value });
  });

  it('keeps what was written in the ledger although a write failed', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const times = Number.POSITIVE_INFINITY;
    const failure = { kind: 'status', status: 500, effect: false } as const;
    const fault = world.emulator.faults.add({ operation: 'replaceVariable', times, ...failure });
    const failed = await runEnvSync(world, request);
    expect(failed.outcome).toBe('failed');
    fault.remove();
    const operations = await operationsDuring(world, () => runEnvSync(world, request));
    expect(operations).toEqual(['readEnvironment', 'replaceVariable']);
  });

  it('counts its requests', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const before = world.client.requests;
    const { requests } = await runEnvSync(world, request);
    expect(requests - before).toBe(3);
  });
});
