import { expect, test } from 'vitest';
import { sha } from '../../../src/contract/commit.ts';
import { describeLeft } from '../../../src/deploy/deploy.ts';
import { safe } from '../../../src/kernel/text/safe.ts';
import type { DeployFindings } from '../../../src/release/context.ts';
import { startWorld } from '../../support/world.ts';

const deployment = { id: safe`d`, status: safe`failed` };

test.each<[string, Partial<DeployFindings>, string]>([
  ['failed', { confirmedBy: 'stream', deploymentEnd: 'failed' }, 'The deployment failed.'],
  ['succeeded', { confirmedBy: 'stream', deploymentEnd: 'succeeded' }, 'The deployment succeeded.'],
  [
    'failed, where that was a way back',
    { rollback: { commit: sha('a'.repeat(40)), deployment, deploymentEnd: 'failed' } },
    `The rollback to commit ${'a'.repeat(40)} failed.`,
  ],
  ['is not over', {}, 'Deployment d was last "failed" and may still go live'],
])('a run that is cut off says that its deployment %s', async (_, found, says) => {
  await using world = await startWorld();
  world.abort('cancelled');
  const findings: DeployFindings = { deployment, isRequested: true, phases: [], ...found };
  const left = describeLeft(world.host, findings, () => safe``);
  expect(left).toContain(says);
});
