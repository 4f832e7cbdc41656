import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { safe } from '../../src/kernel/text/safe.ts';
import type { ConflictPolicy } from '../../src/variables/intent.ts';
import { describeConflicts } from '../../src/variables/sync.ts';
import { syncNow, whenPlanned } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const theirs = 'the value that somebody else wrote';
const ours = desired('SHARED').value;

const sync = (world: World, policy: ConflictPolicy) =>
  syncNow(world, {
    projectId: world.project.id,
    variables: [desired('OTHER'), desired('SHARED')],
    policy,
  });

const policies = ['overwrite', 'keep', 'fail'] as const;
const refusals = ['409', '412', '400', '422'] as const;
const outcomes = { overwrite: 'replaced', keep: 'kept', fail: 'conflict' } as const;

const cases = refusals.flatMap((status) => policies.map((policy) => [status, policy] as const));

describe.concurrent('a version that is stale by the time of the write', () => {
  it.each(cases)('refused with %s, under the policy %s', async (staleVersion, policy) => {
    await using world = await startWorld({ dialect: { staleVersion } });
    world.project.setVariable({ name: 'SHARED', value: 'before' });
    whenPlanned(world, () => world.project.setVariable({ name: 'SHARED', value: theirs }));
    const { result, error } = await sync(world, policy);
    expect(error).toBeUndefined();
    const [other, shared] = result.variables;
    expect(other?.outcome).toBe('created');
    expect(shared?.outcome).toBe(outcomes[policy]);
    expect(shared?.reason).toContain('was version 1, now version 2');
    const value = world.project.variables.find(({ name }) => name === 'SHARED')?.value;
    expect(value).toBe(policy === 'overwrite' ? ours : theirs);
  });

  it.each(policies)('that the service ignores: written, under the policy %s', async (policy) => {
    await using world = await startWorld({ dialect: { staleVersion: 'ignore' } });
    world.project.setVariable({ name: 'SHARED', value: 'before' });
    whenPlanned(world, () => world.project.setVariable({ name: 'SHARED', value: theirs }));
    const { result } = await sync(world, policy);
    expect(result.variables[1]?.outcome).toBe('replaced');
    expect(world.project.variables.find(({ name }) => name === 'SHARED')?.value).toBe(ours);
  });

  it.each(policies)('of a variable that was deleted meanwhile, under %s', async (policy) => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'SHARED', value: 'before' });
    whenPlanned(world, () => world.project.deleteVariable('SHARED'));
    const { result } = await sync(world, policy);
    const expected = { overwrite: 'created', keep: 'kept', fail: 'conflict' } as const;
    expect(result.variables[1]?.outcome).toBe(expected[policy]);
    const exists = world.project.variables.some(({ name }) => name === 'SHARED');
    expect(exists).toBe(policy === 'overwrite');
  });

  const names = ['409', '422', '400'] as const satisfies DialectOptions['duplicateName'][];
  it.each(names.flatMap((status) => policies.map((policy) => [status, policy] as const)))(
    'of a variable that somebody else created meanwhile (%s), under %s',
    async (duplicateName, policy) => {
      await using world = await startWorld({ dialect: { duplicateName } });
      whenPlanned(world, () => world.project.setVariable({ name: 'SHARED', value: theirs }));
      const { result } = await sync(world, policy);
      expect(result.variables[1]?.outcome).toBe(outcomes[policy]);
      const same = world.project.variables.filter(({ name }) => name === 'SHARED');
      expect(same.map(({ value }) => value)).toEqual([policy === 'overwrite' ? ours : theirs]);
    },
  );

  it.each([
    ['html', '422'],
    ['empty', '400'],
  ] as const)(
    'of variables changed and created meanwhile, refused in no words (%s, %s)',
    async (errorShape, status) => {
      const dialect = { errorShape, staleVersion: status, duplicateName: status } as const;
      await using world = await startWorld({ dialect });
      world.project.setVariable({ name: 'OTHER', value: 'before' });
      whenPlanned(world, () => {
        for (const name of ['OTHER', 'SHARED']) world.project.setVariable({ name, value: theirs });
      });
      const { result, error } = await sync(world, 'keep');
      expect(error).toBeUndefined();
      const about = result.variables.map(({ name, outcome }) => [name, outcome]);
      expect(about).toEqual(
        expect.arrayContaining([
          ['OTHER', 'kept'],
          ['SHARED', 'kept'],
        ]),
      );
    },
  );

  it.each(policies)(
    'of a variable that somebody else created meanwhile, where a second name is let in, under %s',
    async (policy) => {
      await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
      whenPlanned(world, () => world.project.setVariable({ name: 'SHARED', value: theirs }));
      const { result, environment } = await sync(world, policy);
      expect(result.variables[1]).toMatchObject({
        outcome: 'conflict',
        reason: 'the service now has 2 variables with this name: delete all but one',
      });
      expect(describeConflicts(result, safe``, environment.variables)).toMatchObject({
        code: 'SD4002',
        text: expect.stringMatching(/delete all but one\. Resolve it on the service/),
      });
      const same = world.project.variables.filter(({ name }) => name === 'SHARED');
      expect(same.map(({ value }) => value)).toEqual([theirs, ours]);
    },
  );

  it('is told as a count with the names where there are several', async () => {
    await using world = await startWorld();
    for (const name of ['OTHER', 'SHARED']) world.project.setVariable({ name, value: 'before' });
    whenPlanned(world, () => {
      for (const name of ['OTHER', 'SHARED']) world.project.setVariable({ name, value: theirs });
    });
    const { result } = await sync(world, 'fail');
    const told = describeConflicts(result);
    expect(told?.text).toBe(
      "2 variables in conflict: OTHER, SHARED. The summary lists the reasons. Set env-on-conflict: overwrite (the workflow's values) or keep (the service's), and push.",
    );
  });

  it('is planned again at most three times', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'SHARED', value: 'before' });
    world.emulator.faults.add({
      operation: 'replaceVariable',
      times: Number.POSITIVE_INFINITY,
      kind: 'status',
      status: 409,
      effect: false,
    });
    const { result, error } = await sync(world, 'overwrite');
    expect(result.variables[1]?.outcome).toBe('failed');
    expect(String(error)).toContain('Could not replace the variable');
    expect(world.emulator.journal.of('replaceVariable')).toHaveLength(4);
  });

  it('writes the value again when somebody else wrote between our two writes', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'SHARED', value: 'before', production: false });
    world.emulator.faults.add({
      operation: 'retargetVariable',
      kind: 'status',
      status: 409,
      effect: false,
    });
    const entry = world.emulator.journal.waitFor(
      ({ operation, endedAt }) => operation === 'retargetVariable' && endedAt !== null,
    );
    const meddling = entry.then(() => world.project.setVariable({ name: 'SHARED', value: theirs }));
    world.emulator.dialect.latencyMs = 50;
    const [{ result }] = await Promise.all([sync(world, 'overwrite'), meddling]);
    expect(result.variables[1]).toMatchObject({ outcome: 'replaced', retargeted: true });
    const shared = world.project.variables.find(({ name }) => name === 'SHARED');
    expect(shared).toMatchObject({ value: ours, production: true });
  });
});
