import assert from 'node:assert/strict';
import { type EmulatedProject, type Emulator, startEmulator } from '../emulator/index.ts';
import { connect, runDeploy } from './command.ts';
import type { Row, Sample } from './measurement.ts';

/** How a deployment is followed. */
type Wait = 'stream' | 'poll';

/** How long the shortest deployment of a case takes, in milliseconds, and how many run in it. */
const cases = [
  { buildMs: 1000, runs: 20 },
  { buildMs: 5000, runs: 20 },
  { buildMs: 15_000, runs: 10 },
  { buildMs: 40_000, runs: 10 },
] as const;

const latencies = [0, 30] as const;

/** What the design allows from the end to its detection, by the time the deployment took; all in milliseconds. */
const bounds: Readonly<Record<Wait, (elapsed: number, latencyMs: number) => number>> = {
  // Events of a stream that is open come without the emulator's latency.
  stream: () => 50,
  poll: (elapsed, latencyMs) => 300 + 0.03 * elapsed + latencyMs,
};

/** Deploys, follows, and compares the moment when the command settled with the emulator's own end. */
async function follow(emulator: Emulator, project: EmulatedProject, wait: Wait): Promise<Sample> {
  await using connection = connect(emulator);
  const report = await runDeploy(connection, project, { wait });
  const settledAt = Date.now();
  assert.equal(report.outcome, 'succeeded', report.error?.text);
  assert.equal(report.release?.confirmedBy, wait);
  const deployment = project.deployments.find(({ id }) => id === report.release?.deployment?.id);
  assert(deployment?.endedAt);
  const { createdAt, endedAt } = deployment;
  const bound = bounds[wait](endedAt - createdAt, emulator.dialect.latencyMs);
  return { value: settledAt - endedAt, bound };
}

/**
 * Follows some deployments side by side, each through a client of its own. Their lengths differ, so that
 * their ends fall evenly into the pause between two polls.
 */
async function followAll(
  wait: Wait,
  latencyMs: number,
  { buildMs, runs }: (typeof cases)[number],
): Promise<Sample[]> {
  await using emulator = await startEmulator({ dialect: { latencyMs } });
  const project = await emulator.world.createProject();
  const pause = 300 + 0.03 * buildMs;
  const followed: Promise<Sample>[] = [];
  for (let index = 0; index < runs; index += 1) {
    emulator.dialect.buildMs = buildMs + (pause * index) / runs;
    emulator.journal.clear();
    const one = follow(emulator, project, wait);
    followed.push(one);
    const accepted = emulator.journal.waitFor(
      ({ operation, effect }) => operation === 'createDeployment' && effect,
    );
    await Promise.race([accepted, one]);
  }
  return await Promise.all(followed);
}

/** How long after a deployment's end the command knows of it, by stream and by poll. */
export async function* detection(): AsyncGenerator<Row> {
  for (const latencyMs of latencies) {
    for (const wait of ['stream', 'poll'] as const) {
      for (const one of cases) {
        const latency = latencyMs === 0 ? '' : `, latency ${latencyMs} ms`;
        const name = `${wait}, build of ${one.buildMs / 1000} s${latency}`;
        yield { name, unit: 'ms', samples: await followAll(wait, latencyMs, one) };
      }
    }
  }
}
