import { expect, test } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import type { Sha } from '../../src/contract/commit.ts';
import { endIfLive } from '../../src/deploy/if-needed.ts';
import { diagnose } from '../../src/kernel/diagnostic.ts';
import { safe } from '../../src/kernel/text/safe.ts';
import { Stop } from '../../src/step/step.ts';
import { commits, recorderOf } from '../releases/histories.ts';
import { startWorld } from '../support/world.ts';

test('a run whose pull request closes while the records are read speaks of no waiting variables', async () => {
  await using world = await startWorld();
  await using github = await startGitHub();
  const commit = commits[0] as Sha;
  const { history } = recorderOf(world, github, commit, '1');
  const closed = new Stop('skipped', diagnose('SD6007', safe`It was closed.`));
  const host = { ...world.host, signal: AbortSignal.abort(closed) };
  const run = { ...world, host, projectId: world.project.id, request: { history, commit } };
  const prepared = { environment: { version: 1, variables: [] }, wrote: [safe`NAME`] };
  await expect(endIfLive(run as never, prepared)).rejects.toBe(closed);
  expect(world.told).toEqual([]);
});
