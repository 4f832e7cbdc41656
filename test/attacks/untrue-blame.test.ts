// Attack (reports): A request that a proxy repeats is blamed on someone else
// Defense: What could be the action's own write is never blamed on others alone, also in the next run

import { describe, expect, it } from 'vitest';
import { startEnvSync } from '../dist/env-sync-world.ts';
import { decode } from '../support/report/decode.ts';

describe.concurrent('a request that a proxy carries out twice', () => {
  it.each([
    ['createVariable', { duplicateName: 'allow' }, undefined],
    ['createVariable', { duplicateName: '409' }, undefined],
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
