import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { now, old, startDrifted, startEnvSync, stored, writesOf } from './env-sync-world.ts';
import { startPullRequest } from './pull-request-world.ts';
import { unpacked } from './run-step.ts';

const removal = { 'env-remove': 'DROPPED' };

describe.concurrent('a plan that was reviewed', () => {
  it('is applied as long as it is the plan, and refused when it is not', async () => {
    await using world = await startDrifted();
    const reviewed = await world.run(now, { inputs: { ...removal, mode: 'plan' } });
    const inputs = { ...removal, 'expected-plan': reviewed.outputs['plan-digest'] ?? '' };
    world.project.setVariable({ name: 'CHANGED', value: 'by hand' });
    const refused = await world.run(now, { inputs });
    expect(refused.conclusion).toBe('failure');
    expect(refused.outputs).toMatchObject({ outcome: 'conflict', requests: '1' });
    expect(refused.outputs['error']).toContain(refused.outputs['plan-digest']);
    expect(stored(world.project)).toEqual({ ...old, CHANGED: 'by hand' });

    const again = { ...removal, 'expected-plan': refused.outputs['plan-digest'] ?? '' };
    const applied = await world.run(now, { inputs: again });
    expect(applied.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world.project)).toEqual(now);
    const empty = await world.run(now, { inputs: again });
    expect(empty.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
  });

  const limits = [
    ['3', 'synced'],
    ['2', 'failed'],
    ['75%', 'synced'],
    ['74%', 'failed'],
  ] as const;
  it.each(rows(limits, ([most]) => ['2', '75%'].includes(most)))(
    'changes three of four: under max-changes %s it is %s',
    async (most, outcome) => {
      await using world = await startDrifted();
      const inputs = { ...removal, 'max-changes': most };
      const { outputs } = await world.run(now, { inputs });
      expect(outputs['outcome']).toBe(outcome);
      expect(stored(world.project)).toEqual(outcome === 'synced' ? now : old);
    },
  );
});

describe.concurrent('env-remove', () => {
  it('deletes what it names, and nothing else', async () => {
    await using world = await startDrifted();
    world.project.setVariable({ name: 'FOREIGN', value: 'stays' });
    const { outputs } = await world.run(now, { inputs: removal });
    expect(JSON.parse(outputs['env-summary'] ?? '')).toMatchObject({ deleted: 1, undeclared: 1 });
    expect(stored(world.project)).toEqual({ ...now, FOREIGN: 'stays' });
  });

  it('alone is a whole sync, and costs one request once the name is gone', async () => {
    await using world = await startDrifted();
    const { DROPPED: _, ...rest } = old;
    const first = await world.run({}, { inputs: { ...removal, 'env-from': '' } });
    expect(first.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world.project)).toEqual(rest);
    const second = await world.run({}, { inputs: { ...removal, 'env-from': '' } });
    expect(second.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
  });

  it('by the site file: remove: true', async () => {
    await using world = await startDrifted();
    const environment = { DROPPED: { remove: true }, NEVER_THERE: { remove: true } };
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify({ environment }));
    const { outputs, summary } = await world.run(now, { inputs: { config: 'site.yml' } });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world.project)).toEqual(now);
    expect(summary).toContain('remove: true in the site file');
  });

  const declared: [where: string, inputs: Record<string, string>][] = [
    ['env-from', { ...removal, 'env-from': 'DROPPED' }],
    ['the site file', { ...removal, config: 'declares.yml', 'env-from': '' }],
    ['env, against the site file', { config: 'removes.yml', env: 'DROPPED=fake', 'env-from': '' }],
  ];
  it.each(declared)(
    'of a name that %s declares is an error before anything is sent',
    async (_, inputs) => {
      await using world = await startEnvSync();
      const write = (file: string, one: object) =>
        writeFile(join(world.workspace, file), JSON.stringify({ environment: { DROPPED: one } }));
      await write('declares.yml', { from: 'DROPPED' });
      await write('removes.yml', { remove: true });
      const result = await world.run({}, { env: { DROPPED: 'fake' }, inputs });
      expect(result.outputs['error']).toMatch(/DROPPED is both removed and declared/);
      expect(world.emulator.journal.entries).toEqual([]);
    },
  );

  it.each(['env-sync', 'deploy'])(
    'of what the service requires is an error of %s, and nothing is written',
    async (action) => {
      await using world = await startDrifted();
      world.project.setVariable({ name: 'DROPPED', value: 'fake', required: true });
      const before = stored(world.project);
      const writes = writesOf(world.emulator).length;
      const inputs = { ...removal, ...(action === 'deploy' && { 'commit-sha': 'HEAD' }) };
      const folder = action === 'deploy' ? unpacked : join(unpacked, action);
      const result = await world.run(now, { action: folder, inputs });
      expect(result.outputs).toMatchObject({ outcome: 'failed' });
      expect(result.outputs['error']).toContain('The service requires DROPPED');
      expect(stored(world.project)).toEqual(before);
      expect(writesOf(world.emulator)).toHaveLength(writes);
      expect(world.project.deployments).toEqual([]);
    },
  );

  const policies = [
    ['overwrite', undefined],
    ['keep', 'by hand'],
    ['fail', 'by hand'],
  ] as const;
  // Others: test/commands/environment/remove.test.ts.
  it.each(rows(policies, ([policy]) => policy === 'fail'))(
    'under %s, of what was changed by hand since',
    async (policy, left) => {
      await using world = await startDrifted();
      world.project.setVariable({ name: 'DROPPED', value: 'by hand' });
      const inputs = { ...removal, 'env-on-conflict': policy };
      const { outputs } = await world.run(old.DROPPED === undefined ? {} : { SAME: old.SAME }, {
        inputs,
      });
      expect(outputs['outcome']).toBe(policy === 'fail' ? 'conflict' : 'synced');
      expect(stored(world.project)['DROPPED']).toBe(left);
    },
  );
});

describe.concurrent('a required variable that is missing', () => {
  it('is a warning and a row of the summary for env-sync', async () => {
    await using world = await startEnvSync();
    world.project.setVariable({ name: 'NEEDED', value: '', required: true });
    const { conclusion, summary, annotations } = await world.run(now);
    expect(conclusion).toBe('success');
    expect(annotations).toMatchObject([
      { level: 'warning', message: expect.stringContaining('NEEDED') },
    ]);
    expect(summary).toMatch(/NEEDED.*missing: required/);
  });

  it('ends a deployment before anything is written: no variable, no domain', async () => {
    await using world = await startPullRequest();
    const { emulator, project } = world;
    project.setVariable({ name: 'NEEDED', value: '', required: true });
    const { conclusion, outputs } = await world.run('opened', {
      env: now,
      inputs: { 'env-from': 'NEW', 'env-ledger': 'ledger' },
    });
    expect(conclusion).toBe('failure');
    expect(outputs['error']).toContain('Nothing was written or deployed');
    expect(writesOf(emulator)).toEqual([]);
  });
});
