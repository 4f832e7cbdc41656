import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { actions } from '../../src/inputs.ts';
import { failsStep, type Outcome, outcomes } from '../../src/kernel/outcome.ts';

const rows: [Outcome, boolean, boolean][] = [
  ['succeeded', false, false],
  ['failed', true, true],
  ['rolled-back', true, true],
  ['timed-out', true, true],
  ['cancelled', true, true],
  ['unconfirmed', false, true],
  ['accepted', false, false],
  ['planned', false, false],
  ['synced', false, false],
  ['conflict', true, true],
  ['skipped', false, false],
  ['cleaned-up', false, false],
];

test.each(rows)(
  '%s fails the step: %s, and with on-unconfirmed: fail: %s',
  (outcome, warned, strict) => {
    expect(failsStep(outcome, 'warn')).toBe(warned);
    expect(failsStep(outcome, 'fail')).toBe(strict);
  },
);

test('each outcome has a row here, one in the reference, and a name in the outputs of deploy', () => {
  const all = Object.keys(outcomes);
  expect(rows.map(([outcome]) => outcome)).toEqual(all);
  const [, table = ''] = readFileSync('docs/reference.md', 'utf8').split(/^\| outcome \|.*$/m);
  const explained = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([\w-]+)` \|/gm)];
  expect(explained.map(([, name]) => name).sort()).toEqual(all.toSorted());
  const described = [...actions.deploy.outputs.outcome.matchAll(/`([\w-]+)`/g)];
  expect(described.map(([, name]) => name)).toEqual(all);
});
