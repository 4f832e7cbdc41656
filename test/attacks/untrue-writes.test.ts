// Attack (reports): A write of a variable is answered with success and did nothing
// Defense: Done is what the answer or a second read shows: there, gone, changed version, time or targets. Otherwise it
// is sent once more, then fails; nothing is deployed

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { runStep } from '../dist/run-step.ts';

it.each([
  ['each time is told, and nothing is deployed', Number.POSITIVE_INFINITY],
  ['once is repeated, and the commit deployed', 1],
])('a write of a variable that is answered with success and did nothing: %s', async (_, times) => {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  const workspace = await mkdtemp(join(tmpdir(), 'untrue-'));
  const options = { workspace, env: { A: 'fake' }, inputs: { 'env-from': 'A' } };
  const operation = 'createVariable';
  emulator.faults.add({ operation, times, kind: 'status', status: 200, effect: false, body: '' });
  const { outputs, log, conclusion } = await runStep(emulator, project, options);
  await rm(workspace, { recursive: true, force: true });
  expect(emulator.journal.of(operation)).toHaveLength(2);
  if (times === 1) {
    expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(project.variables).toMatchObject([{ name: 'A', value: 'fake' }]);
    expect(project.deployments).toHaveLength(1);
    return;
  }
  expect({ ...outputs, conclusion }).toMatchObject({ conclusion: 'failure', outcome: 'failed' });
  expect(outputs['error']).toContain('neither the response nor a second read shows the change');
  expect(log.join('\n')).toMatch(/× failed/);
  expect(project.variables).toEqual([]);
  expect(project.deployments).toEqual([]);
});
