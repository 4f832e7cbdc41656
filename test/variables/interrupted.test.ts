import { describe, expect, it } from 'vitest';
import type { ConflictPolicy } from '../../src/variables/intent.ts';
import { memoryLedgers, outcomesOf, syncNow, wronglySkipped } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld } from '../support/world.ts';
import { secondClient } from './race.ts';

const policies = ['overwrite', 'keep', 'fail'] as const;

describe.concurrent('writes of a variable that end in an error', () => {
  it.each(policies)("are not taken for somebody else's by the next run (%s)", async (policy) => {
    await using world = await startWorld();
    const common = { projectId: world.project.id, policy, ledgers: memoryLedgers() };
    await syncNow(world, { ...common, variables: [desired('A')] });
    const variables = [desired('A', { value: 'a new fake value', preview: false })];
    world.emulator.dialect.refuse = ['retargetVariable'];
    const { result, error } = await syncNow(world, { ...common, variables });
    expect(outcomesOf({ result })).toEqual({ A: 'failed' });
    expect(String(error)).toContain('Could not retarget the variable');
    world.emulator.dialect.refuse = [];
    const next = await syncNow(world, { ...common, variables });
    expect(outcomesOf(next)).toEqual({ A: 'retargeted' });
    expect(world.project.variables[0]).toMatchObject({
      value: 'a new fake value',
      preview: false,
    });
  });

  it('that may have arrived are named as what the next run may see', async () => {
    await using world = await startWorld();
    const common = {
      projectId: world.project.id,
      policy: 'fail' as const,
      ledgers: memoryLedgers(),
    };
    await syncNow(world, { ...common, variables: [desired('A')] });
    const variables = [desired('A', { value: 'a new fake value' })];
    world.emulator.faults.add({ operation: 'replaceVariable', kind: 'stall', effect: true });
    const ended = syncNow(world, { ...common, variables });
    await world.emulator.journal.waitFor(({ operation }) => operation === 'replaceVariable');
    world.abort('cancelled');
    expect(outcomesOf(await ended)).toEqual({ A: 'not-reached' });
    const host = { ...world.host, signal: new AbortController().signal };
    const again = { ...world, host, client: secondClient({ ...world, host }) };
    const next = await syncNow(again, { ...common, variables });
    await again.client.close();
    expect(outcomesOf(next)).toEqual({ A: 'conflict' });
    expect(next.result.variables[0]?.reason).toContain('or by an unconfirmed write');
  });

  it.each<[string, string, ConflictPolicy, string[], string]>([
    ['taken for done under keep', 'replaceVariable', 'keep', [], 'a new fake value'],
    [
      'then fails under overwrite',
      'retargetVariable',
      'overwrite',
      ['replaceVariable'],
      desired('A').value,
    ],
  ])(
    'do not make a value of somebody else ours: without an answer, %s',
    async (_, operation, policy, refuse, value) => {
      await using world = await startWorld();
      const { project, emulator } = world;
      const common = { projectId: project.id, policy, ledgers: memoryLedgers() };
      await syncNow(world, { ...common, variables: [desired('A')] });
      const variables = [desired('A', { value, preview: false })];
      emulator.faults.add({ operation, kind: 'reset-before' });
      const preview = operation !== 'retargetVariable';
      const until = async () => void project.setVariable({ name: 'A', value: 'theirs', preview });
      emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', after: 1, until });
      emulator.dialect.refuse = refuse;
      await syncNow(world, { ...common, variables });
      expect(project.variables).toMatchObject([{ value: 'theirs', preview: false }]);
      emulator.dialect.refuse = [];
      const next = await syncNow(world, { ...common, variables });
      expect(wronglySkipped(next, variables, project)).toEqual([]);
    },
  );
});
