import assert from 'node:assert/strict';
import { type CacheServer, startCacheServer } from '../emulator/cache/index.ts';
import { startProcess } from '../emulator/runner/process.ts';
import type { ActionResult, RunOptions } from '../emulator/runner.ts';
import { type PullRequestWorld, startPullRequest } from '../test/dist/pull-request-world.ts';
import { type Row, repeat } from './measurement.ts';
import { leastTime, necessary, times } from './necessary-trips.ts';
import { makeVariables } from './variables.ts';

const runs = 5;

type Case = keyof typeof necessary;

/** What share of a run's time the necessary trips must be, at least. */
const bounds: Readonly<Record<Case, number>> = {
  'a push with 10 new variables': 0.93,
  'an unchanged push': 0.93,
  'a pull request with preview': 0.9,
};

const env = makeVariables(10);
const declared = { 'env-from': Object.keys(env).join('\n') };

/** One run of the action, by its case. */
type Play = (world: PullRequestWorld) => Promise<ActionResult>;

const play: (make: (world: PullRequestWorld) => Promise<Partial<RunOptions>>) => Play =
  (make) => async (world) => {
    await using step = await world.start('opened', {
      launch: startProcess,
      ...(await make(world)),
    });
    return await step.done;
  };

const push = (cache: CacheServer): Play =>
  play(async ({ project }) => ({
    runtime: cache.environment,
    env,
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: await project.head() } },
    inputs: { ...declared, 'preview-domain': '' },
  }));

const preview = play(async () => ({}));

const plays: Readonly<Record<Case, (cache: CacheServer) => { run: Play; before?: Play }>> = {
  'a push with 10 new variables': (cache) => ({ run: push(cache) }),
  'an unchanged push': (cache) => ({
    run: push(cache),
    before: push(cache),
  }),
  'a pull request with preview': () => ({ run: preview }),
};

/** Runs a case once, in a world of its own. @returns the share that the necessary trips have in its time */
async function shareOf(name: Case): Promise<number> {
  // The rule that a service is asked to look again at a domain every 5 s at most would be all that is measured.
  const dialect = { latencyMs: times.service, buildMs: times.build, verifyMs: 0 };
  await using world = await startPullRequest(dialect);
  await using cache = await startCacheServer({ latency: times.cache });
  world.github.latency = times.github;
  const { run, before } = plays[name](cache);
  await before?.(world);
  const { outputs, durationMs, annotations } = await run(world);
  assert.equal(outputs['outcome'], 'succeeded', outputs['error']);
  assert.deepEqual(annotations, []);
  return leastTime(necessary[name]) / durationMs;
}

/** What share of a whole run, from the start of its process, its necessary round trips are. */
export async function* criticalPath(): AsyncGenerator<Row> {
  for (const name of Object.keys(necessary) as Case[]) {
    // One run that does not count: the local world compiles its checks of GitHub's requests meanwhile, and answers late.
    await shareOf(name);
    const values = await repeat(runs, () => shareOf(name));
    const title = `critical path: ${name} (of ${leastTime(necessary[name])} ms)`;
    yield { name: title, unit: 'share', values, bound: bounds[name] };
  }
}
