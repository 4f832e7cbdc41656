import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deployOutputs } from '../deploy/outputs.ts';
import { failsStep, type Outcome, outcomes } from './outcome.ts';
import { skipReasons } from './skip-reason.ts';

/** Whether an outcome fails the step. */
const fails: Readonly<Record<Outcome, boolean | 'by-input'>> = {
  succeeded: false,
  failed: true,
  'rolled-back': true,
  'timed-out': true,
  cancelled: true,
  unconfirmed: 'by-input',
  accepted: false,
  planned: false,
  synced: false,
  conflict: true,
  skipped: false,
  'cleaned-up': false,
};
const all = Object.keys(outcomes) as Outcome[];

test.each(all)('whether %s fails the step, by strict', (outcome) => {
  expect(failsStep(outcome)).toBe(fails[outcome] === true);
  expect(failsStep(outcome, { strict: false })).toBe(fails[outcome] === true);
  expect(failsStep(outcome, { strict: true })).toBe(fails[outcome] !== false);
  expect(failsStep(outcome, { isDrifted: true })).toBe(true);
});

test('each outcome has a row in the reference, and a name in the outputs of deploy', () => {
  const [, table = ''] = readFileSync('docs/reference.md', 'utf8').split(/^\| outcome \|.*$/m);
  const explained = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| `([\w-]+)` \|/gm)];
  expect(explained.map(([, name]) => name).sort()).toEqual(all.toSorted());
  expect(deployOutputs.outcome.options).toEqual(all);
});

test('each reason for skipping has a name in the outputs of deploy', () => {
  expect(deployOutputs['skipped-reason'].options).toEqual(Object.keys(skipReasons));
});
