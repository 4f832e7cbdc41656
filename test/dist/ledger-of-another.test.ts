import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startCacheServer } from '../../emulator/cache/index.ts';
import { type ActionResult, type RunOptions, startAction } from '../../emulator/runner.ts';
import { shareProcess } from '../support/shared-process.ts';
import { type EnvSyncWorld, startEnvSync, stored, writesOf } from './env-sync-world.ts';
import { startStep, unpacked } from './run-step.ts';

const variables = { A: 'fake value of a' };
const file = 'ledgers/one';
const otherKey = 'not-a-real-ledger-key-0123456789';
const site = JSON.stringify({
  'registered-domains': {
    'example.com': { dns: [{ type: 'A', name: 'www', content: '203.0.113.10' }] },
  },
});

type Runs = (
  world: EnvSyncWorld,
  key: string,
  inputs?: Readonly<Record<string, string>>,
  env?: Readonly<Record<string, string>>,
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
  domains: async ({ emulator, project, workspace }, key, inputs = {}, env = {}) => {
    await writeFile(join(workspace, 'site.yml'), site);
    const options: RunOptions = {
      action: join(unpacked, 'domains'),
      workspace,
      launch: shareProcess,
      env,
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        config: 'site.yml',
        ledger: file,
        'ledger-key': key,
        ...inputs,
      },
    };
    return await startAction(options).done;
  },
} as const satisfies Record<string, Runs>;

type Name = keyof typeof actions;

async function startWorld(): Promise<EnvSyncWorld> {
  const world = await startEnvSync();
  world.emulator.world.registerDomain('example.com');
  return world;
}

/** Who sealed the file, who is given it, and what that one says. */
const cases: readonly (readonly [Name, Name, string, string])[] = [
  ['env-sync', 'env-sync', otherKey, 'env-ledger: ledgers/one was sealed with another key'],
  ['deploy', 'deploy', otherKey, 'env-ledger: ledgers/one was sealed with another key'],
  ['domains', 'domains', otherKey, 'ledger: ledgers/one was sealed with another key'],
  ['domains', 'env-sync', '', 'env-ledger: ledgers/one is the ledger of another action (domains)'],
  ['domains', 'deploy', '', 'env-ledger: ledgers/one is the ledger of another action (domains)'],
  [
    'env-sync',
    'domains',
    '',
    'ledger: ledgers/one is the ledger of another action (env-sync, deploy)',
  ],
  [
    'deploy',
    'domains',
    '',
    'ledger: ledgers/one is the ledger of another action (env-sync, deploy)',
  ],
];

describe.concurrent("another's ledger file", () => {
  it.each(cases)(
    'of %s, given to %s with the key "%s", is an error, and stays as it is',
    async (first, second, key, says) => {
      await using world = await startWorld();
      const made = await actions[first](world, '');
      expect(made.conclusion).toBe('success');
      const before = await readFile(join(world.workspace, file), 'utf8');
      world.emulator.journal.clear();
      for (const inputs of [{ mode: 'plan' }, {}]) {
        const { conclusion, outputs, annotations } = await actions[second](world, key, inputs);
        expect(conclusion).toBe('failure');
        expect(outputs).toMatchObject({ outcome: 'failed', error: expect.stringContaining(says) });
        expect(annotations).toHaveLength(1);
      }
      expect(writesOf(world.emulator)).toEqual([]);
      expect(await readFile(join(world.workspace, file), 'utf8')).toBe(before);
    },
  );

  it('is not replaced either where another run put it there meanwhile', async () => {
    await using world = await startWorld();
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

  it('in the cache is another entry: an action that syncs variables and one that declares records share none', async () => {
    await using world = await startWorld();
    await using cache = await startCacheServer();
    const env = { NO_PROXY: '127.0.0.1', ...cache.environment };
    const inputs = { 'env-ledger': 'cache' };
    for (const requests of ['2', '1']) {
      const domains = await actions.domains(world, '', { ledger: 'cache' }, env);
      expect(domains.outputs['outcome']).toBe('synced');
      const { outputs } = await world.run(variables, { inputs, env });
      expect(outputs).toMatchObject({ outcome: 'synced', requests });
    }
  });
});
