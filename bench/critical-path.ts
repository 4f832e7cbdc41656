import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type CacheServer, startCacheServer } from '../emulator/cache/index.ts';
import { startProcess } from '../emulator/runner/process.ts';
import { type ActionResult, type RunOptions, runAction } from '../emulator/runner.ts';
import { type PullRequestWorld, startPullRequest } from '../test/dist/pull-request-world.ts';
import { root } from '../test/dist/run-step.ts';
import type { Row, Sample } from './measurement.ts';
import { leastTime, necessary, times } from './necessary-trips.ts';
import { drawTimeline, type TimedRequest } from './request-timeline.ts';
import { makeVariables } from './variables.ts';

const runs = 5;

type Case = keyof typeof necessary;

/** What share of a run's time the necessary trips must be, at least. */
const bounds: Readonly<Partial<Record<Case, number>>> = {
  'a push with 10 new variables': 0.96,
  'an unchanged push': 0.96,
  'a pull request with preview': 0.94,
};

const variables = makeVariables(10);
const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
const declared = { 'env-from': variables.map(({ name }) => name).join('\n') };

/** One run of the action, by its case. */
type Play = (world: PullRequestWorld, options: { onLine: () => void }) => Promise<ActionResult>;

const play: (make: (world: PullRequestWorld) => Promise<Partial<RunOptions>>) => Play =
  (make) => async (world, options) => {
    await using step = await world.start('opened', {
      launch: startProcess,
      ...options,
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

const sync =
  (cache: CacheServer): Play =>
  async ({ emulator, project }, options) =>
    await runAction({
      ...options,
      action: join(root, 'env-sync'),
      runtime: cache.environment,
      env,
      inputs: {
        ...declared,
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
      },
    });

const preview = play(async () => ({}));

const plays: Readonly<
  Record<Case, (cache: CacheServer) => { run: Play; before?: Play; outcome: string }>
> = {
  'a push with 10 new variables': (cache) => ({ run: push(cache), outcome: 'succeeded' }),
  'an unchanged push': (cache) => ({
    run: push(cache),
    before: push(cache),
    outcome: 'succeeded',
  }),
  'a pull request with preview': () => ({ run: preview, outcome: 'succeeded' }),
  'env-sync with 10 new variables': (cache) => ({ run: sync(cache), outcome: 'synced' }),
};

/** The requests of the run so far, to whomever. */
function requestsOf({ emulator, github }: PullRequestWorld, cache: CacheServer): TimedRequest[] {
  return [
    ...emulator.journal.entries.map((entry) => ({ host: 'service', ...entry })),
    ...cache.journal.entries.map((entry) => ({ host: 'cache', ...entry })),
    ...github.journal.map(({ operationId, ...entry }) => ({
      host: 'github',
      ...entry,
      operation: operationId ?? `${entry.method} ${entry.path}`,
    })),
  ];
}

/** Runs a case once, in a world of its own. */
async function measure(name: Case): Promise<{ share: number; drawing: string }> {
  // The rule that a service is asked to look again at a domain every 5 s at most would be all that is measured.
  const dialect = { latencyMs: times.service, buildMs: times.build, verifyMs: 0 };
  await using world = await startPullRequest(dialect);
  await using cache = await startCacheServer({ latency: times.cache });
  world.github.latency = times.github;
  const { run, before, outcome } = plays[name](cache);
  await before?.(world, { onLine: () => undefined });
  let start: number | undefined;
  const onLine = () => {
    start ??= Date.now();
  };
  const { outputs, durationMs, annotations } = await run(world, { onLine });
  assert.equal(outputs['outcome'], outcome, outputs['error']);
  assert.deepEqual(annotations, []);
  assert(start);
  const begin = start;
  const requests = requestsOf(world, cache).filter(({ at }) => at >= begin);
  return {
    share: leastTime(necessary[name]) / durationMs,
    drawing: drawTimeline(requests, { start: begin, end: begin + durationMs }),
  };
}

/** What share of a whole run, from the start of its process, its necessary round trips are. */
export async function* criticalPath(): AsyncGenerator<Row> {
  for (const name of Object.keys(necessary) as Case[]) {
    const bound = bounds[name];
    const samples: Sample[] = [];
    let drawing = '';
    // One run that does not count: the local world compiles its checks of GitHub's requests meanwhile, and answers late.
    await measure(name);
    for (let run = 0; run < runs; run += 1) {
      const measured = await measure(name);
      samples.push({ value: measured.share, ...(bound !== undefined && { bound }) });
      drawing = measured.drawing;
    }
    const least = leastTime(necessary[name]);
    yield { name: `${name}: share of ${least} ms`, unit: 'share', samples, drawing };
  }
}
