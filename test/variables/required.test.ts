import { describe, expect, it } from 'vitest';
import { runDeploy } from '../support/deploy.ts';
import { operationsDuring, runEnvSync } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';
import { four, warningsTold } from './drifted.ts';

/** Writes NEEDED by hand until its times show that it was changed after it was made. */
function writeLater({ project }: World): void {
  const write = () => project.setVariable({ name: 'NEEDED', value: 'x', required: true });
  const { createdAt } = write();
  while (write().updatedAt <= createdAt);
}

describe.concurrent('a required variable that nobody declares', () => {
  it('without a sign of a value is warned of and has a row, and the sync goes on', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'NEEDED', value: '', required: true });
    const report = await runEnvSync(world, { variables: four });
    expect(report).toMatchObject({
      outcome: 'synced',
      environment: { requiredMissing: ['NEEDED'], undeclared: ['NEEDED'] },
    });
    expect(warningsTold(world)).toEqual([
      expect.stringContaining('requires NEEDED, and no value is known'),
    ]);
  });

  it('that was written since it was made may have one: a warning only', async () => {
    await using world = await startWorld();
    writeLater(world);
    const report = await runEnvSync(world, { variables: four });
    expect(report).toMatchObject({ outcome: 'synced', environment: { requiredMissing: [] } });
    expect(warningsTold(world)).toEqual([
      expect.stringContaining('Check that the service has one'),
    ]);
  });

  it('for no runtime is missing, however often it was written', async () => {
    await using world = await startWorld();
    const fields = { name: 'NEEDED', value: 'x', required: true };
    world.project.setVariable({ ...fields, preview: false, production: false });
    const report = await runEnvSync(world, { variables: four });
    expect(report.environment?.requiredMissing).toEqual(['NEEDED']);
  });

  it('and that is declared is not mentioned', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'A', value: '', required: true });
    const report = await runEnvSync(world, { variables: four });
    expect(report.environment?.requiredMissing).toEqual([]);
    expect(warningsTold(world)).toEqual([]);
  });
});

describe.concurrent('a deployment while a required variable is missing', () => {
  it('is refused before anything is written', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'NEEDED', value: '', required: true });
    const operations = await operationsDuring(world, async () => {
      const { outcome, error } = await runDeploy(world, { variables: four });
      expect(outcome).toBe('failed');
      expect(error).toContain(
        'Nothing was written or deployed: the service requires variables that have no value: NEEDED',
      );
    });
    expect(
      operations.filter((operation) => /create|replace|retarget|delete/.test(operation)),
    ).toEqual([]);
  });

  it('is not promised by a plan', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'NEEDED', value: '', required: true });
    const { outcome, actions } = await runDeploy(world, { variables: four, planOnly: true });
    expect(outcome).toBe('planned');
    expect(actions).toEqual([
      'nothing would be deployed, because of required variables without a value: NEEDED',
    ]);
  });

  it.each([
    ['the variable may have a value', {}],
    ['nothing is to be deployed', { deploys: false }],
    ['the workflow declares it', { variables: [desired('NEEDED')] }],
  ])('goes on when %s', async (_, fields) => {
    await using world = await startWorld();
    if (Object.keys(fields).length === 0) writeLater(world);
    else world.project.setVariable({ name: 'NEEDED', value: '', required: true });
    const { outcome } = await runDeploy(world, { variables: four, ...fields });
    expect(outcome).toBe('deploys' in fields ? 'synced' : 'succeeded');
  });
});
