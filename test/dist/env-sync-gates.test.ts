import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { now, old, startDrifted, startEnvSync, stored, writesOf } from './env-sync-world.ts';
import { startPullRequest } from './pull-request-world.ts';

const prune = { 'env-prune': 'true' };

describe.concurrent('a plan that was reviewed', () => {
  it('is applied as long as it is the plan, and refused when it is not', async () => {
    await using world = await startDrifted();
    const reviewed = await world.run(now, { inputs: { ...prune, mode: 'plan' } });
    const inputs = { ...prune, 'expected-plan': reviewed.outputs['plan-digest'] ?? '' };
    world.project.setVariable({ name: 'CHANGED', value: 'by hand' });
    const refused = await world.run(now, { inputs });
    expect(refused.conclusion).toBe('failure');
    expect(refused.outputs).toMatchObject({ outcome: 'conflict', requests: '1' });
    expect(refused.outputs['error']).toContain(refused.outputs['plan-digest']);
    expect(stored(world.project)).toEqual({ ...old, CHANGED: 'by hand' });

    const again = { ...prune, 'expected-plan': refused.outputs['plan-digest'] ?? '' };
    const applied = await world.run(now, { inputs: again });
    expect(applied.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world.project)).toEqual(now);
    const empty = await world.run(now, { inputs: again });
    expect(empty.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
  });

  it.each([
    ['3', 'synced'],
    ['2', 'failed'],
    ['75%', 'synced'],
    ['74%', 'failed'],
  ])('changes three of four: under max-changes %s it is %s', async (most, outcome) => {
    await using world = await startDrifted();
    const inputs = { ...prune, 'max-changes': most };
    const { outputs } = await world.run(now, { inputs });
    expect(outputs['outcome']).toBe(outcome);
    expect(stored(world.project)).toEqual(outcome === 'synced' ? now : old);
  });
});

describe.concurrent('env-prune', () => {
  it('deletes what this action created, and nothing that somebody else made', async () => {
    await using world = await startDrifted();
    world.project.setVariable({ name: 'FOREIGN', value: 'stays' });
    const { outputs } = await world.run(now, { inputs: prune });
    expect(JSON.parse(outputs['env-summary'] ?? '')).toMatchObject({ deleted: 1, undeclared: 1 });
    expect(stored(world.project)).toEqual({ ...now, FOREIGN: 'stays' });
  });

  it('refuses when nothing is declared', async () => {
    await using world = await startDrifted();
    const { outputs, conclusion } = await world.run({}, { inputs: prune });
    expect(conclusion).toBe('failure');
    expect(outputs['error']).toContain('env-prune');
    expect(stored(world.project)).toEqual(old);
  });

  it('refuses when what declares has come out empty', async () => {
    await using world = await startDrifted();
    await writeFile(join(world.workspace, 'empty.env'), '# nothing was generated\n');
    const inputs = { ...prune, 'env-file': 'empty.env' };
    const { conclusion } = await world.run({}, { inputs });
    expect(conclusion).toBe('failure');
    expect(stored(world.project)).toEqual(old);
  });
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
    expect(summary).toMatch(/NEEDED.*required, missing/);
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
