import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { runStep } from '../dist/run-step.ts';

/** Steps that deploy with one variable, one after the other, in one workspace. */
interface ReleaseContext extends AsyncDisposable {
  emulator: Emulator;
  project: EmulatedProject;
  /** Runs the deploy action for these variables, which it remembers in a file. */
  run(
    variables: Readonly<Record<string, string>>,
    inputs?: Readonly<Record<string, string>>,
  ): Promise<ActionResult>;
}

async function startDeploying(dialect: DialectOptions = {}): Promise<ReleaseContext> {
  const emulator = await startEmulator({ dialect });
  const project = await emulator.world.createProject();
  const workspace = await mkdtemp(join(tmpdir(), 'untrue-'));
  return {
    emulator,
    project,
    run: (env, inputs = {}) =>
      runStep(emulator, project, {
        workspace,
        env,
        inputs: {
          'env-from': Object.keys(env).join('\n'),
          'env-ledger': 'ledger',
          ...inputs,
        },
      }),
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await rm(workspace, { recursive: true, force: true });
    },
  };
}

/** The environment of a project as the service shows it. */
async function shown({ url, key }: Emulator, { id }: EmulatedProject): Promise<string> {
  const headers = { 'x-api-key': key };
  return await (await fetch(`${url}/v1/projects/${id}/environment`, { headers })).text();
}

/** Answers with status 200 that say nothing of the write. */
const answers: readonly (readonly [string, (world: ReleaseContext) => Promise<string>])[] = [
  ['nothing at all', async () => ''],
  ['half an answer', async () => '{"variables":[{"id":'],
  ['the environment as it was', ({ emulator, project }) => shown(emulator, project)],
];

const kept = { KEPT: 'fake' };
const onPreview = { 'env-targets': 'preview' };

interface Write {
  operation: string;
  before: Readonly<Record<string, string>>;
  variables: Readonly<Record<string, string>>;
  inputs?: Readonly<Record<string, string>>;
}

const writes: readonly Write[] = [
  { operation: 'createVariable', before: kept, variables: { ...kept, NEW: 'fake' } },
  { operation: 'replaceVariable', before: { A: 'old fake' }, variables: { A: 'new fake' } },
  { operation: 'retargetVariable', before: kept, variables: kept, inputs: onPreview },
  {
    operation: 'deleteVariable',
    before: { ...kept, DROPPED: 'fake' },
    variables: kept,
    inputs: { 'env-remove': 'DROPPED' },
  },
];

const cases = writes.flatMap((write) =>
  answers.map(([answer, body]) => ({ ...write, answer, body })),
);

/** Brings a world to where the write is due, and lets nothing come of it. */
async function startWrite({ operation, before, body }: (typeof cases)[number], times: number) {
  const world = await startDeploying();
  await world.run(before, { deploy: 'false' });
  const fault = { kind: 'status', status: 200, effect: false } as const;
  world.emulator.faults.add({ operation, times, ...fault, body: await body(world) });
  return world;
}

describe.concurrent('a write of a variable that is answered with success and did nothing', () => {
  it.each(cases)(
    'each time is told, and nothing is deployed: $operation, $answer',
    async (write) => {
      await using world = await startWrite(write, Number.POSITIVE_INFINITY);
      const stored = world.project.variables;
      const { outputs, log, conclusion } = await world.run(write.variables, write.inputs);
      expect({ ...outputs, conclusion }).toMatchObject({
        conclusion: 'failure',
        outcome: 'failed',
      });
      expect(outputs['error']).toContain(
        'success, but neither the response nor a second read shows the change',
      );
      expect(log.join('\n')).toMatch(/× failed/);
      expect(world.project.variables).toEqual(stored);
      expect(world.project.deployments).toEqual([]);
      expect(world.emulator.journal.of(write.operation).filter((one) => !one.effect)).toHaveLength(
        2,
      );
    },
  );

  it.each(cases)('once is repeated, and done then: $operation, $answer', async (write) => {
    await using world = await startWrite(write, 1);
    const { outputs } = await world.run(write.variables, write.inputs);
    expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    const { 'env-targets': targets } = write.inputs ?? {};
    expect(
      world.project.variables.map(({ name, value, production }) => [name, value, production]),
    ).toEqual(Object.entries(write.variables).map((one) => [...one, targets !== 'preview']));
    expect(world.project.deployments).toHaveLength(1);
  });
});
