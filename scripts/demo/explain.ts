import type { Emulator } from '../../emulator/index.ts';
import { startPlay } from '../player/play.ts';
import { check, createProject, quote, title } from './stage.ts';

/** What a push would do, told without a key and without a request. */
export async function playExplanation(emulator: Emulator): Promise<void> {
  const project = await createProject(emulator);
  const after = await project.head();
  const isAsked = ({ operation }: { operation: string | null }) => operation !== 'git';
  const before = emulator.journal.entries.filter(isAsked).length;
  title('What a push would do, without a key');
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

  title('What holds now');
  const asked = emulator.journal.entries.filter(isAsked).length - before;
  check(outputs['outcome'] === 'planned', 'the step passed');
  check(outputs['commit-sha'] === after, 'it names the commit that would be deployed');
  check(summary.includes('deployments: write'), 'it lists what the job has to be granted');
  check(asked === 0, 'the service was asked nothing');
}
