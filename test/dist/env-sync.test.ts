// Attack (secrets): A line in `env` makes a secret variable of the service plain, and the log shows its new value
// Defense: A variable that the service has as `secret` is refused in `env` before any write, also where it became
// secret during the run

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutputs } from '../../src/outputs.ts';
import { startEnvSync, stored, writesOf } from './env-sync-world.ts';
import { readable } from './run-step.ts';

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`NAME_${n}`, `fake value ${n}`]));

const outputNames = Object.keys(describeOutputs('env-sync')).sort();

describe.concurrent('dist/env-sync.js, run again', () => {
  it('with nothing changed, sends one request', async () => {
    await using world = await startEnvSync();
    const first = await world.run(many(3));
    expect(first.outputs).toMatchObject({ outcome: 'synced', requests: '4' });
    const second = await world.run(many(3));
    expect(second.conclusion).toBe('success');
    expect(second.outputs).toMatchObject({ outcome: 'synced', requests: '1', drift: 'false' });
    expect(writesOf(world.emulator)).toHaveLength(3);
  });

  it('fails for a rotation by hand under env-on-conflict: fail, and names it and both versions', async () => {
    await using world = await startEnvSync();
    await world.run(many(3));
    world.project.setVariable({ name: 'NAME_1', value: 'rotated by hand' });
    const inputs = { 'env-on-conflict': 'fail' };
    const { conclusion, outputs } = await world.run(many(3), { inputs });
    expect(conclusion).toBe('failure');
    expect(outputs).toMatchObject({ outcome: 'conflict', drift: 'true', requests: '1' });
    expect(outputs['error']).toMatch(/NAME_1: changed outside this action.*version 2.*version 1/);
    expect(stored(world.project)['NAME_1']).toBe('rotated by hand');
  });
});

const exact = {
  CRLF: 'first\r\nsecond\r\n',
  NEW_LINES_AT_THE_END: 'value\n\n',
  BYTE_ORDER_MARK: '\uFEFFvalue',
  EMOJI: '😀'.repeat(5120),
  WHITE_SPACE_AROUND: '  \tvalue \u00A0',
  PUNCTUATION: `"a" 'b' $HOME #c d=e %F0 %25 f,g \\n ::error::h`,
  CARRIAGE_RETURN: 'a\rb',
  DECOMPOSED: 'e\u0301',
};

describe('values of env-from', () => {
  it('arrive byte for byte (all but NUL, which no environment variable can hold)', async () => {
    await using world = await startEnvSync();
    const { conclusion, annotations } = await world.run(exact);
    expect(conclusion).toBe('success');
    expect(stored(world.project)).toEqual(exact);
    const odd =
      'an invisible character at the start of BYTE_ORDER_MARK; a line break at the end of NEW_LINES_AT_THE_END; an invisible character at the end of WHITE_SPACE_AROUND. (SD1214)';
    expect(annotations).toMatchObject([
      { level: 'warning', message: expect.stringContaining(odd) },
    ]);
  });
});

describe.concurrent('the outputs', () => {
  it.each([
    ['honest', 'true', 'true'],
    ['absent', '', ''],
  ] as const)(
    'say of stale and pending what the service says: %s',
    async (flags, stale, pending) => {
      await using world = await startEnvSync({ pendingFlags: flags });
      const { outputs } = await world.run({ A: 'fake' });
      expect(outputs).toMatchObject({ outcome: 'synced', stale, pending });
      expect(Object.keys(outputs).sort()).toEqual(outputNames);
    },
  );

  it('are all set when an input is wrong', async () => {
    await using world = await startEnvSync();
    const { conclusion, outputs } = await world.run({}, { inputs: { 'env-from': 'MISSING' } });
    expect(conclusion).toBe('failure');
    expect(Object.keys(outputs).sort()).toEqual(outputNames);
    expect(outputs).toMatchObject({ outcome: 'failed', plan: '', stale: '', requests: '0' });
    expect(outputs['error']).toContain('MISSING');
    expect(world.emulator.journal.entries).toEqual([]);
  });

  it('are all set when the environment cannot be read', async () => {
    await using world = await startEnvSync({ refuse: ['readEnvironment'] });
    const { conclusion, outputs } = await world.run({ A: 'fake' });
    expect(conclusion).toBe('failure');
    expect(Object.keys(outputs).sort()).toEqual(outputNames);
    expect(outputs).toMatchObject({ outcome: 'failed', plan: '', stale: '', pending: '' });
    expect(outputs['error']).toContain('permission');
  });

  it('are all set when a write fails, and the others are counted', async () => {
    await using world = await startEnvSync({ variableNames: 'identifier' });
    const inputs = { 'env-from': 'GOOD\nBAD-NAME=GOOD' };
    const { conclusion, outputs } = await world.run({ GOOD: 'fake' }, { inputs });
    expect(conclusion).toBe('failure');
    expect(Object.keys(outputs).sort()).toEqual(outputNames);
    expect(outputs).toMatchObject({ outcome: 'failed', stale: 'true', pending: 'true' });
    expect(JSON.parse(outputs['env-summary'] ?? '')).toMatchObject({ created: 1, failed: 1 });
    expect(outputs['plan-digest']).toMatch(/^[0-9a-f]{64}-[0-9a-f]{16}$/);
  });
});

describe.concurrent('secrets', () => {
  const value = 'not-a-real-secret-0123456789';
  const ledgerKey = 'not-a-real-ledger-key-0123456789';

  it.each([
    ['that succeeds', {}],
    ['whose writes are refused with an echo', { refuse: ['createVariable'], echoValues: true }],
    ['of a service that quotes them', { hostileText: value, echoValues: true, extraFields: true }],
  ])('and keys stand nowhere after a sync %s', async (_, dialect) => {
    await using world = await startEnvSync(dialect);
    const inputs = { 'env-ledger-key': ledgerKey };
    for (const one of [value, `${value}-rotated`]) {
      const result = await world.run({ SECRET: one, OTHER: 'other fake value' }, { inputs });
      // What the runner prints of the inputs comes before, and is not ours.
      const log = result.log.slice(result.log.findIndex((line) => !/^(▾| {2})/.test(line)));
      const shown = readable({ ...result, log });
      const printed = result.raw.stdout.replaceAll(/^::add-mask::.*$/gm, '') + result.raw.stderr;
      const ledger = await world.readLedger().catch(() => 'none');
      for (const secret of [value, ledgerKey, world.emulator.key]) {
        const forms = [secret, btoa(secret), Buffer.from(secret).toString('hex')];
        for (const form of forms) expect(shown + printed + ledger).not.toContain(form);
      }
    }
  });
});

describe.concurrent('a variable that the service has as secret', () => {
  it('becomes plain by the site file', async () => {
    await using world = await startEnvSync();
    world.project.setVariable({ name: 'OPEN', value: 'fake-by-hand', kind: 'secret' });
    const open = { environment: { OPEN: { value: 'open', kind: 'plain' } } };
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(open));
    const { outputs } = await world.run({}, { inputs: { config: 'site.yml', 'env-from': '' } });
    expect(outputs['outcome']).toBe('synced');
    expect(world.project.variables).toMatchObject([{ name: 'OPEN', kind: 'plain' }]);
  });
});
