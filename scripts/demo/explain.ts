import type { Emulator } from '../../emulator/index.ts';
import { beginScene, check, createProject, runStep } from './stage.ts';

/** Explains what a push would do, without a key and without a request. */
export async function playExplanation(emulator: Emulator): Promise<void> {
  const project = await createProject(emulator);
  const after = await project.head();
  const isRequest = ({ operation }: { operation: string | null }) => operation !== 'git';
  const before = emulator.journal.entries.filter(isRequest).length;
  beginScene(
    'A dry run',
    'With mode: explain, the action lists what a push would do. It needs no API key, and sends nothing.',
  );
  const { outputs, summary } = await runStep(
    { emulator, project },
    {
      action: 'deploy',
      inputs: { mode: 'explain', 'api-key': '', 'env-from': 'STRIPE_KEY' },
      env: { STRIPE_KEY: 'sk_not_a_real_key_0123456789' },
      event: { name: 'push', payload: { ref: 'refs/heads/main', after } },
    },
  );
  const sent = emulator.journal.entries.filter(isRequest).length - before;
  check(outputs['outcome'] === 'planned', 'the step passed');
  check(outputs['commit-sha'] === after, 'it names the commit that would be deployed');
  check(summary.includes('deployments: write'), "it lists the job's permissions");
  check(sent === 0, 'no request was sent to the service');
}
