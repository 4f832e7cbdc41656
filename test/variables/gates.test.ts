import { describe, expect, it } from 'vitest';
import { runEnvSync, valuesOf } from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import type { World } from '../support/world.ts';
import { startDrifted, warningsTold } from './drifted.ts';

describe.concurrent('a reviewed plan', () => {
  const gates = (expectedPlan: string) => ({ expectedPlan, maxChanges: undefined });

  it('is applied while it is still the plan', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const { environment } = await runEnvSync(world, { ...request, planOnly: true });
    const digest = environment?.digest ?? '';
    const applied = await runEnvSync(world, { ...request, gates: gates(digest) });
    expect(applied.outcome).toBe('synced');
    expect(valuesOf(world.project)).toMatchObject({ C: desired('C').value, D: desired('D').value });
  });

  const changes: readonly (readonly [string, (world: World) => void])[] = [
    ['a rotation by hand', ({ project }) => project.setVariable({ name: 'A', value: 'by hand' })],
    [
      'a rotation of what is replaced',
      ({ project }) => project.setVariable({ name: 'C', value: 'x' }),
    ],
    ['a removal', ({ project }) => project.deleteVariable('B')],
    ['a creation', ({ project }) => project.setVariable({ name: 'D', value: 'by hand' })],
  ];
  it.each(changes)('is refused after %s, and nothing is written', async (_, change) => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const { environment } = await runEnvSync(world, { ...request, planOnly: true });
    const digest = environment?.digest ?? '';
    change(world);
    const before = [...world.project.variables];
    const refused = await runEnvSync(world, { ...request, gates: gates(digest) });
    expect(refused).toMatchObject({ outcome: 'conflict', environment: { isPlanned: true } });
    expect(refused.error).toContain('the plan differs from the reviewed one');
    expect(refused.error).toContain(refused.environment?.digest);
    expect(world.project.variables).toEqual(before);
  });

  it('that was carried out meanwhile is no reason to refuse: there is nothing to do', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const { environment } = await runEnvSync(world, { ...request, planOnly: true });
    await runEnvSync(world, request);
    const again = await runEnvSync(world, { ...request, gates: gates(environment?.digest ?? '') });
    expect(again).toMatchObject({ outcome: 'synced', environment: { changes: [] } });
  });

  it('that is not the plan is said by a plan, which does not fail', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const report = await runEnvSync(world, {
      ...request,
      planOnly: true,
      gates: gates('0'.repeat(64)),
    });
    expect(report.outcome).toBe('planned');
    expect(warningsTold(world)).toEqual([expect.stringContaining("This plan can't be applied.")]);
  });
});

describe.concurrent('a plan that changes two of four', () => {
  it.each([
    ['2', { count: 2 }, 'synced'],
    ['1', { count: 1 }, 'failed'],
    ['0', { count: 0 }, 'failed'],
    ['50%', { percent: 50 }, 'synced'],
    ['49%', { percent: 49 }, 'failed'],
    ['0%', { percent: 0 }, 'failed'],
    ['100%', { percent: 100 }, 'synced'],
  ] as const)('under max-changes %s is %s', async (_, maxChanges, outcome) => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const before = [...world.project.variables];
    const gates = { expectedPlan: undefined, maxChanges };
    const report = await runEnvSync(world, { ...request, gates });
    expect(report.outcome).toBe(outcome);
    if (outcome === 'synced') return;
    expect(report.error).toContain('the plan changes 2 of 4');
    expect(world.project.variables).toEqual(before);
  });

  it('counts a variable whose value and targets change once, and a deletion', async () => {
    await using setting = await startDrifted();
    const { world, request } = setting;
    const variables = [
      desired('A', { value: 'other fake', preview: false }),
      desired('C', { value: 'old' }),
    ];
    const sync = (count: number) =>
      runEnvSync(world, {
        ...request,
        variables,
        removals: removing('B'),
        gates: { expectedPlan: undefined, maxChanges: { count } },
      });
    expect((await sync(1)).error).toContain('the plan changes 2 of 3');
    expect((await sync(2)).outcome).toBe('synced');
  });
});
