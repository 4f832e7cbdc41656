// Attack (starting): A fork's run, or the merge queue's, corrupts the ledger
// Defense: They only read it

import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type EnvSyncWorld, startEnvSync, stored, writesOf } from './env-sync-world.ts';

const variables = { A: 'fake value of a', B: 'fake value of b' };

/** Changes one character in the middle of what is sealed. */
const forged = (sealed: string): string => {
  const at = Math.floor(sealed.length * 0.75);
  return sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
};

/** What can happen to a ledger file between two runs, and what the log says of it. */
const damages: readonly (readonly [string, (world: EnvSyncWorld) => Promise<void>, string])[] = [
  [
    'lost',
    ({ ledger }) => rm(ledger),
    'First run, or no record of earlier ones (expired cache, new API key or env-ledger-key).',
  ],
  [
    'forged',
    async ({ ledger }) => writeFile(ledger, forged(await readFile(ledger, 'utf8'))),
    'it was modified or truncated',
  ],
  [
    'a folder',
    async ({ ledger }) => {
      await rm(ledger);
      await mkdir(ledger);
    },
    'is not a file',
  ],
];

describe.concurrent('a ledger file that is', () => {
  // Whatever else it may be: src/ledger/model/open.test.ts and src/ledger/store/file.test.ts.
  it.each(damages)('%s costs writes and a sentence, and nothing else', async (_, damage, words) => {
    await using world = await startEnvSync();
    await world.run(variables);
    await damage(world);
    const { conclusion, outputs, log } = await world.run(variables);
    expect(conclusion).toBe('success');
    expect(outputs).toMatchObject({ outcome: 'synced', requests: '3' });
    expect(log.filter((line) => /[:.] all variables are written/i.test(line))).toEqual([
      expect.stringContaining(words),
    ]);
    expect(stored(world.project)).toEqual(variables);
  });

  it('of another project is not believed', async () => {
    await using world = await startEnvSync();
    await world.run(variables);
    const [other] = world.emulator.world.createProjects(1);
    const inputs = { 'project-id': other?.id ?? '' };
    for (const name of Object.keys(variables)) other?.setVariable({ name, value: 'old' });
    const { outputs, log } = await world.run(variables, { inputs });
    expect(outputs).toMatchObject({ outcome: 'synced', requests: '3' });
    expect(log.join('\n')).toContain('it belongs to another project');
    expect(other && stored(other)).toEqual(variables);
  });
});

describe.concurrent('the ledger file', () => {
  it('is never put in the place of a file that is something else', async () => {
    await using world = await startEnvSync();
    const file = join(world.workspace, 'package.json');
    await writeFile(file, '{ "name": "site" }\n');
    const inputs = { 'env-ledger': 'package.json' };
    const { outputs, annotations } = await world.run(variables, { inputs });
    expect(outputs['outcome']).toBe('synced');
    expect(JSON.stringify(annotations)).toContain('is not a ledger and was not changed');
    expect(await readFile(file, 'utf8')).toBe('{ "name": "site" }\n');
  });

  it('that is missing is a warning where fail rests on it', async () => {
    await using world = await startEnvSync();
    const inputs = { 'env-on-conflict': 'fail' };
    const { annotations } = await world.run(variables, { inputs });
    expect(JSON.stringify(annotations)).toContain('so env-on-conflict has no effect');
  });

  it('is not written when nothing changed', async () => {
    await using world = await startEnvSync();
    await world.run(variables);
    const before = await world.readLedger();
    await world.run(variables);
    expect(await world.readLedger()).toBe(before);
  });

  it('that is off is neither read nor written', async () => {
    await using world = await startEnvSync();
    const inputs = { 'env-ledger': 'off' };
    for (const requests of ['3', '3']) {
      const { outputs } = await world.run(variables, { inputs });
      expect(outputs['requests']).toBe(requests);
    }
    await expect(world.readLedger()).rejects.toThrow('ENOENT');
  });
});

describe.concurrent('a run that may come from outside the repository', () => {
  const ofFork = {
    'pull_request.head.repo.full_name': 'stranger/octo-site',
    'pull_request.base.repo.full_name': 'octo-org/octo-site',
  };
  const target = adjust(examplePayload('pull_request', 'opened'), ofFork);
  const afterFork = adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': 'pull_request',
    'workflow_run.head_repository.id': 2,
    'workflow_run.pull_requests': [],
  });

  it.each([
    ['pull_request_target', target],
    ['workflow_run', afterFork],
  ])('only reads the ledger (%s)', async (name, payload) => {
    await using world = await startEnvSync();
    await world.run(variables);
    const before = await world.readLedger();
    const event = { name, payload };
    const unchanged = await world.run(variables, { event });
    expect(unchanged.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
    const changed = await world.run({ ...variables, A: 'another fake value' }, { event });
    // One of them asks which domains the project serves.
    expect(changed.outputs['requests']).toBe('3');
    expect(changed.log.join('\n')).toContain(
      'The ledger was not saved: this run may come from outside the repository.',
    );
    expect(await world.readLedger()).toBe(before);

    const next = await world.run(variables);
    expect(next.log.join('\n')).toMatch(/replaced +A: changed outside this action/);
    expect(stored(world.project)).toEqual(variables);
    expect(writesOf(world.emulator)).toHaveLength(4);
  });
});
