import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { servePage } from '../dist/history-world.ts';
import { root } from '../dist/run-step.ts';
import { deployedBy, startExampleWorld } from '../examples/example-world.ts';
import { push } from './push.ts';
import { type ActRun, outcomesIn, runAct, stepsIn } from './run-act.ts';

const byHand = { name: 'workflow_dispatch', payload: { ref: 'refs/heads/main' } };
const checks = { '.github/checks.yml': 'checks:\n  - { path: /, status: 200 }\n' };

/** The outputs of the one step of ours. */
const outputsOf = ({ log }: ActRun) => stepsIn(log)[0]?.outputs;

test('push-checks.yml, and push-roll-back.yml: a commit whose checks fail gives way to the one before', async () => {
  await using world = await startExampleWorld();
  const site = { broken: new Set<string>(), onBroken: async () => undefined };
  using page = await servePage(world.project, site);
  const vars = { SITE_URL: page.url };
  const first = await push(world);
  const given = { vars, files: checks };
  const good = await runAct(world, { ...given, workflow: 'push-checks.yml', event: first.event });
  expect(outcomesIn(good), good.log).toEqual(['succeeded']);
  expect(JSON.parse(outputsOf(good)?.['checks'] ?? '')).toMatchObject([
    { held: true },
    { held: true },
  ]);
  const second = await push(world);
  site.broken.add(second.sha);
  const file = await readFile(join(root, 'examples/workflows', 'push-roll-back.yml'), 'utf8');
  const line = '          on-failed-checks: roll-back\n';
  expect(file).toContain(line);
  // By itself it asks for two minutes whether the page comes right.
  const workflow = file.replace(line, `${line}          verify-timeout: 2s\n`);
  const play = { ...given, workflow, event: second.event };
  const back = await runAct(world, play);
  expect(outcomesIn(back), back.log).toEqual(['rolled-back']);
  expect(outputsOf(back)).toMatchObject({ 'live-commit': first.sha, 'commit-sha': second.sha });
  expect(back.exitCode).toBe(1);
  expect(deployedBy(world)).toEqual([first.sha, second.sha, first.sha]);
});

test('redeploy.yml twice: the second run finds what is wanted live', async () => {
  await using world = await startExampleWorld();
  using page = await servePage(world.project);
  const { sha } = await push(world);
  // Without a cache each run writes the variables again, and deploys for that.
  const cache = join(world.folder, 'cache');
  const play = { workflow: 'redeploy.yml', event: byHand, vars: { SITE_URL: page.url }, cache };
  const first = await runAct(world, play);
  expect(outcomesIn(first), first.log).toEqual(['succeeded']);
  const second = await runAct(world, play);
  expect(outputsOf(second), second.log).toMatchObject({ 'skipped-reason': 'not-needed' });
  expect(deployedBy(world)).toEqual([sha]);
});
