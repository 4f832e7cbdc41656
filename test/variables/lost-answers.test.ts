// Attack (reports): A variable exists twice after a late answer, and the run deploys
// Defense: It is a conflict; none is deleted

import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../emulator/index.ts';
import type { ConflictPolicy } from '../../src/variables/intent.ts';
import { pairwise } from '../support/exhaustive.ts';
import { syncNow } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const faults: readonly (readonly [string, FaultKind])[] = [
  ['a reset before it took effect', { kind: 'reset-before' }],
  ['a reset after it took effect', { kind: 'reset-after' }],
  ['an answer that breaks off', { kind: 'cut-body' }],
  ['a page instead of JSON', { kind: 'not-json' }],
  ['a 500 that took effect', { kind: 'status', status: 500, effect: true }],
  ['a 500 that did not', { kind: 'status', status: 500, effect: false }],
  ['a 502 that took effect', { kind: 'status', status: 502, effect: true }],
  ['a 504 that took effect', { kind: 'status', status: 504, effect: true }],
  ['a 408 that did not', { kind: 'status', status: 408, effect: false }],
  ['a 503 that did not', { kind: 'status', status: 503, effect: false }],
  ['a 429', { kind: 'status', status: 429, effect: false, headers: { 'retry-after': '1' } }],
];
const policies = ['overwrite', 'keep', 'fail'] as const;
const operations = ['createVariable', 'replaceVariable', 'retargetVariable'] as const;

const cases = operations.flatMap((operation) =>
  faults.flatMap(([name, fault]) => policies.map((policy) => ({ operation, name, fault, policy }))),
);

async function syncAll(world: World, policy: ConflictPolicy) {
  const variables = ['CREATED', 'REPLACED', 'RETARGETED'].map((name) => desired(name));
  world.project.setVariable({ name: 'REPLACED', value: 'old' });
  world.project.setVariable({ name: 'RETARGETED', value: 'old', preview: false });
  const projectId = world.project.id;
  const end = await syncNow(world, { projectId, variables, policy });
  return { ...end, variables };
}

function expectRight(world: World): void {
  const rows = world.project.variables.map(({ name, value, preview, production }) => [
    name,
    value,
    preview && production,
  ]);
  expect(rows.sort()).toEqual(
    ['CREATED', 'REPLACED', 'RETARGETED'].map((name) => [name, desired(name).value, true]),
  );
}

describe.concurrent('a write that may or may not have arrived', () => {
  const tried = pairwise(cases, ({ operation, name, policy }) => [operation, name, policy]);
  it.each(tried)('$operation, $name, under $policy', async ({ operation, fault, policy }) => {
    await using world = await startWorld();
    const handle = world.emulator.faults.add({ operation, ...fault });
    const { result, error } = await syncAll(world, policy);
    expect(handle.fired).toBe(1);
    expect(error).toBeUndefined();
    expect(result.variables.map(({ outcome }) => outcome)).toEqual([
      'created',
      'replaced',
      'replaced',
    ]);
    expectRight(world);
  });

  const late = ['409', '422', '400'] as const;
  it.each(late)('a create that takes effect late, where a second one is: %s', async (answer) => {
    await using world = await startWorld({ dialect: { duplicateName: answer } });
    const { faults: script, journal, dialect } = world.emulator;
    script.add({ operation: 'createVariable', kind: 'late-effect', delayMs: 25 });
    dialect.latencyMs = 15;
    const { result, error } = await syncAll(world, 'overwrite');
    await journal.waitFor(({ operation, effect }) => operation === 'createVariable' && effect);
    expect(error).toBeUndefined();
    expect(result.variables[0]?.outcome).toBe('created');
    expectRight(world);
  });

  it.each(['keep', 'fail'] as const)(
    'a create that takes effect before the second one, which is refused: done under %s',
    async (policy) => {
      await using world = await startWorld();
      const { project, emulator } = world;
      const operation = 'createVariable';
      emulator.faults.add({ operation, kind: 'reset-before' });
      const until = async () => void project.setVariable(desired('CREATED'));
      emulator.faults.add({ operation, kind: 'hold', until });
      const { result } = await syncAll(world, policy);
      expect(result.variables[0]).toMatchObject({
        outcome: 'created',
        reason: 'the response was lost, but the service has the variable as sent',
      });
      expect(emulator.journal.of(operation)).toHaveLength(2);
    },
  );

  it('a create that takes effect late, where a second one is let in: told, and nothing is deleted', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    const { project, emulator } = world;
    const { name, value } = desired('CREATED');
    const operation = 'createVariable';
    emulator.faults.add({ operation, kind: 'reset-before' });
    const until = async () => void project.setVariable({ name, value });
    emulator.faults.add({ operation, kind: 'hold', until });
    const { result } = await syncAll(world, 'overwrite');
    expect(result.variables[0]).toMatchObject({
      outcome: 'conflict',
      reason: 'the service now has 2 variables with this name: delete all but one',
    });
    expect(project.variables.filter((one) => one.name === name)).toHaveLength(2);
  });

  it.each(operations)(
    '%s that fails for good is reported, and the others are right',
    async (operation) => {
      await using world = await startWorld();
      const times = Number.POSITIVE_INFINITY;
      world.emulator.faults.add({ operation, times, kind: 'status', status: 500, effect: false });
      const { result, error } = await syncAll(world, 'overwrite');
      expect(String(error)).toContain('returned 500');
      const failed = result.variables.filter(({ outcome }) => outcome === 'failed');
      expect(failed.length).toBeGreaterThan(0);
      expect(world.project.variables.length).toBe(operation === 'createVariable' ? 2 : 3);
    },
  );
});
