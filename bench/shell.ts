import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startCacheServer } from '../emulator/cache/index.ts';
import { type Launch, startProcess } from '../emulator/runner/process.ts';
import { startPullRequest } from '../test/dist/pull-request-world.ts';
import type { Row, Sample } from './measurement.ts';
import { times } from './necessary-trips.ts';
import { makeVariables } from './variables.ts';

const rounds = 5;

/** What share of the script's time the action may take. */
const bound = 0.5;

const script = join(import.meta.dirname, 'deploy.sh');
const variables = makeVariables(10);
const names = variables.map(({ name }) => name);
const env = Object.fromEntries(variables.map(({ name, value }) => [name, value]));

/** Pushes once, in a world of its own, and gives the milliseconds of the whole process. */
async function push(isScript: boolean): Promise<number> {
  await using world = await startPullRequest({ latencyMs: times.service, buildMs: times.build });
  await using cache = await startCacheServer({ latency: times.cache });
  world.github.latency = times.github;
  const { emulator, project } = world;
  const given = {
    API_KEY: emulator.key,
    BASE_URL: emulator.url,
    PROJECT_ID: project.id,
    GITHUB_TOKEN: 'fake-github-token',
    VARIABLES: names.join(' '),
  };
  const launch: Launch = (options) =>
    startProcess({
      ...options,
      file: 'bash',
      args: [script],
      env: { ...options.env, ...given },
    });
  await using step = await world.start('opened', {
    runtime: cache.environment,
    env,
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: await project.head() } },
    inputs: { 'env-from': names.join('\n'), 'preview-domain': '' },
    post: false,
    launch: isScript ? launch : startProcess,
  });
  const { outputs, durationMs, log } = await step.done;
  assert.equal(outputs['outcome'], 'succeeded', log.join('\n'));
  assert.deepEqual(new Set(project.variables.map(({ name }) => name)), new Set(names));
  return durationMs;
}

const isThere = (command: string): boolean => {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** How long a push with ten new variables takes, against a script of curl and jq that does the same. */
export async function* shell(): AsyncGenerator<Row> {
  const missing = ['bash', 'curl', 'jq'].filter((command) => !isThere(command));
  if (missing.length > 0) {
    console.log(`Skipped: the script needs ${missing.join(' and ')}.`);
    return;
  }
  const scripts: Sample[] = [];
  const actions: Sample[] = [];
  const ratios: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ofScript = await push(true);
    const ofAction = await push(false);
    scripts.push({ value: ofScript });
    actions.push({ value: ofAction });
    ratios.push({ value: ofAction / ofScript, bound });
  }
  yield { name: 'the script', unit: 'ms', samples: scripts };
  yield { name: 'the action', unit: 'ms', samples: actions };
  yield { name: "the action's share of the script's time", unit: '×', samples: ratios };
}
