// Attack (secrets): A run with another key replaces a ledger file
// Defense: That is an error before anything is written, also if another run put the file there meanwhile

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ActionResult } from '../../emulator/runner.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type EnvSyncWorld, startEnvSync, stored, writesOf } from './env-sync-world.ts';
import { startStep } from './run-step.ts';

const variables = { A: 'fake value of a' };
const file = 'ledgers/one';
const otherKey = 'not-a-real-ledger-key-0123456789';
type Runs = (
  world: EnvSyncWorld,
  key: string,
  inputs?: Readonly<Record<string, string>>,
) => Promise<ActionResult>;

/** Each action that keeps a ledger, with one and the same file. */
const actions = {
  'env-sync': (world, key, inputs = {}) =>
    world.run(variables, {
      inputs: { 'env-ledger': file, 'env-ledger-key': key, ...inputs },
    }),
  deploy: async (world, key, inputs = {}) => {
    const { emulator, project, workspace } = world;
    const step = await startStep(emulator, project, {
      workspace,
      launch: shareProcess,
      env: variables,
      inputs: { 'env-from': 'A', 'env-ledger': file, 'env-ledger-key': key, ...inputs },
    });
    return await step.done;
  },
} as const satisfies Record<string, Runs>;

describe.concurrent("another's ledger file", () => {
  it.each(['env-sync', 'deploy'] as const)(
    'that %s sealed with another key is an error, and stays as it is',
    async (action) => {
      await using world = await startEnvSync();
      const made = await actions[action](world, '');
      expect(made.conclusion).toBe('success');
      const before = await readFile(join(world.workspace, file), 'utf8');
      world.emulator.journal.clear();
      const says = 'env-ledger: ledgers/one was sealed with another key';
      for (const inputs of [{ mode: 'plan' }, {}]) {
        const { conclusion, outputs, annotations } = await actions[action](world, otherKey, inputs);
        expect(conclusion).toBe('failure');
        expect(outputs).toMatchObject({ outcome: 'failed', error: expect.stringContaining(says) });
        expect(annotations).toHaveLength(1);
      }
      expect(writesOf(world.emulator)).toEqual([]);
      expect(await readFile(join(world.workspace, file), 'utf8')).toBe(before);
    },
  );

  it('is not replaced either where another run put it there meanwhile', async () => {
    await using world = await startEnvSync();
    const { emulator } = world;
    const until = Promise.withResolvers<void>();
    const held = emulator.faults.add({
      operation: 'createVariable',
      kind: 'hold',
      until: () => until.promise,
    });
    const inputs = { 'env-ledger': file };
    await using first = world.start(variables, { inputs, launch: shareProcess });
    await emulator.journal.waitFor(() => held.fired === 1);
    await world.run(
      { B: 'fake value of b' },
      { inputs: { ...inputs, 'env-ledger-key': otherKey } },
    );
    const others = await readFile(join(world.workspace, file), 'utf8');
    until.resolve();
    const { outputs, annotations } = await first.done;
    expect(outputs['outcome']).toBe('synced');
    expect(JSON.stringify(annotations)).toContain('ledgers/one was sealed with another key');
    expect(await readFile(join(world.workspace, file), 'utf8')).toBe(others);
    expect(stored(world.project)).toMatchObject(variables);
  });
});
