import { describe, expect, it } from 'vitest';
import type { LedgerKeeper } from '../../../src/commands/environment/ledger-keeper.ts';
import type { FaultKind } from '../../../src/emulator/index.ts';
import {
  memoryLedgers,
  operationsDuring,
  outcomesOf,
  syncNow,
  valuesOf,
  whenPlanned,
} from '../../support/sync.ts';
import { desired } from '../../support/variables.ts';
import { startWorld, type World } from '../../support/world.ts';

const theirs = 'the value that somebody set by hand';
const policies = ['overwrite', 'keep', 'fail'] as const;

/** A run that created KEPT and DROPPED and replaced ADOPTED, and a next one that declares KEPT alone. */
async function startPruning(world: World, policy: (typeof policies)[number]) {
  const { project } = world;
  project.setVariable({ name: 'ADOPTED', value: 'old' });
  project.setVariable({ name: 'FOREIGN', value: theirs });
  const common = { projectId: project.id, policy, ledgers: memoryLedgers() };
  const first = ['KEPT', 'DROPPED', 'ADOPTED'].map((name) => desired(name));
  await syncNow(world, { ...common, variables: first });
  return (prune = true, kept = desired('KEPT')) =>
    syncNow(world, { ...common, variables: [kept], prune });
}

describe.concurrent('pruning', () => {
  it('deletes what we created, and nothing that we only wrote or never saw', async () => {
    await using world = await startWorld();
    const next = await startPruning(world, 'overwrite');
    const { result } = await next();
    expect(outcomesOf({ result })).toEqual({ KEPT: 'unchanged', DROPPED: 'deleted' });
    expect(result.undeclared).toEqual(['ADOPTED', 'FOREIGN']);
    expect(Object.keys(valuesOf(world.project)).sort()).toEqual(['ADOPTED', 'FOREIGN', 'KEPT']);
    expect(await operationsDuring(world, next)).toEqual(['readEnvironment']);
  });

  it('that is not asked for deletes nothing', async () => {
    await using world = await startWorld();
    const next = await startPruning(world, 'overwrite');
    const { result } = await next(false);
    expect(result.undeclared).toEqual(['ADOPTED', 'DROPPED', 'FOREIGN']);
    expect(world.project.variables).toHaveLength(4);
  });

  it('without a ledger deletes nothing', async () => {
    await using world = await startWorld();
    await startPruning(world, 'overwrite');
    const request = { projectId: world.project.id, variables: [desired('KEPT')] };
    await syncNow(world, { ...request, policy: 'overwrite', prune: true });
    expect(world.project.variables).toHaveLength(4);
  });

  it('still knows what we created once we have replaced it', async () => {
    await using world = await startWorld();
    const request = { projectId: world.project.id, policy: 'overwrite', prune: true } as const;
    const ledgers = memoryLedgers();
    const sync = (...variables: ReturnType<typeof desired>[]) =>
      syncNow(world, { ...request, ledgers, variables });
    await sync(desired('KEPT'), desired('OURS'));
    await sync(desired('KEPT'), desired('OURS', { value: 'another fake value', preview: false }));
    expect(outcomesOf(await sync(desired('KEPT')))).toMatchObject({ OURS: 'deleted' });
    expect(Object.keys(valuesOf(world.project))).toEqual(['KEPT']);
  });

  it.each([
    ['overwrite', 'deleted'],
    ['keep', 'kept'],
    ['fail', 'conflict'],
  ] as const)('under %s: one that was changed by hand is %s', async (policy, outcome) => {
    await using world = await startWorld();
    const next = await startPruning(world, policy);
    world.project.setVariable({ name: 'DROPPED', value: theirs });
    const { result } = await next();
    expect(outcomesOf({ result })['DROPPED']).toBe(outcome);
    const reason = result.variables.find(({ name }) => name === 'DROPPED')?.reason;
    expect(reason).toContain('this action wrote version 1, it has version 2 now');
    const expected = policy === 'overwrite' ? undefined : theirs;
    expect(valuesOf(world.project)['DROPPED']).toBe(expected);
  });

  it.each([
    ['overwrite', 'deleted', undefined],
    ['keep', 'kept', theirs],
    ['fail', 'conflict', theirs],
  ] as const)(
    'under %s: one that is changed by hand right before its deletion is %s',
    async (policy, outcome, value) => {
      await using world = await startWorld();
      const next = await startPruning(world, policy);
      whenPlanned(world, () => world.project.setVariable({ name: 'DROPPED', value: theirs }));
      const { result } = await next();
      expect(outcomesOf({ result })['DROPPED']).toBe(outcome);
      expect(valuesOf(world.project)['DROPPED']).toBe(value);
    },
  );

  it.each(policies)(
    'leaves one of the same name that somebody else made, under %s',
    async (policy) => {
      await using world = await startWorld();
      const next = await startPruning(world, policy);
      world.project.deleteVariable('DROPPED');
      world.project.setVariable({ name: 'DROPPED', value: theirs });
      const { result } = await next();
      expect(result.undeclared).toEqual(['ADOPTED', 'DROPPED', 'FOREIGN']);
      expect(valuesOf(world.project)['DROPPED']).toBe(theirs);
    },
  );

  it('deletes nothing when a declared variable could not be written', async () => {
    await using world = await startWorld();
    const next = await startPruning(world, 'overwrite');
    const times = Number.POSITIVE_INFINITY;
    const failure = { kind: 'status', status: 500, effect: false } as const;
    const fault = world.emulator.faults.add({ operation: 'replaceVariable', times, ...failure });
    const changed = desired('KEPT', { value: 'another fake value' });
    const { result, error } = await next(true, changed);
    expect(String(error)).toContain('Could not replace the variable');
    expect(outcomesOf({ result })).toEqual({ KEPT: 'failed', DROPPED: 'not-reached' });
    expect(world.emulator.journal.of('deleteVariable')).toEqual([]);
    fault.remove();
    expect(outcomesOf(await next(true, changed))).toEqual({ KEPT: 'replaced', DROPPED: 'deleted' });
  });

  it('deletes nothing when a declared variable is a conflict', async () => {
    await using world = await startWorld();
    const next = await startPruning(world, 'fail');
    world.project.setVariable({ name: 'KEPT', value: theirs });
    expect(outcomesOf(await next())).toEqual({ KEPT: 'conflict', DROPPED: 'not-reached' });
    expect(Object.keys(valuesOf(world.project))).toContain('DROPPED');
  });

  it('deletes nothing when the service has a declared name twice', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const next = await startPruning(world, 'overwrite');
    const { name, kind, preview, production } = desired('KEPT');
    const body = { name, value: theirs, kind, preview, production };
    await world.client.createVariable(world.project.id, body);
    const { result } = await next();
    expect(result.ambiguous).toMatchObject([{ name: 'KEPT' }]);
    expect(outcomesOf({ result })).toEqual({ DROPPED: 'not-reached' });
    expect(world.project.variables).toHaveLength(5);
  });

  const faults: readonly (readonly [string, FaultKind])[] = [
    ['a reset before it took effect', { kind: 'reset-before' }],
    ['a reset after it took effect', { kind: 'reset-after' }],
    ['an answer that breaks off', { kind: 'cut-body' }],
    ['a page instead of JSON', { kind: 'not-json' }],
    ['a 500 that took effect', { kind: 'status', status: 500, effect: true }],
    ['a 500 that did not', { kind: 'status', status: 500, effect: false }],
    ['a 503 that did not', { kind: 'status', status: 503, effect: false }],
    ['an effect that comes late', { kind: 'late-effect', delayMs: 25 }],
  ];
  it.each(faults.flatMap(([name, fault]) => policies.map((policy) => ({ name, fault, policy }))))(
    'is done after $name, under $policy',
    async ({ fault, policy }) => {
      await using world = await startWorld();
      const next = await startPruning(world, policy);
      world.emulator.faults.add({ operation: 'deleteVariable', ...fault });
      const { result, error } = await next();
      expect(error).toBeUndefined();
      expect(outcomesOf({ result })).toEqual({ KEPT: 'unchanged', DROPPED: 'deleted' });
      expect(Object.keys(valuesOf(world.project)).sort()).toEqual(['ADOPTED', 'FOREIGN', 'KEPT']);
      expect(await operationsDuring(world, next)).toEqual(['readEnvironment']);
    },
  );

  it('does not delete what the service requires, and a deployment would miss it', async () => {
    await using world = await startWorld();
    const next = await startPruning(world, 'overwrite');
    world.project.setVariable({ name: 'DROPPED', value: 'fake', required: true });
    const { result } = await next();
    expect(result.undeclared).toContain('DROPPED');
    expect(Object.keys(valuesOf(world.project))).toContain('DROPPED');
  });

  it('deletes nothing that another step has created', async () => {
    await using world = await startWorld();
    const ledgers = memoryLedgers();
    const common = { projectId: world.project.id, policy: 'overwrite' as const, prune: true };
    await syncNow(world, { ...common, ledgers, variables: [desired('OURS'), desired('THEIRS')] });
    const another: LedgerKeeper = {
      open: async (id) => ({ ...(await ledgers.open(id)), scope: 'another step' }),
    };
    const { result } = await syncNow(world, {
      ...common,
      ledgers: another,
      variables: [desired('OURS')],
    });
    expect(result.undeclared).toEqual(['THEIRS']);
    expect(Object.keys(valuesOf(world.project)).sort()).toEqual(['OURS', 'THEIRS']);
  });
});
