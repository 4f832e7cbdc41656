import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import type { DesiredVariable } from '../../../src/core/environment/desired.ts';
import { planDigest, planEnvironment } from '../../../src/core/environment/plan.ts';
import { desiredVariable, observedVariable } from './builders.ts';

describe('the digest of a plan', () => {
  const digest = (desired: Partial<DesiredVariable>, observed?: Partial<Variable>) => {
    const variables = observed === undefined ? [] : [observedVariable(observed)];
    return planDigest(planEnvironment([desiredVariable(desired)], { variables }));
  };

  test('has 64 hex digits', () => {
    expect(digest({})).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, Partial<DesiredVariable>, Partial<Variable>]>([
    ['the value', { value: 'another fake value' }, {}],
    ['the source', { source: 'env-from' }, {}],
    ['the purpose', {}, { purpose: 'mail' }],
    ['when it was changed', {}, { updatedAt: '2026-01-01T00:00:00Z' }],
  ])('ignores %s', (_name, desired, observed) => {
    expect(digest(desired, observed)).toBe(digest({}, {}));
  });

  test.each<[string, Partial<DesiredVariable>, Partial<Variable> | undefined]>([
    ['the name', { name: 'B' }, { name: 'B' }],
    ['the kind', { kind: 'plain' }, {}],
    ['a declared target', { production: false }, {}],
    ['an observed target', {}, { production: false }],
    ['the version', {}, { version: 2 }],
    ['the id', {}, { id: 'id-2' }],
    ['whether it is there', {}, undefined],
  ])('changes with %s', (_name, desired, observed) => {
    expect(digest(desired, observed)).not.toBe(digest({}, {}));
  });

  test('ignores what nothing is to be done about', () => {
    const variables = [observedVariable(), observedVariable({ name: 'B' })];
    const undeclared = planEnvironment([desiredVariable()], { variables });
    expect(planDigest(undeclared)).toBe(digest({}, {}));
  });
});
