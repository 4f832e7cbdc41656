import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import { plannedChanges } from '../../../src/core/environment/changes.ts';
import type { DesiredVariable } from '../../../src/core/environment/desired.ts';
import { type PlanRules, planEnvironment } from '../../../src/core/environment/plan-environment.ts';
import { trusted } from '../../../src/core/text/safe.ts';
import { createdByUs, desiredVariable, observedVariable, planRules, remember } from './builders.ts';

const plan = (
  desired: readonly DesiredVariable[],
  variables: readonly Variable[],
  rules: Partial<PlanRules> = {},
) => planEnvironment(desired, { variables: [...variables] }, planRules(rules));

test('a variable that the service has twice is ambiguous, and only that', () => {
  const twice = [observedVariable(), observedVariable({ id: 'id-2' })];
  const planned = plan([desiredVariable(), desiredVariable({ name: 'B' })], twice);
  expect(planned.ambiguous).toEqual([
    { name: 'A', reason: 'the service has 2 variables of this name: remove all but one' },
  ]);
  expect(planned.variables.map(({ desired }) => desired.name)).toEqual(['B']);
});

test('a plan is sorted by name, whatever the order of what is declared', () => {
  const declared = ['b', 'C', 'A', 'a'].map((name) => desiredVariable({ name }));
  const twice = ['Z', 'Y'].flatMap((name) => [
    observedVariable({ id: `${name}-1`, name }),
    observedVariable({ id: `${name}-2`, name }),
  ]);
  const ambiguous = ['Z', 'Y'].map((name) => desiredVariable({ name }));
  const others = ['X', 'W'].map((name) => observedVariable({ id: name, name }));
  const planned = plan([...ambiguous, ...declared], [...twice, ...others]);
  expect(planned.variables.map(({ desired }) => desired.name)).toEqual(['A', 'C', 'a', 'b']);
  expect(planned.ambiguous.map(({ name }) => name)).toEqual(['Y', 'Z']);
  expect(planned.undeclared.map(({ name }) => name)).toEqual(['W', 'X']);
  expect(plannedChanges(planned, trusted).map(({ name }) => name)).toEqual(['A', 'C', 'a', 'b']);
  expect(declared.map(({ name }) => name)).toEqual(['b', 'C', 'A', 'a']);
});

test.each(['overwrite', 'keep', 'fail'] as const)(
  'a variable that we wrote and somebody removed is created again, and said so, under %s',
  (policy) => {
    const ledgerReader = remember([observedVariable({ version: 5 })]);
    const planned = plan([desiredVariable()], [], { policy, ledgerReader });
    expect(planned.variables).toMatchObject([
      {
        actions: ['create'],
        reason: 'removed elsewhere: this action wrote version 5, it is gone now',
      },
    ]);
  },
);

describe('what is not declared', () => {
  const observed = [observedVariable({ id: 'b', name: 'B' }), observedVariable({ id: 'a' })];
  const ledgerReader = createdByUs([observedVariable({ id: 'a' })]);

  test('is left in place without env-prune, also what we created', () => {
    const planned = plan([], observed, { ledgerReader });
    expect(planned.undeclared.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(planned.deletions).toEqual([]);
  });

  test('is deleted with env-prune only if we created it', () => {
    const planned = plan([], observed, { ledgerReader, prune: true });
    expect(planned.undeclared.map(({ id }) => id)).toEqual(['b']);
    expect(planned.deletions.map((one) => one.observed.id)).toEqual(['a']);
  });

  test.each<[string, Variable, Partial<PlanRules>]>([
    [
      'that we only wrote',
      observedVariable({ id: 'a' }),
      { ledgerReader: remember([observedVariable({ id: 'a' })]) },
    ],
    ['that was made anew, with the same name', observedVariable({ id: 'a2' }), { ledgerReader }],
    ['that was renamed', observedVariable({ id: 'a', name: 'A2' }), { ledgerReader }],
    ['of which nothing is known', observedVariable({ id: 'a' }), {}],
  ])('is left in place with env-prune: one %s', (_name, variable, rules) => {
    const planned = plan([], [variable], { prune: true, ...rules });
    expect(planned.undeclared).toEqual([variable]);
    expect(planned.deletions).toEqual([]);
  });

  test('is deleted after what is declared is written', () => {
    const planned = plan([desiredVariable({ name: 'Z' })], observed, { ledgerReader, prune: true });
    expect(plannedChanges(planned, trusted).map(({ name, action }) => [name, action])).toEqual([
      ['Z', 'create'],
      ['A', 'delete'],
    ]);
  });
});

test('what is declared is never deleted, though we created it and the service has it twice', () => {
  const twice = [observedVariable({ id: 'a' }), observedVariable({ id: 'b' })];
  const rules = { prune: true, ledgerReader: createdByUs(twice) };
  expect(plan([desiredVariable()], twice, rules)).toMatchObject({ deletions: [], undeclared: [] });
});
