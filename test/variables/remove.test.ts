import { describe, expect, it } from 'vitest';
import type { DialectOptions, FaultKind } from '../../emulator/index.ts';
import {
  memoryLedgers,
  operationsDuring,
  outcomesOf,
  syncNow,
  valuesOf,
  whenPlanned,
} from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const theirs = 'the value that somebody set by hand';
const policies = ['overwrite', 'keep', 'fail'] as const;

/** A run that wrote KEPT, DROPPED and ADOPTED, and a next one that declares KEPT alone and removes names. */
async function startRemoving(world: World, policy: (typeof policies)[number]) {
  const { project } = world;
  project.setVariable({ name: 'ADOPTED', value: 'old' });
  project.setVariable({ name: 'FOREIGN', value: theirs });
  const common = { projectId: project.id, policy, ledgers: memoryLedgers() };
  const first = ['KEPT', 'DROPPED', 'ADOPTED'].map((name) => desired(name));
  await syncNow(world, { ...common, variables: first });
  return (kept = desired('KEPT'), ...names: readonly string[]) => {
    const removals = removing(...(names.length === 0 ? ['DROPPED'] : names));
    return syncNow(world, { ...common, variables: [kept], removals });
  };
}

const changeByHand = ({ project }: World) =>
  void project.setVariable({ name: 'DROPPED', value: theirs });

