import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../src/emulator/index.ts';
import type { ActionResult } from '../../src/emulator/runner.ts';
import { startDomains } from '../support/domains.ts';
import { root, runStep } from './run-step.ts';

/** The groups that are open at the first error, and those that were opened at all. */
function groupsOf({ raw: { stdout } }: ActionResult): { open: number; opened: number } {
  const [before = ''] = stdout.split('::error');
  expect(before).not.toBe(stdout);
  const opened = before.match(/^::group::/gm)?.length ?? 0;
  return { opened, open: opened - (before.match(/^::endgroup::/gm)?.length ?? 0) };
}

/** Waits out its time limit, on a machine that may be busy. */
const patient = { timeout: 45_000 };

describe.concurrent('the error of a run that was cut off in the middle of a group', () => {
  it.each(['.', 'env-sync'])('is not folded away: %s', patient, async (folder) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    emulator.faults.add({ operation: 'createVariable', kind: 'stall', effect: false });
    const inputs = { env: 'NAME=a value', timeout: '2s' };
    const action = join(root, folder);
    const result = await runStep(emulator, project, { action, inputs });
    expect(result.outputs).toMatchObject({ outcome: 'timed-out' });
    expect(groupsOf(result)).toEqual({ opened: 1, open: 0 });
  });

  it('is not folded away: domains', patient, async () => {
    await using world = await startDomains();
    world.emulator.faults.add({ operation: 'createVariable', kind: 'stall', effect: false });
    const site = { environment: { NAME: { value: 'a value', kind: 'plain' } } };
    const result = await world.run(site, { inputs: { timeout: '2s' } });
    expect(result.outputs).toMatchObject({ outcome: 'timed-out' });
    expect(groupsOf(result)).toEqual({ opened: 1, open: 0 });
  });
});
