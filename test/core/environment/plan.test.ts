import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import type { DesiredVariable } from '../../../src/core/environment/desired.ts';
import {
  describeTargets,
  planEnvironment,
  plannedChanges,
  planVariable,
} from '../../../src/core/environment/plan.ts';
import { desiredVariable, observedVariable } from './builders.ts';

const plan = (desired: readonly DesiredVariable[], variables: readonly Variable[]) =>
  planEnvironment(desired, { variables: [...variables] });

describe('one variable', () => {
  const kind = 'of another kind, wanted: plain';
  const targets = 'applies to preview and production, wanted: preview';

  test.each<[string, Partial<DesiredVariable>, Partial<Variable> | undefined, string[], string]>([
    ['that is not there', {}, undefined, ['create'], 'not on the service yet'],
    ['that is there', {}, {}, ['replace'], 'unknown'],
    ['of another kind', { kind: 'plain' }, {}, ['replace'], kind],
    ['of an unknown kind', {}, { kind: 'sealed' }, ['replace'], 'wanted: secret'],
    ['without a kind', {}, { kind: null }, ['replace'], 'unknown'],
    ['with other targets', { production: false }, {}, ['replace', 'retarget'], targets],
    [
      'with another kind and other targets',
      { kind: 'plain', production: false },
      {},
      ['replace', 'retarget'],
      `${kind}; ${targets}`,
    ],
  ])('%s', (_name, desired, observed, actions, reason) => {
    const planned = planVariable(
      desiredVariable(desired),
      observed === undefined ? undefined : observedVariable(observed),
    );
    expect(planned.actions).toEqual(actions);
    expect(planned.reason).toContain(reason);
  });

  test.each<[string, Partial<Variable> | undefined, string[]]>([
    ['and its targets are right', {}, []],
    ['and its targets are not', { preview: false }, ['retarget']],
    ['and it is gone', undefined, ['create']],
  ])('whose value was written %s', (_name, observed, actions) => {
    const now = observed === undefined ? undefined : observedVariable(observed);
    expect(planVariable(desiredVariable(), now, true).actions).toEqual(actions);
  });
});

test.each([
  [true, true, 'preview and production'],
  [true, false, 'preview'],
  [false, true, 'production'],
  [false, false, 'no runtime'],
])('targets preview %s, production %s are called %s', (preview, production, words) => {
  expect(describeTargets({ preview, production })).toBe(words);
});

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
  const planned = plan([...ambiguous, ...declared], twice);
  expect(planned.variables.map(({ desired }) => desired.name)).toEqual(['A', 'C', 'a', 'b']);
  expect(planned.ambiguous.map(({ name }) => name)).toEqual(['Y', 'Z']);
  expect(plannedChanges(planned).map(({ name }) => name)).toEqual(['A', 'C', 'a', 'b']);
  expect(declared.map(({ name }) => name)).toEqual(['b', 'C', 'A', 'a']);
});

test('the changes are those of the plan, in order, without a value', () => {
  const planned = plan(
    [desiredVariable({ production: false }), desiredVariable({ name: 'B' })],
    [observedVariable(), observedVariable({ name: 'C' })],
  );
  const changes = plannedChanges(planned);
  expect(changes.map(({ name, action }) => [name, action])).toEqual([
    ['A', 'replace'],
    ['A', 'retarget'],
    ['B', 'create'],
  ]);
  expect(changes).toContainEqual({
    type: 'environment',
    resource: 'variable',
    name: 'B',
    action: 'create',
    reason: 'not on the service yet',
  });
  expect(JSON.stringify(changes)).not.toContain('fake-value');
});
