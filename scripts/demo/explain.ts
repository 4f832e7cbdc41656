import type { Emulator } from '../../emulator/index.ts';
import { startPlay } from '../player/play.ts';
import { check, createProject, quote, title } from './stage.ts';

/** Explains what a push would do, without a key and without a request. */
export async function playExplanation(emulator: Emulator): Promise<void> {
  const project = await createProject(emulator);
  const after = await project.head();
  const isRequest = ({ operation }: { operation: string | null }) => operation !== 'git';
  const before = emulator.journal.entries.filter(isRequest).length;
  title('mode: explain for a push, without a key');
  const { done } = startPlay(
    { emulator, project },
    {
      action: 'deploy',
      inputs: { mode: 'explain', 'api-key': '', 'env-from': 'STRIPE_KEY' },
      env: { STRIPE_KEY: 'sk_not_a_real_key_0123456789' },
      event: { name: 'push', payload: { ref: 'refs/heads/main', after } },
      onLine: quote,
    },
  );
  const { outputs, summary } = await done;

  title('Result');
  const sent = emulator.journal.entries.filter(isRequest).length - before;
  check(outputs['outcome'] === 'planned', 'the step passed');
  check(outputs['commit-sha'] === after, 'it names the commit that would be deployed');
  check(summary.includes('deployments: write'), "it lists the job's permissions");
  check(sent === 0, 'no request was sent to the service');
}
