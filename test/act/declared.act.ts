import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPull, startExampleWorld } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import { type ActRun, outcomesIn, runAct, stepsIn } from './run-act.ts';

const byHand = { name: 'workflow_dispatch', payload: { ref: 'refs/heads/main' } };
const siteFile = (text: string) => ({ '.github/site.yml': text });
const variables = siteFile(`environment:
  STRIPE_KEY: {}
  DATABASE_URL: { from: PRODUCTION_DATABASE_URL, targets: [production] }
`);
const domains = siteFile('connected-domains:\n  www.example.com: { project: self }\n');

const output = ({ log }: ActRun, name: string) => stepsIn(log).map(({ outputs }) => outputs[name]);

test('env-sync.yml twice with the cache server of act: the second run sends one request', async () => {
  await using world = await startExampleWorld();
  const play = {
    workflow: 'env-sync.yml',
    event: byHand,
    files: variables,
    cache: join(world.folder, 'cache'),
  };
  const first = await runAct(world, play);
  expect(outcomesIn(first), first.log).toEqual(['synced']);
  expect(world.project.variables).toHaveLength(2);
  const second = await runAct(world, play);
  expect(outcomesIn(second), second.log).toEqual(['synced']);
  expect(output(second, 'requests'), second.log).toEqual(['1']);
  expect(second.exitCode).toBe(0);
});

test('env-sync.yml twice without a cache: the second run writes again, and says why', async () => {
  await using world = await startExampleWorld();
  const play = { workflow: 'env-sync.yml', event: byHand, files: variables };
  await runAct(world, play);
  const second = await runAct(world, play);
  expect(outcomesIn(second), second.log).toEqual(['synced']);
  expect(output(second, 'requests')).toEqual(['3']);
  expect(second.log).toMatch(/::warning|⚠|Warning/);
  expect(second.exitCode).toBe(0);
});

test('env-drift.yml fails while something would change, and changes nothing', async () => {
  await using world = await startExampleWorld();
  const run = await runAct(world, { workflow: 'env-drift.yml', event: byHand, files: variables });
  expect(output(run, 'drift'), run.log).toEqual(['true']);
  expect(run.exitCode).toBe(1);
  expect(world.project.variables).toEqual([]);
});

test('domains-plan.yml comments, and domains-apply.yml applies the plan of the job before', async () => {
  await using world = await startExampleWorld();
  const { emulator, github } = world;
  const { event } = await openPull(world, repository);
  const planned = await runAct(world, {
    workflow: 'domains-plan.yml',
    event: event('opened'),
    files: domains,
  });
  expect(outcomesIn(planned), planned.log).toEqual(['planned']);
  expect(github.comments(repository, 7)).toHaveLength(1);
  expect(emulator.world.domains.all).toEqual([]);
  const push = { name: 'push', payload: { ref: 'refs/heads/main', after: 'a'.repeat(40) } };
  const run = await runAct(world, { workflow: 'domains-apply.yml', event: push, files: domains });
  expect(outcomesIn(run), run.log).toEqual(['planned', 'synced']);
  const [plan, apply] = output(run, 'plan-digest');
  expect(plan).toMatch(/^[0-9a-f]{64}/);
  expect(apply).toBe(plan);
  expect(emulator.world.domains.all).toMatchObject([{ hostname: 'www.example.com' }]);
});

test('fleet.yml: a job for each project that the list names (but for the last job, which needs gh)', async () => {
  await using world = await startExampleWorld();
  for (const [index, one] of world.emulator.world.createProjects(2).entries())
    one.name = `shop-${index}`;
  const run = await runAct(world, { workflow: 'fleet.yml', event: byHand, job: 'sync' });
  expect(outcomesIn(run), run.log).toEqual(['succeeded', 'synced', 'synced']);
  const jobs = stepsIn(run.log).map(({ job }) => job);
  expect(new Set(jobs).size).toBe(3);
  const synced = world.emulator.world.projects.filter(({ variables: all }) => all.length === 1);
  expect(synced.map(({ name }) => name).toSorted()).toEqual(['shop-0', 'shop-1']);
});