describe.concurrent('a removal', () => {
  it('deletes what it names, and nothing else, whoever created it', async () => {
    await using world = await startWorld();
    const next = await startRemoving(world, 'overwrite');
    const { result } = await next();
    expect(outcomesOf({ result })).toEqual({ KEPT: 'unchanged', DROPPED: 'deleted' });
    expect(result.undeclared).toEqual(['ADOPTED', 'FOREIGN']);
    expect(Object.keys(valuesOf(world.project)).sort()).toEqual(['ADOPTED', 'FOREIGN', 'KEPT']);
    expect(await operationsDuring(world, next)).toEqual(['readEnvironment']);
  });

  it('deletes what somebody else made if it is named, under each policy', async () => {
    for (const policy of policies) {
      await using world = await startWorld();
      const next = await startRemoving(world, policy);
      const { result } = await next(desired('KEPT'), 'FOREIGN', 'ADOPTED');
      expect(outcomesOf({ result })).toMatchObject({ FOREIGN: 'deleted', ADOPTED: 'deleted' });
      expect(result.undeclared).toEqual(['DROPPED']);
    }
  });

  it('of what is absent sends nothing', async () => {
    await using world = await startWorld();
    const next = await startRemoving(world, 'fail');
    const gone = () => next(desired('KEPT'), 'NEVER_THERE');
    expect(await operationsDuring(world, gone)).toEqual(['readEnvironment']);
    expect(world.project.variables).toHaveLength(4);
  });

  it('without a ledger deletes what it names', async () => {
    await using world = await startWorld();
    await startRemoving(world, 'overwrite');
    const request = { projectId: world.project.id, variables: [desired('KEPT')] };
    await syncNow(world, { ...request, policy: 'fail', removals: removing('DROPPED') });
    expect(Object.keys(valuesOf(world.project)).sort()).toEqual(['ADOPTED', 'FOREIGN', 'KEPT']);
  });

  it.each([
    ['overwrite', 'deleted'],
    ['keep', 'kept'],
    ['fail', 'conflict'],
  ] as const)('under %s: one that was changed by hand is %s', async (policy, outcome) => {
    await using world = await startWorld();
    const next = await startRemoving(world, policy);
    world.project.setVariable({ name: 'DROPPED', value: theirs });
    const { result } = await next();
    expect(outcomesOf({ result })['DROPPED']).toBe(outcome);
    const reason = result.variables.find(({ name }) => name === 'DROPPED')?.reason;
    expect(reason).toContain('now version 2, this action wrote version 1');
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
      const next = await startRemoving(world, policy);
      whenPlanned(world, () => world.project.setVariable({ name: 'DROPPED', value: theirs }));
      const { result } = await next();
      expect(outcomesOf({ result })['DROPPED']).toBe(outcome);
      expect(valuesOf(world.project)['DROPPED']).toBe(value);
    },
  );

  it.each([
    ['overwrite', 'deleted', undefined],
    ['keep', 'kept', theirs],
    ['fail', 'conflict', theirs],
  ] as const)(
    'under %s: one of the same name that somebody made anew is %s',
    async (policy, outcome, value) => {
      await using world = await startWorld();
      const next = await startRemoving(world, policy);
      world.project.deleteVariable('DROPPED');
      world.project.setVariable({ name: 'DROPPED', value: theirs });
      const { result } = await next();
      expect(outcomesOf({ result })['DROPPED']).toBe(outcome);
      expect(valuesOf(world.project)['DROPPED']).toBe(value);
    },
  );

  /** Changes DROPPED by hand where a run can hardly see it. */
  const hidden: readonly (readonly [string, DialectOptions, (world: World) => void])[] = [
    ['answers to writes are empty', { writeBody: 'empty' }, changeByHand],
    ['answers to writes have no content', { writeBody: 'no-content' }, changeByHand],
    [
      'the answer to another write shows it',
      { staleVersion: 'ignore' },
      (world) => {
        const until = async () => changeByHand(world);
        world.emulator.faults.add({ operation: 'replaceVariable', kind: 'hold', until });
      },
    ],
    [
      'only its time shows it, after an answer that was lost',
      {},
      ({ project, emulator }) => {
        const lost = { kind: 'status', status: 503, effect: false, times: 1 } as const;
        emulator.faults.add({ operation: 'deleteVariable', ...lost });
        const byHand = { name: 'DROPPED', value: theirs, version: 1 };
        const until = async () => void project.setVariable(byHand);
        emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', after: 1, until });
      },
    ],
  ];
  it.each(
    hidden.flatMap((one) => (['keep', 'fail'] as const).map((policy) => [...one, policy] as const)),
  )('of what was changed by hand is none where %s', async (_, dialect, change, policy) => {
    await using world = await startWorld({ dialect });
    const next = await startRemoving(world, policy);
    change(world);
    const { result } = await next(desired('KEPT', { value: 'another fake value' }));
    expect(outcomesOf({ result })['DROPPED']).toBe(policy === 'keep' ? 'kept' : 'conflict');
    expect(valuesOf(world.project)['DROPPED']).toBe(theirs);
  });

  it('deletes nothing when a declared variable could not be written', async () => {
    await using world = await startWorld();
    const next = await startRemoving(world, 'overwrite');
    const times = Number.POSITIVE_INFINITY;
    const failure = { kind: 'status', status: 500, effect: false } as const;
    const fault = world.emulator.faults.add({ operation: 'replaceVariable', times, ...failure });
    const changed = desired('KEPT', { value: 'another fake value' });
    const { result, error } = await next(changed);
    expect(String(error)).toContain('Could not replace the variable');
    expect(outcomesOf({ result })).toEqual({ KEPT: 'failed', DROPPED: 'not-reached' });
    expect(world.emulator.journal.of('deleteVariable')).toEqual([]);
    fault.remove();
    expect(outcomesOf(await next(changed))).toEqual({ KEPT: 'replaced', DROPPED: 'deleted' });
  });

  it('deletes nothing when a declared variable is a conflict', async () => {
    await using world = await startWorld();
    const next = await startRemoving(world, 'fail');
    world.project.setVariable({ name: 'KEPT', value: theirs });
    expect(outcomesOf(await next())).toEqual({ KEPT: 'conflict', DROPPED: 'not-reached' });
    expect(Object.keys(valuesOf(world.project))).toContain('DROPPED');
  });

  it('deletes nothing when the service has a declared name twice', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const next = await startRemoving(world, 'overwrite');
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
      const next = await startRemoving(world, policy);
      world.emulator.faults.add({ operation: 'deleteVariable', ...fault });
      const { result, error } = await next();
      expect(error).toBeUndefined();
      expect(outcomesOf({ result })).toEqual({ KEPT: 'unchanged', DROPPED: 'deleted' });
      expect(Object.keys(valuesOf(world.project)).sort()).toEqual(['ADOPTED', 'FOREIGN', 'KEPT']);
      expect(await operationsDuring(world, next)).toEqual(['readEnvironment']);
    },
  );

  it.each([400, 422])(
    'that is refused with %i, and nothing changed, is sent once',
    async (status) => {
      await using world = await startWorld();
      const next = await startRemoving(world, 'overwrite');
      const times = Number.POSITIVE_INFINITY;
      const fault = { kind: 'status', status, effect: false, times } as const;
      world.emulator.faults.add({ operation: 'deleteVariable', ...fault });
      const { result, error } = await next();
      expect(String(error)).toContain(`returned ${status}`);
      expect(outcomesOf({ result })['DROPPED']).toBe('failed');
      expect(world.emulator.journal.of('deleteVariable')).toHaveLength(1);
    },
  );

  it('of what the service requires is an error before anything is written', async () => {
    await using world = await startWorld();
    const next = await startRemoving(world, 'overwrite');
    world.project.setVariable({ name: 'DROPPED', value: 'fake', required: true });
    const asked = world.emulator.journal.entries.length;
    const changed = desired('KEPT', { value: 'another fake value' });
    await expect(next(changed)).rejects.toMatchObject({
      outcome: 'failed',
      message: expect.stringMatching(/^The service requires DROPPED; .*env-remove/),
    });
    const methods = world.emulator.journal.entries.slice(asked).map(({ method }) => method);
    expect(methods).toEqual(['GET']);
  });
});
