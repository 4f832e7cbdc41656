import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { deployedBy, openPull, startExampleWorld } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import { root } from '../support/places.ts';
import { push } from './push.ts';
import { outcomesIn, runAct } from './run-act.ts';

const siteFile = await readFile(join(root, 'examples/starter/.github/site.yml'), 'utf8');
const files = { '.github/site.yml': siteFile };
const byHand = { name: 'workflow_dispatch', payload: { ref: 'refs/heads/main', inputs: {} } };

test('the starter: a push, a sync and a report of the live site', async () => {
  await using world = await startExampleWorld();
  const { sha, event } = await push(world);
  const run = async (workflow: string, started: RunEvent = byHand) => {
    const ended = await runAct(world, { workflow, event: started, files });
    return { ...ended, outcomes: outcomesIn(ended) };
  };
  const deployed = await run('starter/.github/workflows/deploy.yml', event);
  expect(deployed, deployed.log).toMatchObject({ exitCode: 0, outcomes: ['succeeded'] });
  expect(deployedBy(world)).toEqual([sha]);
  const synced = await run('starter/.github/workflows/sync.yml');
  expect(synced, synced.log).toMatchObject({ exitCode: 0, outcomes: ['synced'] });
  // There is no cache here, so no run knows what the one before it wrote.
  const report = await run('starter/.github/workflows/drift.yml');
  expect(report, report.log).toMatchObject({ exitCode: 1, outcomes: ['planned'] });
});

test('the starter: a preview until its pull request is closed', async () => {
  await using world = await startExampleWorld();
  const pull = await openPull(world, repository);
  const workflow = 'starter/.github/workflows/preview.yml';
  const opened = await runAct(world, { workflow, event: pull.event('opened'), files });
  expect(outcomesIn(opened), opened.log).toEqual(['succeeded']);
  pull.close();
  const closed = await runAct(world, { workflow, event: pull.event('closed'), files });
  expect(outcomesIn(closed), closed.log).toEqual(['cleaned-up']);
});
