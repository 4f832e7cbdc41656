import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type EmulatedProject, type Emulator, startEmulator } from '../emulator/index.ts';
import { runAction } from '../emulator/runner.ts';
import { root } from '../test/dist/run-step.ts';
import type { Row, Sample } from './measurement.ts';
import { makeVariables } from './variables.ts';

/** The most jobs of one matrix, and how many of them run at once. */
const jobs = 256;
const atOnce = 16;

/** The variables of one project: no two projects have the same values. */
const variablesOf = ({ id }: EmulatedProject) =>
  makeVariables(4).map(({ name, value }) => ({ name, value: `${value} ${id}` }));

/** The matrix that the projects action makes: what `fromJSON` would give the jobs. */
async function readMatrix({ url, key }: Emulator): Promise<string[]> {
  const inputs = { 'base-url': url, 'api-key': key };
  const { outputs } = await runAction({ action: join(root, 'projects'), inputs });
  assert.equal(outputs['outcome'], 'succeeded', outputs['error']);
  const matrix: { include: { 'project-id': string }[] } = JSON.parse(outputs['matrix'] ?? '');
  return matrix.include.map((entry) => entry['project-id']);
}

/** One job: a process of its own that syncs one project, with its ledger in a file. */
async function runJob(emulator: Emulator, workspace: string, id: string): Promise<Sample> {
  const variables = variablesOf(emulator.world.project(id));
  const { outputs } = await runAction({
    action: join(root, 'env-sync'),
    workspace,
    env: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    inputs: {
      'base-url': emulator.url,
      'api-key': emulator.key,
      'project-id': id,
      'env-from': variables.map(({ name }) => name).join('\n'),
      'env-ledger': `ledgers/${id}`,
    },
  });
  assert.equal(outputs['outcome'], 'synced', outputs['error']);
  return { value: Number(outputs['requests']) };
}

/** Every project has its own variables, with their values, and nothing else. */
function checkAll({ world: { projects } }: Emulator): void {
  for (const project of projects) {
    const stored = project.variables.map(({ name, value }) => ({ name, value }));
    const byName = (one: { name: string }, other: { name: string }) =>
      one.name.localeCompare(other.name);
    assert.deepEqual(stored.toSorted(byName), variablesOf(project).toSorted(byName));
  }
}

/** A matrix of jobs that sync one project each: first all variables are new, then nothing is left to do. */
export async function* fleet(): AsyncGenerator<Row> {
  await using emulator = await startEmulator();
  await using workspace = await mkdtempDisposable(join(tmpdir(), 'site-fleet-'));
  emulator.world.createProjects(jobs);
  const ids = await readMatrix(emulator);
  assert.equal(ids.length, jobs);
  const limit = pLimit(atOnce);
  for (const round of ['four new variables each', 'nothing to do'] as const) {
    emulator.journal.clear();
    const started = performance.now();
    const samples = await limit.map(ids, (id) => runJob(emulator, workspace.path, id));
    const value = performance.now() - started;
    checkAll(emulator);
    const counted = samples.reduce((sum, { value: requests }) => sum + requests, 0);
    assert.equal(emulator.journal.entries.length, counted);
    const bound = round === 'nothing to do' ? { bound: 1 } : {};
    const bounded = samples.map((sample) => ({ ...sample, ...bound }));
    yield { name: `${round}: requests per project`, unit: 'requests', samples: bounded };
    yield { name: `${round}: all ${jobs} jobs`, unit: 'ms', samples: [{ value }] };
  }
}
