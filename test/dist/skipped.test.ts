import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { runAction } from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { unpacked } from './run-step.ts';

const inputs = {
  deploy: {},
  domains: {},
  'env-sync': { 'env-from': 'A' },
  message: { content: 'Hello' },
  projects: {},
};

const wrongChoice = { 'on-failed-checks': 'neither' };

it.concurrent.each([...Object.entries(inputs), ['deploy', wrongChoice] as const])(
  '%s in a fork without secrets is skipped, and its summary says why',
  async (action, given) => {
    await using emulator = await startEmulator();
    const payload = adjust(examplePayload('pull_request', 'opened'), {
      'pull_request.head.repo.full_name': 'somebody/fork',
      'pull_request.author_association': 'MEMBER',
    });
    const result = await runAction({
      action: action === 'deploy' ? unpacked : join(unpacked, action),
      inputs: {
        'base-url': emulator.url,
        ...(action === 'projects' ? {} : { 'project-id': crypto.randomUUID() }),
        ...given,
      },
      event: { name: 'pull_request', payload },
    });
    expect(result).toMatchObject({ conclusion: 'success', outputs: { outcome: 'skipped' } });
    expect(result.summary).toContain('Skipped');
    expect(result.summary).toContain('fork');
    expect(emulator.journal.entries).toEqual([]);
  },
);
