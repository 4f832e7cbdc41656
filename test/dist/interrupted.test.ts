import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { startProcess } from '../../emulator/runner/process.ts';
import { startStep } from './run-step.ts';

const isWindows = process.platform === 'win32';

/** Elsewhere the post step shares a process. */
const asOnRunner = { launch: startProcess };

describe.concurrent('a run that is cut off in mid-wait', () => {
  it.skipIf(isWindows)(
    'by a cancel says so and sets its outputs (Windows has no signals)',
    async () => {
      await using emulator = await startEmulator({ dialect: { deploymentEnds: 'never' } });
      const project = await emulator.world.createProject();
      await using step = await startStep(emulator, project, asOnRunner);
      await step.waitForLine((line) => line.includes('building'));
      step.cancel();
      const result = await step.done;
      expect(result).toMatchObject({ conclusion: 'cancelled', exitCode: 1, signal: null });
      expect(result.outputs).toMatchObject({
        outcome: 'cancelled',
        'deployment-id': project.deployments[0]?.id,
      });
      expect(result.outputs['error']).toMatch(/^Canceled\. .* \(SD9002\)$/);
      expect(result.outputs['error']).toContain('may still go live');
      expect(result.post?.log.join('\n')).not.toContain('Warning');
    },
  );

  it('by a kill leaves it to the post step to say what was accepted', async () => {
    await using emulator = await startEmulator({ dialect: { deploymentEnds: 'never' } });
    const project = await emulator.world.createProject();
    await using step = await startStep(emulator, project, asOnRunner);
    await step.waitForLine((line) => line.includes('building'));
    step.kill();
    const { post } = await step.done;
    const log = post?.log.join('\n');
    expect(log).toContain('killed before it could report');
    expect(log).toContain(project.deployments[0]?.id);
  });

  it('by a kill before the deployment: the post step says that none was accepted', async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    emulator.faults.add({ operation: 'readEnvironment', kind: 'stall', effect: false });
    await using step = await startStep(emulator, project, asOnRunner);
    await emulator.journal.waitFor(({ operation }) => operation === 'readEnvironment');
    step.kill();
    const { post } = await step.done;
    expect(post?.log.join('\n')).toContain('No deployment was requested');
  });
});
