import { describe, expect, test } from 'vitest';
import {
  desiredVariable,
  observedVariable,
  planRules,
  remember,
} from '../../test/support/variables/builders.ts';
import { removing } from '../../test/support/variables.ts';
import type { Variable } from '../contract/environment.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { DesiredVariable } from './intent.ts';
import { type PlanRules, planEnvironment, plannedChanges } from './plan.ts';

const plan = (
  desired: readonly DesiredVariable[],
  variables: readonly Variable[],
  rules: Partial<PlanRules> = {},
) => planEnvironment(desired, { variables: [...variables] }, planRules(rules));

test('a variable that the service has twice is ambiguous, and only that', () => {
  const twice = [observedVariable(), observedVariable({ id: 'id-2' })];
  const planned = plan([desiredVariable(), desiredVariable({ name: 'B' })], twice);
  expect(planned.ambiguous).toEqual([
    { name: 'A', reason: 'the service has 2 variables with this name: delete all but one' },
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
  expect(plannedChanges(planned, unsafeText).map(({ name }) => name)).toEqual(['A', 'C', 'a', 'b']);
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
        reason: 'deleted outside this action, which wrote version 5',
      },
    ]);
  },
);

describe('what is not declared', () => {
  const observed = [observedVariable({ id: 'b', name: 'B' }), observedVariable({ id: 'a' })];
  const ledgerReader = remember(observed);

  test('is left in place, also what we wrote', () => {
    const planned = plan([], observed, { ledgerReader });
    expect(planned.undeclared.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(planned.deletions).toEqual([]);
  });

  test.each<[string, Partial<PlanRules>]>([
    ['that we wrote', { ledgerReader }],
    ['of which nothing is known', {}],
  ])('is deleted if it is named, and nothing else is: one %s', (_name, rules) => {
    const planned = plan([], observed, { remove: removing('A'), ...rules });
    expect(planned.undeclared.map(({ id }) => id)).toEqual(['b']);
    expect(planned.deletions.map((one) => one.observed.id)).toEqual(['a']);
  });

  test('is not deleted by a name that only looks like its own', () => {
    const planned = plan([], observed, { remove: removing('a', 'B ', 'C'), ledgerReader });
    expect(planned.deletions).toEqual([]);
  });

  test('is deleted after what is declared is written', () => {
    const rules = { ledgerReader, remove: removing('A') };
    const planned = plan([desiredVariable({ name: 'Z' })], observed, rules);
    expect(plannedChanges(planned, unsafeText).map(({ name, action }) => [name, action])).toEqual([
      ['Z', 'create'],
      ['A', 'delete'],
    ]);
  });
});

test('what is declared is never deleted, though it is named and the service has it twice', () => {
  const twice = [observedVariable({ id: 'a' }), observedVariable({ id: 'b' })];
  const rules = { remove: removing('A'), ledgerReader: remember(twice) };
  expect(plan([desiredVariable()], twice, rules)).toMatchObject({ deletions: [], undeclared: [] });
});
