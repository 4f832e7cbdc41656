import { expect, test } from 'vitest';
import { sha } from '../../src/contract/commit.ts';
import type { DeployState } from '../../src/deploy/model/report.ts';
import { describeLeft } from '../../src/deploy/open-report.ts';
import { safe } from '../../src/kernel/text/safe.ts';
import { startWorld } from '../support/world.ts';

const deployment = { id: safe`d`, status: safe`failed` };

test.each<[string, Partial<DeployState>, string]>([
  ['failed', { release: { stage: 'failed', confirmedBy: 'stream' } }, 'The deployment failed.'],
  [
    'succeeded',
    { release: { stage: 'succeeded', confirmedBy: 'stream' } },
    'The deployment succeeded.',
  ],
  [
    'failed, where that was a way back',
    { rollback: { commit: sha('a'.repeat(40)), release: { stage: 'failed', deployment } } },
    `The rollback to commit ${'a'.repeat(7)} failed.`,
  ],
  ['is not over', {}, 'Deployment d had the status "failed" and may still go live'],
])('a run that is cut off says that its deployment %s', async (_, found, says) => {
  await using world = await startWorld();
  world.abort('cancelled');
  const known: DeployState = { release: { stage: 'under-way', deployment }, phases: [], ...found };
  const left = describeLeft(world.host, known, safe``);
  expect(left).toContain(says);
});
