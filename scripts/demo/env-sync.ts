import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmulatedProject, Emulator } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { beginScene, check, createProject, note, runStep } from './stage.ts';

const variables = {
  STRIPE_KEY: 'sk_not_a_real_key_0123456789',
  DATABASE_URL: 'postgres://not-a-real-host/demo',
} as const;

/** Runs the action `env-sync` with a ledger in a file of the workspace. */
async function sync(
  emulator: Emulator,
  project: EmulatedProject,
  workspace: string,
  inputs: Record<string, string> = {},
): Promise<ActionResult> {
  return await runStep(
    { emulator, project },
    {
      action: 'env-sync',
      workspace,
      inputs: {
        'env-from': Object.keys(variables).join('\n'),
        'env-ledger': 'ledger.txt',
        ...inputs,
      },
      env: variables,
      event: { name: 'schedule', payload: {} },
    },
  );
}

/** A scheduled sync without changes sends one request, and finds manual changes. */
export async function playEnvironmentSync(emulator: Emulator): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-env-sync-demo-'));
  const project = await createProject(emulator);
  beginScene(
    'A sync of variables',
    'Without a deployment. The second sync finds nothing to change.',
  );
  await sync(emulator, project, folder.path);
  const again = await sync(emulator, project, folder.path);
  check(again.outputs['requests'] === '1', 'the second sync sent one request');
  beginScene(
    'A drift report',
    'Someone changes a variable on the service. The scheduled report fails, and changes nothing.',
  );
  note('STRIPE_KEY is changed on the service');
  project.setVariable({ name: 'STRIPE_KEY', value: 'sk_rotated_by_hand_fake' });
  const inputs = { mode: 'plan', 'fail-on-drift': 'true', 'env-on-conflict': 'fail' };
  const report = await sync(emulator, project, folder.path, inputs);
  const stored = new Map(project.variables.map(({ name, value }) => [name, value]));
  check(report.conclusion === 'failure', 'the drift report failed its step');
  check(
    report.log.some((line) => /STRIPE_KEY:? changed outside this action/.test(line)),
    'it names the variable that changed outside this action',
  );
  check(stored.get('STRIPE_KEY') === 'sk_rotated_by_hand_fake', 'the rotated value is kept');
}
