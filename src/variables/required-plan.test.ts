import { expect, test } from 'vitest';
import { observedVariable, planRules, remember } from '../../test/support/variables/builders.ts';
import type { Variable } from '../contract/environment.ts';
import { hasNoValue, type PlanRules, planEnvironment } from './plan.ts';

const then = '2026-01-01T00:00:00Z';
const later = '2026-01-02T00:00:00Z';

test.each<[string, Partial<Variable>, boolean]>([
  ['that applies to no runtime', { preview: false, production: false }, true],
  [
    'that applies to no runtime, though it was changed',
    { preview: false, production: false, createdAt: then, updatedAt: later },
    true,
  ],
  ['that was never changed since', { createdAt: then, updatedAt: then }, true],
  ['that was changed', { createdAt: then, updatedAt: later }, false],
  ['without times', {}, false],
  ['whose times are null', { createdAt: null, updatedAt: null }, false],
  ['whose last change is not shown', { createdAt: then }, false],
  ['that applies to one runtime', { preview: false, createdAt: then, updatedAt: later }, false],
])('nothing shows a value of a variable %s: %s', (_name, fields, none) => {
  expect(hasNoValue(observedVariable(fields))).toBe(none);
});

test('a required variable that the ledger shows to be ours as it is has a value', () => {
  const variable = observedVariable({ required: true, createdAt: 'then', updatedAt: 'then' });
  const missing = (rules: Partial<PlanRules>) =>
    planEnvironment([], { variables: [variable] }, planRules(rules)).requiredMissing;
  expect(missing({})).toEqual([variable]);
  expect(missing({ ledgerReader: remember([variable]) })).toEqual([]);
  expect(missing({ ledgerReader: remember([{ ...variable, version: 9 }]) })).toEqual([variable]);
});
