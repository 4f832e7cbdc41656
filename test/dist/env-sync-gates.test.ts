import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
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

  it('that changes three of four is refused under max-changes 2', async () => {
    await using world = await startDrifted();
    const { outputs } = await world.run(now, { inputs: { ...removal, 'max-changes': '2' } });
    expect(outputs['outcome']).toBe('failed');
    expect(stored(world.project)).toEqual(old);
  });
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
