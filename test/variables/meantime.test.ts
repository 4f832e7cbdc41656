import { describe, expect, it } from 'vitest';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import type { ConflictPolicy } from '../../src/variables/intent.ts';
import {
  memoryLedgers,
  outcomesOf,
  syncNow,
  valuesOf,
  whenPlanned,
  wronglySkipped,
} from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const policies = ['overwrite', 'keep', 'fail'] as const;
const refusals = ['409', '412', '400', '422'] as const;
const theirs = 'the value that somebody set by hand';
const newValue = 'fake value that is declared from now on';

const before = ['SAME', 'VALUE', 'TARGETS', 'BOTH', 'REMOVED', 'DROPPED'].map((name) =>
  desired(name),
);
const now = [
  desired('SAME'),
  desired('VALUE', { value: newValue }),
  desired('TARGETS', { preview: false }),
  desired('BOTH', { value: newValue, preview: false }),
  desired('REMOVED', { value: newValue }),
  desired('NEW'),
];

/** What somebody does after the environment was read, and before anything is written. */
function meddle({ project }: World): void {
  for (const name of ['SAME', 'VALUE', 'TARGETS', 'BOTH', 'NEW', 'DROPPED']) {
    project.setVariable({ name, value: theirs });
  }
  project.deleteVariable('REMOVED');
}

/** Declares all of it, changes what is declared, and meddles in the middle of the second run. */
async function syncTwice(world: World, policy: ConflictPolicy) {
  const removals = removing('DROPPED');
  const common = { projectId: world.project.id, policy, ledgers: memoryLedgers(), removals };
  await syncNow(world, { ...common, variables: before });
  whenPlanned(world, () => meddle(world));
  const end = await syncNow(world, { ...common, variables: now });
  const next = () => syncNow(world, { ...common, variables: now });
  return { end, next };
}

const during = 'changed outside this action during the run (was version 1, now version 2)';
/** What is said beside it where it looks as our own write would have left it. */
const orOurs = ', or by a retry';

describe.concurrent('what somebody changes between our read and our write', () => {
  it.each(refusals)('is overwritten under overwrite, and said to be (%s)', async (staleVersion) => {
    await using world = await startWorld({ dialect: { staleVersion } });
    const { end, next } = await syncTwice(world, 'overwrite');
    expect(end.error).toBeUndefined();
    expect(outcomesOf(end)).toEqual({
      SAME: 'unchanged',
      VALUE: 'replaced',
      TARGETS: 'replaced',
      BOTH: 'replaced',
      REMOVED: 'created',
      NEW: 'replaced',
      DROPPED: 'deleted',
    });
    const reasons = new Map(end.result.variables.map(({ name, reason }) => [name, reason]));
    for (const name of ['VALUE', 'BOTH']) {
      expect(reasons.get(unsafeText(name))).toBe(`${during}${orOurs}: overwritten`);
    }
    expect(reasons.get(unsafeText('TARGETS'))).toBe(`${during}: overwritten`);
    expect(valuesOf(world.project)).toEqual({
      ...Object.fromEntries(now.map(({ name, value }) => [name, value])),
      SAME: theirs,
    });

    const { result } = await next();
    const changed = result.variables.filter(({ outcome }) => outcome !== 'unchanged');
    expect(changed).toMatchObject([{ name: 'SAME', outcome: 'replaced' }]);
    expect(changed[0]?.reason).toContain('changed outside this action');
    expect(valuesOf(world.project)['SAME']).toBe(desired('SAME').value);
  });

  it.each(
    refusals.flatMap((status) =>
      (['keep', 'fail'] as const).map((policy) => [status, policy] as const),
    ),
  )('is left as it is after a %s, under %s, also by the next run', async (staleVersion, policy) => {
    await using world = await startWorld({ dialect: { staleVersion } });
    const { end, next } = await syncTwice(world, policy);
    expect(end.error).toBeUndefined();
    const left = policy === 'keep' ? 'kept' : 'conflict';
    const expected = {
      SAME: 'unchanged',
      VALUE: left,
      TARGETS: left,
      BOTH: left,
      REMOVED: left,
      NEW: left,
    };
    const dropped = policy === 'keep' ? 'kept' : 'not-reached';
    expect(outcomesOf(end)).toEqual({ ...expected, DROPPED: dropped });
    const stored = { SAME: theirs, VALUE: theirs, TARGETS: theirs, BOTH: theirs, DROPPED: theirs };
    expect(valuesOf(world.project)).toEqual({ ...stored, NEW: theirs });
    for (const name of ['VALUE', 'TARGETS', 'BOTH', 'DROPPED']) {
      expect(world.project.variables.find((one) => one.name === name)).toMatchObject({
        version: 2,
        preview: true,
        production: true,
      });
    }

    const later = await next();
    expect(outcomesOf(later)).toMatchObject({ SAME: left, VALUE: left, TARGETS: left, BOTH: left });
    expect(valuesOf(world.project)).toMatchObject(stored);
    expect(wronglySkipped(later, now, world.project)).toEqual([]);
  });

  it('is kept though the answer to another write shows its new version before its turn comes', async () => {
    await using world = await startWorld();
    const names = Array.from({ length: 8 }, (_, index) => `NAME_${index}`);
    const common = {
      projectId: world.project.id,
      policy: 'keep',
      ledgers: memoryLedgers(),
    } as const;
    await syncNow(world, { ...common, variables: names.map((name) => desired(name)) });
    whenPlanned(world, () => world.project.setVariable({ name: 'NAME_7', value: theirs }));
    const variables = names.map((name) => desired(name, { value: newValue }));
    const end = await syncNow(world, { ...common, variables });
    expect(outcomesOf(end)).toMatchObject({ NAME_6: 'replaced', NAME_7: 'kept' });
    expect(valuesOf(world.project)['NAME_7']).toBe(theirs);
  });
});

