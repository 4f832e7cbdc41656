import { describe, expect, test } from 'vitest';
import {
  countChangedResources,
  type GatedPlan,
  type PlanGates,
  type PlannedChange,
  refusePlan,
} from './change.ts';
import { unsafeText } from './text/safe.ts';

const change = (name: string, fields: Partial<PlannedChange> = {}): PlannedChange => ({
  type: 'environment',
  resource: 'variable',
  name: unsafeText(name),
  action: 'replace',
  reason: unsafeText('because'),
  ...fields,
});

/** A plan that changes so many of so many variables. */
const planOf = (changed: number, size: number): GatedPlan => ({
  digest: 'the digest now',
  changed,
  size,
});

const open: PlanGates = { expectedPlan: undefined, maxChanges: undefined };

test.each<[string, PlannedChange[], number]>([
  ['nothing', [], 0],
  ['two variables', [change('A'), change('B')], 2],
  ['a variable that is changed twice, once', [change('A'), change('A', { action: 'retarget' })], 1],
  ['two resources of one name, both', [change('A'), change('A', { resource: 'dns-record' })], 2],
])('counts %s', (_name, changes, count) => {
  expect(countChangedResources(changes)).toBe(count);
});

test('without gates every plan is let through', () => {
  expect(refusePlan(planOf(1000, 1000), open)).toBeUndefined();
});

describe('expected-plan', () => {
  const expecting = (expectedPlan: string): PlanGates => ({ ...open, expectedPlan });

  test('lets that plan through', () => {
    expect(refusePlan(planOf(1, 1), expecting('the digest now'))).toBeUndefined();
  });

  test('refuses another, as a conflict that names both', () => {
    const refusal = refusePlan(planOf(1, 1), expecting('the digest then'));
    expect(refusal?.outcome).toBe('conflict');
    expect(refusal?.diagnostic.text).toMatch(
      /^Nothing was changed: .*\(expected-plan: the digest t…\)\. .*expected-plan: the digest now/,
    );
  });

  const keyed = (digit: string, key: string) => `${digit.repeat(64)}-${key.repeat(16)}`;

  test.each<[string, string, string, boolean]>([
    ['another key', keyed('a', '1'), keyed('b', '2'), true],
    ['another key, of all else the same', keyed('a', '1'), keyed('a', '2'), true],
    ['the same key', keyed('a', '1'), keyed('b', '1'), false],
    ['no key, now that there are secrets', 'a'.repeat(64), keyed('b', '2'), false],
    ['a key, now that there is no secret', keyed('a', '1'), 'b'.repeat(64), false],
  ])('tells a plan that was made with %s', (_name, expectedPlan, digest, isOtherKey) => {
    const refusal = refusePlan({ ...planOf(1, 1), digest }, expecting(expectedPlan));
    expect(refusal?.outcome).toBe('conflict');
    expect(refusal?.diagnostic.text).toMatch(/^Nothing was changed: /);
    expect(refusal?.diagnostic.text.includes('made with another key')).toBe(isOtherKey);
    expect(refusal?.diagnostic.text.includes('differs from the reviewed one')).toBe(!isOtherKey);
    expect(refusal?.diagnostic.text).toContain(digest);
  });

  test('lets an empty plan through, whatever was reviewed', () => {
    expect(refusePlan(planOf(0, 5), expecting('the digest then'))).toBeUndefined();
  });

  test('refuses settings alone that are others than those that were reviewed, and says what to do', () => {
    const refusal = refusePlan({ ...planOf(0, 5), settings: 2 }, expecting('the digest then'));
    expect(refusal?.outcome).toBe('conflict');
    expect(refusal?.diagnostic.text).toMatch(
      /^Nothing was changed: .*; only renewal and binding are left to set\./,
    );
    expect(refusal?.diagnostic.text).toMatch(
      /\(expected-plan: the digest t…, now: the digest n…\)/,
    );
    expect(refusal?.diagnostic.text).toContain(
      "Run mode: plan again, and set expected-plan to the approved plan's digest.",
    );
  });

  test('lets settings alone through that were reviewed', () => {
    const plan = { ...planOf(0, 5), settings: 2 };
    expect(refusePlan(plan, expecting('the digest now'))).toBeUndefined();
  });

  test('is judged before the number of changes', () => {
    const gates: PlanGates = { expectedPlan: 'the digest then', maxChanges: { count: 0 } };
    expect(refusePlan(planOf(1, 1), gates)?.outcome).toBe('conflict');
  });

  test('does not spare the number of changes', () => {
    const gates: PlanGates = { expectedPlan: 'the digest now', maxChanges: { count: 0 } };
    expect(refusePlan(planOf(1, 1), gates)?.outcome).toBe('failed');
  });
});

describe('max-changes', () => {
  test.each<[string, number, number, NonNullable<PlanGates['maxChanges']>, boolean]>([
    ['as many as allowed', 20, 50, { count: 20 }, true],
    ['one more than allowed', 21, 50, { count: 20 }, false],
    ['one, where none is', 1, 50, { count: 0 }, false],
    ['none, where none is', 0, 50, { count: 0 }, true],
    ['exactly the share', 3, 10, { percent: 30 }, true],
    ['a little more than the share', 31, 100, { percent: 30 }, false],
    ['a share that is no whole number, just below', 3, 11, { percent: 30 }, true],
    ['a share that is no whole number, just above', 4, 11, { percent: 30 }, false],
    ['one, where 0% is allowed', 1, 1000, { percent: 0 }, false],
    ['none, where 0% is allowed', 0, 1000, { percent: 0 }, true],
    ['all, where 100% is allowed', 7, 7, { percent: 100 }, true],
    ['all but one, where 99% is allowed', 99, 100, { percent: 99 }, true],
    ['all, where 99% is allowed', 100, 100, { percent: 99 }, false],
    ['a change of a plan about nothing', 1, 0, { percent: 50 }, false],
    ['nothing of nothing', 0, 0, { percent: 0 }, true],
  ])('%s: %s of %s under %j passes: %s', (_name, changed, size, maxChanges, passes) => {
    const refusal = refusePlan(planOf(changed, size), { ...open, maxChanges });
    expect(refusal?.outcome).toBe(passes ? undefined : 'failed');
  });

  test.each<[NonNullable<PlanGates['maxChanges']>, string]>([
    [{ count: 2 }, 'max-changes is 2.'],
    [{ percent: 10 }, 'max-changes is 10%.'],
  ])('%j: says how many it would be, and what to do', (maxChanges, words) => {
    const refusal = refusePlan(planOf(3, 9), { ...open, maxChanges });
    expect(refusal?.diagnostic.text).toContain(
      'Nothing was changed: the plan changes 3 of 9 resources',
    );
    expect(refusal?.diagnostic.text).toContain(words);
    expect(refusal?.diagnostic.text).toContain('raise max-changes');
  });

  test('does not count settings', () => {
    const plan = { ...planOf(0, 1), settings: 5 };
    expect(refusePlan(plan, { ...open, maxChanges: { count: 0 } })).toBeUndefined();
  });
});
