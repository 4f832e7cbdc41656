// Attack (starting): Between review and apply, a plain value in the file changes, with the same `expected-plan`
// Defense: Plain values are part of the digest
// Attack (starting): Between review and apply, a `from:` or `env-from` names another source
// Defense: The names of sources are part of it
// Attack (starting): Between review and apply, the secret behind a source changes
// Defense: An HMAC of the secret is part of it
// Attack (starting): A secret with few possible values is guessed from the digest
// Defense: The HMAC's key; `kind: plain` in a file doesn't make a step's value plain
// Attack (starting): Plan and apply have different keys, and the run reports a changed plan
// Defense: The digest ends in the key's name; another key is reported as such

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type EnvSyncWorld, startEnvSync, stored, writesOf } from '../dist/env-sync-world.ts';
import { unpacked } from '../dist/run-step.ts';

/** What the secrets of the step are called, and their values. */
const env = { FIRST: 'not-a-real-secret-one', SECOND: 'not-a-real-secret-two' };

const fileOf = (variable: object) => JSON.stringify({ environment: { A: variable } });

/** Runs env-sync for a site file that declares one variable. */
async function sync(
  world: EnvSyncWorld,
  variable: object,
  inputs: Record<string, string>,
  given: Record<string, string> = env,
) {
  await writeFile(join(world.workspace, 'site.yml'), fileOf(variable));
  return await world.run({}, { env: given, inputs: { config: 'site.yml', ...inputs } });
}

const plan = { mode: 'plan' };

/** What was reviewed, and what is applied with its digest. */
const changes: readonly (readonly [string, object, object])[] = [
  ['a plain value', { value: 'one', kind: 'plain' }, { value: 'two', kind: 'plain' }],
  ['a source', { from: 'FIRST' }, { from: 'SECOND' }],
  ['a plain source', { from: 'FIRST', kind: 'plain' }, { from: 'SECOND', kind: 'plain' }],
  ['a value to a source', { value: env.FIRST, kind: 'plain' }, { from: 'FIRST', kind: 'plain' }],
];

describe.concurrent('a plan that was reviewed is not applied after a change of', () => {
  it.each(changes)('%s', async (_, reviewed, applied) => {
    await using world = await startEnvSync();
    const planned = await sync(world, reviewed, plan);
    const inputs = { 'expected-plan': planned.outputs['plan-digest'] ?? '' };
    const refused = await sync(world, applied, inputs);
    expect(refused.conclusion).toBe('failure');
    expect(refused.outputs).toMatchObject({ outcome: 'conflict' });
    expect(refused.outputs['error']).toContain('the plan differs from the reviewed one');
    expect(writesOf(world.emulator)).toEqual([]);
    const done = await sync(world, reviewed, inputs);
    expect(done.outputs).toMatchObject({ outcome: 'synced', error: '' });
  });

  it('the secret behind a source, in its value alone', async () => {
    await using world = await startEnvSync();
    const planned = await sync(world, { from: 'FIRST' }, plan);
    const inputs = { 'expected-plan': planned.outputs['plan-digest'] ?? '' };
    const other = { FIRST: 'not-a-real-secret-ten' };
    const refused = await sync(world, { from: 'FIRST' }, inputs, other);
    expect(refused.outputs).toMatchObject({ outcome: 'conflict' });
    expect(stored(world.project)).toEqual({});
  });

  it.each(['env', 'env-from'])('what the input %s gives', async (input) => {
    await using world = await startEnvSync();
    const first = await world.run({}, { env, inputs: { [input]: 'A=FIRST', ...plan } });
    const digest = first.outputs['plan-digest'] ?? '';
    const inputs = { [input]: 'A=SECOND', 'expected-plan': digest };
    const second = await world.run({}, { env, inputs });
    expect(second.outputs).toMatchObject({ outcome: 'conflict' });
    expect(stored(world.project)).toEqual({});
  });

  it.each(changes)('%s: the plan of the deploy action has another digest', async (_, one, two) => {
    await using world = await startEnvSync();
    const digests = [];
    for (const variable of [one, one, two]) {
      await writeFile(join(world.workspace, 'site.yml'), fileOf(variable));
      const inputs = { config: 'site.yml', 'commit-sha': 'HEAD', ...plan };
      const { outputs } = await world.run({}, { action: unpacked, env, inputs });
      digests.push(JSON.parse(outputs['plan'] ?? '').digest);
    }
    expect(digests[1]).toBe(digests[0]);
    expect(digests[2]).not.toBe(digests[0]);
  });
});

describe.concurrent('the key of a plan', () => {
  const key = (letter: string) => ({ 'env-ledger-key': `not-a-real-ledger-key-${letter}` });

  it('that is another one is told as such, and not as a change', async () => {
    await using world = await startEnvSync();
    const planned = await sync(world, { from: 'FIRST' }, { ...plan, ...key('a') });
    const digest = { 'expected-plan': planned.outputs['plan-digest'] ?? '' };
    const refused = await sync(world, { from: 'FIRST' }, { ...digest, ...key('b') });
    expect(refused.outputs).toMatchObject({ outcome: 'conflict' });
    expect(refused.outputs['error']).toMatch(/made with another key.*env-ledger-key/);
    expect(refused.outputs['error']).not.toContain('no longer');
    expect(writesOf(world.emulator)).toEqual([]);
    const done = await sync(world, { from: 'FIRST' }, { ...digest, ...key('a') });
    expect(done.outputs).toMatchObject({ outcome: 'synced', error: '' });
  });

  it('has no part in a plan of plain values', async () => {
    await using world = await startEnvSync();
    const variable = { value: 'one', kind: 'plain' };
    const planned = await sync(world, variable, { ...plan, ...key('a') });
    const digest = { 'expected-plan': planned.outputs['plan-digest'] ?? '' };
    const done = await sync(world, variable, { ...digest, ...key('b') });
    expect(done.outputs).toMatchObject({ outcome: 'synced', error: '' });
  });

  it('keeps a secret of few possible values from being found by its digest', async () => {
    await using world = await startEnvSync();
    const guessable = { FIRST: '1234' };
    const digests = [];
    for (const letter of ['a', 'b']) {
      const { outputs } = await sync(
        world,
        { from: 'FIRST' },
        { ...plan, ...key(letter) },
        guessable,
      );
      digests.push(outputs['plan-digest'] ?? '');
    }
    expect(digests[0]).not.toBe(digests[1]);
    const bare = createHash('sha256').update('1234').digest('hex');
    expect(digests.join()).not.toContain(bare.slice(0, 16));
  });
});