describe.concurrent('a service that ignores a stale version', () => {
  it.each(policies)(
    'never has a value of somebody else taken for ours when only targets were written, under %s',
    async (policy) => {
      await using world = await startWorld({ dialect: { staleVersion: 'ignore' } });
      const { next } = await syncTwice(world, policy);
      expect(valuesOf(world.project)['TARGETS']).toBe(theirs);
      const later = await next();
      expect(wronglySkipped(later, now, world.project)).toEqual([]);
    },
  );

  it.each(policies)(
    'never has a value of somebody else taken for ours that came between our two writes, under %s',
    async (policy) => {
      await using world = await startWorld({ dialect: { staleVersion: 'ignore' } });
      const { project, emulator } = world;
      const ledgers = memoryLedgers();
      const common = { projectId: project.id, policy, ledgers };
      await syncNow(world, { ...common, variables: [desired('BOTH'), desired('OTHER')] });
      const entry = emulator.journal.waitFor(
        ({ operation, endedAt }) => operation === 'replaceVariable' && endedAt !== null,
      );
      const meddling = entry.then(() => project.setVariable({ name: 'BOTH', value: theirs }));
      emulator.dialect.latencyMs = 50;
      const variables = [desired('BOTH', { value: newValue, preview: false }), desired('OTHER')];
      await Promise.all([syncNow(world, { ...common, variables }), meddling]);
      expect(valuesOf(project)['BOTH']).toBe(theirs);
      const later = await syncNow(world, { ...common, variables });
      expect(wronglySkipped(later, variables, project)).toEqual([]);
    },
  );
});

describe.concurrent('what somebody creates between our read and our create', () => {
  it.each(['keep', 'fail'] as const)('is theirs in that run (%s)', async (policy) => {
    await using world = await startWorld();
    const request = {
      projectId: world.project.id,
      policy,
      ledgers: memoryLedgers(),
      variables: [desired('NEW')],
    };
    whenPlanned(world, () => world.project.setVariable({ name: 'NEW', value: theirs }));
    const left = policy === 'keep' ? 'kept' : 'conflict';
    expect(outcomesOf(await syncNow(world, request))).toEqual({ NEW: left });
    expect(valuesOf(world.project)).toEqual({ NEW: theirs });
    const { result } = await syncNow(world, request);
    expect(result.variables).toMatchObject([
      { outcome: 'replaced', reason: 'it exists, without a record of its value' },
    ]);
  });
});

describe.concurrent('what somebody makes secret between our read and our write', () => {
  it.each(policies)('is never made plain by env (%s)', async (policy) => {
    await using world = await startWorld();
    const { project } = world;
    const open = { source: 'env', kind: 'plain' } as const;
    const common = { projectId: project.id, policy, ledgers: memoryLedgers() };
    await syncNow(world, { ...common, variables: [desired('OPEN', open)] });
    whenPlanned(world, () => {
      for (const name of ['OPEN', 'NEW']) {
        project.setVariable({ name, value: theirs, kind: 'secret' });
      }
    });
    const variables = [desired('OPEN', { ...open, value: newValue }), desired('NEW', open)];
    const { error } = await syncNow(world, { ...common, variables });
    expect(error).toMatchObject({
      outcome: 'failed',
      diagnostic: { code: 'SD4015', text: expect.stringContaining('env-from') },
    });
    expect(valuesOf(project)).toEqual({ OPEN: theirs, NEW: theirs });
  });
});
