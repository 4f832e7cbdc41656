import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { decode } from '../core/report/decode.ts';
import { startEnvSync, stored } from '../dist/env-sync-world.ts';

const dialects: readonly DialectOptions[] = [
  { variableTimes: 'late' },
  { variableTimes: 'late', duplicateName: 'allow' },
  { variableTimes: 'late', duplicateName: 'replace' },
  { variableTimes: 'late', writeBody: 'empty' },
  { variableTimes: 'late', firstVersion: 7 },
  { variableTimes: 'absent' },
];

describe.concurrent('a new variable whose times differ by some milliseconds', () => {
  it.each(dialects)('is ours, and nobody else is named, where %o', async (dialect) => {
    await using world = await startEnvSync(dialect);
    const { log, summary, outputs } = await world.run({ KEPT: 'fake', DROPPED: 'fake' });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(`${log.join('\n')}${summary}`).not.toMatch(/somebody else|outside this action/);
  });

  it.each(dialects)('is deleted once env-remove names it, where %o', async (dialect) => {
    await using world = await startEnvSync(dialect);
    world.project.setVariable({ name: 'FOREIGN', value: 'stays' });
    await world.run({ KEPT: 'fake', DROPPED: 'fake' });
    const { outputs, log } = await world.run(
      { KEPT: 'fake' },
      { inputs: { 'env-remove': 'DROPPED' } },
    );
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(log.join('\n')).toMatch(/deleted +DROPPED/);
    expect(stored(world.project)).toEqual({ KEPT: 'fake', FOREIGN: 'stays' });
  });
});

describe.concurrent('a request that a proxy carries out twice', () => {
  it.each([
    ['createVariable', { duplicateName: 'allow' }, undefined],
    ['createVariable', { duplicateName: '409' }, undefined],
    ['createVariable', { duplicateName: 'replace' }, undefined],
    ['replaceVariable', { staleVersion: 'ignore' }, 'old fake'],
    ['replaceVariable', { staleVersion: '409' }, 'old fake'],
  ] as const)('is not laid on somebody else: %s, %o', async (operation, dialect, before) => {
    await using world = await startEnvSync(dialect);
    if (before !== undefined) {
      await world.run({ A: 'first fake' });
      await world.run({ A: before });
    }
    world.emulator.faults.add({ operation, kind: 'twice' });
    const { log, summary, outputs } = await world.run({ A: 'fake' });
    const text = `${log.join('\n')}\n${decode(summary)}\n${outputs['error']}`;
    for (const sentence of text.split(/[.;:\n]/)) {
      if (/somebody else|outside this action/.test(sentence)) expect(sentence).toMatch(/\bor\b/);
    }
    expect(world.project.variables.every(({ value }) => value === 'fake')).toBe(true);
    if (world.project.variables.length > 1) expect(outputs['outcome']).toBe('conflict');
  });
});
