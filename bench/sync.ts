import assert from 'node:assert/strict';
import { type EmulatedProject, type Emulator, startEmulator } from '../emulator/index.ts';
import { connect, runDeploy } from './command.ts';
import type { Row, Sample } from './measurement.ts';
import { makeVariables } from './variables.ts';

const latencyMs = 30;
const rounds = 5;

/** The sync must take no more than this share of the time that one write after another takes. */
const share = 1 / 4;

const variables = makeVariables(200).map((variable) => ({
  ...variable,
  kind: 'secret' as const,
  preview: true,
  production: true,
}));

/** Does the work in a new project, checks that every variable arrived, and gives the milliseconds. */
async function time(
  emulator: Emulator,
  work: (project: EmulatedProject) => Promise<void>,
): Promise<number> {
  const project = await emulator.world.createProject();
  const started = performance.now();
  await work(project);
  const took = performance.now() - started;
  const values = (list: readonly { name: string; value: string }[]) =>
    new Map(list.map(({ name, value }) => [name, value]));
  assert.deepEqual(values(project.variables), values(variables));
  return took;
}

async function createOneByOne(emulator: Emulator, project: EmulatedProject): Promise<void> {
  await using connection = connect(emulator);
  for (const variable of variables) await connection.client.createVariable(project.id, variable);
}

async function syncAll(emulator: Emulator, project: EmulatedProject): Promise<void> {
  await using connection = connect(emulator);
  const declared = variables.map((variable) => ({ ...variable, source: 'env-from' }));
  const report = await runDeploy(connection, project, { deploy: false, variables: declared });
  assert.equal(report.outcome, 'synced', report.error?.text);
}

/** How long 200 new variables take over a connection with latency, against one write after another. */
export async function* sync(): AsyncGenerator<Row> {
  await using emulator = await startEmulator({ dialect: { latencyMs } });
  const sequential: Sample[] = [];
  const synced: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const value = await time(emulator, (project) => createOneByOne(emulator, project));
    sequential.push({ value });
    const took = await time(emulator, (project) => syncAll(emulator, project));
    synced.push({ value: took, bound: value * share });
  }
  const what = `${variables.length} new variables, latency ${latencyMs} ms`;
  yield { name: `${what}: one create after another`, unit: 'ms', samples: sequential };
  yield { name: `${what}: the command's sync`, unit: 'ms', samples: synced };
}
