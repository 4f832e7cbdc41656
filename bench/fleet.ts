import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type Emulator, startEmulator } from '../emulator/index.ts';
import { runAction } from '../emulator/runner.ts';
import { root } from '../test/dist/run-step.ts';
import type { Row } from './measurement.ts';
import { makeVariables } from './variables.ts';

/** The jobs of one matrix, and how many of them run at once. */
const jobs = 100;
const atOnce = 16;

const variables = makeVariables(4);

/** One job: a process of its own that syncs one project, with its ledger in a file. @returns its requests */
async function runJob({ url, key }: Emulator, workspace: string, id: string): Promise<number> {
  const { outputs } = await runAction({
    action: join(root, 'env-sync'),
    workspace,
    env: variables,
    inputs: {
      'base-url': url,
      'api-key': key,
      'project-id': id,
      'env-from': Object.keys(variables).join('\n'),
      'env-ledger': `ledgers/${id}`,
    },
  });
  assert.equal(outputs['outcome'], 'synced', outputs['error']);
  return Number(outputs['requests']);
}

/** A matrix of jobs that sync one project each: first all variables are new, then nothing is left to do. */
export async function* fleet(): AsyncGenerator<Row> {
  await using emulator = await startEmulator();
  await using workspace = await mkdtempDisposable(join(tmpdir(), 'site-fleet-'));
  const ids = emulator.world.createProjects(jobs).map(({ id }) => id);
  const limit = pLimit(atOnce);
  for (const [round, bound] of [
    ['4 new variables each', 5],
    ['nothing to do', 1],
  ] as const) {
    const started = performance.now();
    const values = await limit.map(ids, (id) => runJob(emulator, workspace.path, id));
    const name = `${jobs} projects, ${round}`;
    yield { name: `${name}: all of it`, unit: 'ms', values: [performance.now() - started] };
    yield { name: `${name}: requests for each`, unit: 'requests', values, bound };
  }
}
