import { expect, test } from 'vitest';
import { failsStep, type Outcome } from '../../src/kernel/outcome.ts';

test.each<[Outcome, boolean, boolean]>([
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
  ['rolled-back', true, true],
])('%s fails the step: %s, and with on-unconfirmed: fail: %s', (outcome, warned, strict) => {
  expect(failsStep(outcome, 'warn')).toBe(warned);
  expect(failsStep(outcome, 'fail')).toBe(strict);
});
