import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startGitWorld } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type EnvSyncWorld, startEnvSync, stored } from './env-sync-world.ts';
import { runPushing } from './push-world.ts';

const policies = [
  ['keep', 'synced'],
  ['fail', 'conflict'],
] as const;

/** Changes the variable that is to be removed, by hand. */
const change = ({ project }: EnvSyncWorld) =>
  void project.setVariable({ name: 'OLD', value: 'changed by hand' });

const removing = (policy: string) => ({
  inputs: { 'env-remove': 'OLD', 'env-on-conflict': policy },
});

describe.concurrent.each(policies)(
  'a variable that somebody changed is not removed under %s',
  (policy, outcome) => {
    it.each(['empty', 'no-content'] as const)(
      'where nothing tells whose its version is (answers to writes: %s)',
      async (writeBody) => {
        await using world = await startEnvSync({ writeBody });
        await world.run({ ONE: 'fake of one', OLD: 'fake old' });
        change(world);
        const { outputs } = await world.run({ ONE: 'fake of one' }, removing(policy));
        expect(outputs['outcome']).toBe(outcome);
        expect(stored(world.project)).toHaveProperty('OLD', 'changed by hand');
      },
    );

    it('where the answer to another write shows it', async () => {
      await using world = await startEnvSync({ staleVersion: 'ignore' });
      await world.run({ ONE: 'fake of one', OLD: 'fake old' });
      const until = async () => change(world);
      world.emulator.faults.add({ operation: 'replaceVariable', kind: 'hold', until });
      const { outputs } = await world.run({ ONE: 'fake of another' }, removing(policy));
      expect(outputs['outcome']).toBe(outcome);
      expect(stored(world.project)).toHaveProperty('OLD', 'changed by hand');
    });

    it('where only its time shows it, after an answer that was lost', async () => {
      await using world = await startEnvSync();
      await world.run({ ONE: 'fake of one', OLD: 'fake old' });
      const lost = { kind: 'status', status: 503, effect: false, times: 1 } as const;
      world.emulator.faults.add({ operation: 'deleteVariable', ...lost });
      const byHand = { name: 'OLD', value: 'changed by hand', version: 1 };
      const until = async () => void world.project.setVariable(byHand);
      world.emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', after: 1, until });
      const { outputs } = await world.run({ ONE: 'fake of one' }, removing(policy));
      expect(outputs['outcome']).toBe(outcome);
      expect(stored(world.project)).toHaveProperty('OLD', 'changed by hand');
    });
  },
);

it("a stranger's site file deletes nothing that env-remove does not name", async () => {
  await using world = await startEnvSync();
  change(world);
  await writeFile(join(world.workspace, 'site.yml'), 'environment: { OLD: { remove: true } }');
  const payload = adjust(examplePayload('pull_request', 'opened'), {
    'pull_request.head.repo.full_name': 'a/b',
    'pull_request.base.repo.full_name': 'octo-org/octo-site',
  });
  const event = { name: 'pull_request_target', payload };
  const inputs = { config: 'site.yml' };
  const { outputs } = await world.run({}, { event, inputs });
  expect(outputs['error']).toMatch(/may delete only variables named in env-remove.*\(SD1204\)/);
  expect(stored(world.project)).toHaveProperty('OLD');
  const named = await world.run({}, { event, inputs: { ...inputs, 'env-remove': 'OLD' } });
  expect(named.outputs['outcome']).toBe('synced');
});

it('a value that was written into env-remove is not shown', async () => {
  await using world = await startEnvSync();
  const { outputs } = await world.run({}, { inputs: { 'env-remove': 'NAME=fake-secret-value' } });
  expect(outputs['error']).toContain('"NAME=…" is not a valid variable name');
  expect(outputs['error']).not.toContain('fake-secret-value');
});

it('a watch that is to remove a variable needs its project', async () => {
  await using world = await startGitWorld();
  const commit = await world.push();
  const { outputs } = await runPushing(world, commit, {
    inputs: {
      'project-id': '',
      'git-url': '',
      'git-token': '',
      deploy: 'false',
      'env-remove': 'OLD',
      'verify-url': `${world.emulator.url}/`,
    },
  });
  expect(outputs['error']).toMatch(/^project-id is empty.*\(SD1001\)/);
});
