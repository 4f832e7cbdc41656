import { describe, expect, test } from 'vitest';
import {
  desiredVariable,
  marksBy,
  observedVariable,
  planRules,
  remember,
} from '../../test/support/variables/builders.ts';
import { removing } from '../../test/support/variables.ts';
import type { Variable } from '../contract/environment.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { DesiredVariable } from './intent.ts';
import { type PlanRules, planEnvironment, plannedChanges } from './plan.ts';

test('the changes are those of the plan, in order, without a value', () => {
  const gone = observedVariable({ id: 'c', name: 'C' });
  const planned = planEnvironment(
    [desiredVariable({ production: false }), desiredVariable({ name: 'B' })],
    { variables: [observedVariable(), gone, observedVariable({ name: 'D' })] },
    planRules({ remove: removing('C'), ledgerReader: remember([gone]) }),
  );
  const changes = plannedChanges(planned, unsafeText);
  expect(changes.map(({ name, action }) => [name, action])).toEqual([
    ['A', 'replace'],
    ['A', 'retarget'],
    ['B', 'create'],
    ['C', 'delete'],
  ]);
  expect(changes).toContainEqual({
    type: 'environment',
    resource: 'variable',
    name: 'B',
    action: 'create',
    reason: 'new',
  });
  expect(JSON.stringify(changes)).not.toContain('fake-value');
});

test.each<[PlanRules['policy'], string[]]>([
  ['overwrite', ['A replace', 'B delete']],
  ['keep', []],
  ['fail', []],
])('what was changed outside this action is a change under %s: %j', (policy, expected) => {
  const ours = [observedVariable(), observedVariable({ id: 'b', name: 'B' })];
  const variables = ours.map((one) => ({ ...one, version: 9 }));
  const rules = planRules({ policy, remove: removing('B'), ledgerReader: remember(ours) });
  const changes = plannedChanges(
    planEnvironment([desiredVariable()], { variables }, rules),
    unsafeText,
  );
  expect(changes.map(({ name, action }) => `${name} ${action}`)).toEqual(expected);
});

describe('the digest of a plan', () => {
  const digest = (
    desired: Partial<DesiredVariable>,
    observed?: Partial<Variable>,
    rules: Partial<PlanRules> = {},
  ) => {
    const variables = observed === undefined ? [] : [observedVariable(observed)];
    return planEnvironment([desiredVariable(desired)], { variables }, planRules(rules)).digest;
  };

  test('has 64 hex digits, and the name of the key that its secrets need', () => {
    const { keyId } = marksBy('not-a-real-key');
    expect(digest({})).toMatch(new RegExp(`^[0-9a-f]{64}-${keyId}$`));
    expect(digest({ kind: 'plain' })).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[string, Partial<DesiredVariable>, boolean]>([
    ['a secret', {}, true],
    ['a secret of the step', { from: 'A', source: 'env-from' }, true],
    ['a plain value that is written out', { kind: 'plain' }, false],
    ['one that a file calls plain', { kind: 'plain', from: 'A', source: 'config' }, true],
    ['a plain value of a file', { kind: 'plain', source: 'config' }, false],
  ])('of %s depends on the key: %s', (_name, desired, isKeyed) => {
    const keys = ['not-a-real-key-a', 'not-a-real-key-b'].map(marksBy);
    const digests = keys.map((marks) => digest(desired, undefined, { marks }));
    expect(new Set(digests).size).toBe(isKeyed ? 2 : 1);
  });

  test.each<[string, Partial<DesiredVariable>, Partial<Variable>]>([
    ['the input', { source: 'env-file .env' }, {}],
    ['the purpose', {}, { purpose: 'mail' }],
    ['when it was changed', {}, { updatedAt: '2026-01-01T00:00:00Z' }],
  ])('ignores %s', (_name, desired, observed) => {
    expect(digest(desired, observed)).toBe(digest({}, {}));
  });

  test.each<[string, Partial<DesiredVariable>, Partial<Variable> | undefined, Partial<PlanRules>]>([
    ['the name', { name: 'B' }, { name: 'B' }, {}],
    ['a secret value', { value: 'another fake value' }, {}, {}],
    ['a value that is moved to another variable', { name: 'B' }, { name: 'B' }, {}],
    ['the source', { from: 'SOURCE' }, {}, {}],
    ['the kind', { kind: 'plain' }, {}, {}],
    ['a declared target', { production: false }, {}, {}],
    ['an observed target', {}, { production: false }, {}],
    ['the version', {}, { version: 2 }, {}],
    ['the id', {}, { id: 'id-2' }, {}],
    ['whether it is there', {}, undefined, {}],
    ['the project', {}, {}, { projectId: 'another project' }],
    ['whether it need be written', {}, {}, { ledgerReader: remember([observedVariable()]) }],
  ])('changes with %s', (_name, desired, observed, rules) => {
    expect(digest(desired, observed, rules)).not.toBe(digest({}, {}));
  });

  test('changes with a plain value', () => {
    const plain = (value: string) => digest({ kind: 'plain', value });
    expect(plain('one')).not.toBe(plain('two'));
  });

  test('tells targets apart of a variable that is to be created', () => {
    const both = [{}, { preview: false }, { production: false }].map((fields) => digest(fields));
    expect(new Set(both).size).toBe(3);
  });

  test('ignores what nothing is to be done about', () => {
    const left = observedVariable({ id: 'b', name: 'B' });
    const alone = (desired: DesiredVariable[], variables: Variable[], rules: Partial<PlanRules>) =>
      planEnvironment(desired, { variables }, planRules(rules)).digest;
    const same = remember([observedVariable(), left]);
    const rules = { ledgerReader: same };
    const nothing = alone([], [], rules);
    expect(alone([], [left], rules)).toBe(nothing);
    expect(alone([desiredVariable()], [observedVariable()], rules)).toBe(nothing);
    const moved = observedVariable({ version: 9 });
    expect(alone([desiredVariable()], [moved], { ...rules, policy: 'keep' })).toBe(nothing);
  });
});

describe('the digest of a plan that leaves a change of others alone', () => {
  const ledgerReader = remember([observedVariable()]);
  const digest = (policy: PlanRules['policy'], declared: boolean, version = 9) => {
    const variables = [observedVariable({ version })];
    const rules = planRules({ policy, remove: removing('A'), ledgerReader });
    return planEnvironment(declared ? [desiredVariable()] : [], { variables }, rules).digest;
  };

  test.each([
    ['a declared variable', true],
    ['a deletion', false],
  ])('%s: differs by policy', (_name, declared) => {
    const digests = (['overwrite', 'keep', 'fail'] as const).map((one) => digest(one, declared));
    expect(new Set(digests).size).toBe(3);
  });

  test.each([
    ['a declared variable', true],
    ['a deletion', false],
  ])('%s: names the version that was refused', (_name, declared) => {
    expect(digest('fail', declared, 8)).not.toBe(digest('fail', declared, 9));
    expect(digest('keep', declared, 8)).toBe(digest('keep', declared, 9));
  });
});
