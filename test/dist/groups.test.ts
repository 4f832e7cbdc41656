import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { runStep } from './run-step.ts';

/** The groups that are open at the first error, and those that were opened at all. */
function groupsOf({ raw: { stdout } }: ActionResult): { open: number; opened: number } {
  const [before = ''] = stdout.split('::error');
  expect(before).not.toBe(stdout);
  const opened = before.match(/^::group::/gm)?.length ?? 0;
  return { opened, open: opened - (before.match(/^::endgroup::/gm)?.length ?? 0) };
}

describe.concurrent('the error of a run that ends in the middle of a group is not folded away', () => {
  it('as that of a deployment that lacks a variable', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    project.setVariable({ name: 'NEEDED', value: '', required: true });
    const result = await runStep(emulator, project, { inputs: { env: 'NAME=a value' } });
    expect(result.outputs['error']).toContain('NEEDED');
    expect(groupsOf(result)).toEqual({ opened: 1, open: 0 });
  });
});
