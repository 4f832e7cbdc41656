import { describe, expect, test } from 'vitest';
import { desiredVariable, observedVariable } from '../../../test/support/variables/builders.ts';
import type { Variable } from '../../contract/environment.ts';
import type { ConflictPolicy, DesiredVariable } from '../intent.ts';
import {
  describeTargets,
  planVariable,
  type ValueState,
  type VariablePlan,
} from './variable-plan.ts';

const policies: readonly ConflictPolicy[] = ['overwrite', 'keep', 'fail'];

/** What is planned for a variable that the service has at version 3. */
function planOf(
  desired: Partial<DesiredVariable>,
  observed: Partial<Variable> | undefined,
  valueState: ValueState,
  policy: ConflictPolicy,
): Pick<VariablePlan, 'actions' | 'reason' | 'left' | 'changedElsewhere'> {
  const now = observed === undefined ? undefined : observedVariable({ version: 3, ...observed });
  const plan = planVariable(desiredVariable(desired), now, valueState, policy);
  expect(plan.observed).toEqual(now);
  const { observed: _, ...rest } = plan;
  return rest;
}

const unknown: ValueState = { kind: 'unknown' };
const written: ValueState = { kind: 'written' };
const same: ValueState = { kind: 'ours', version: 3, sameValue: true };
const changed: ValueState = { kind: 'ours', version: 3, sameValue: false };
const moved: ValueState = { kind: 'ours', version: 2, sameValue: false };
const another: ValueState = { kind: 'another', version: 2 };

const plain = { kind: 'plain' } as const;
const previewOnly = { production: false };

const unknownValue = 'it exists, without a record of its value';
const otherValue = 'the value changed since the last run';
const otherKind = 'the kind changes to plain';
const otherTargets = 'targets: preview and production → preview';
const asLeft = 'unchanged (version 3)';

describe.each(policies)('under %s', (policy) => {
  test.each<
    [string, Partial<DesiredVariable>, Partial<Variable> | undefined, ValueState, string[], string]
  >([
    ['not on the service', {}, undefined, unknown, ['create'], 'new'],
    ['as we left it', {}, {}, same, [], asLeft],
    ['as we left it, retargeted', previewOnly, {}, same, ['retarget'], otherTargets],
    ['as we left it, of a kind that is not shown', {}, { kind: null }, same, [], asLeft],
    ['with another value', {}, {}, changed, ['replace'], otherValue],
    [
      'with another value, retargeted',
      previewOnly,
      {},
      changed,
      ['replace', 'retarget'],
      `${otherValue}; ${otherTargets}`,
    ],
    ['of another kind', plain, {}, changed, ['replace'], otherKind],
    ['of another kind, the value the same', plain, {}, same, ['replace'], otherKind],
    [
      'of a kind that nobody knows',
      {},
      { kind: 'sealed' },
      same,
      ['replace'],
      'the kind changes to secret',
    ],
    ['of unknown value', {}, {}, unknown, ['replace'], unknownValue],
    ['of unknown value and kind', {}, { kind: undefined }, unknown, ['replace'], unknownValue],
    ['of unknown value and another kind', plain, {}, unknown, ['replace'], otherKind],
    [
      'of unknown value, retargeted',
      previewOnly,
      {},
      unknown,
      ['replace', 'retarget'],
      `${unknownValue}; ${otherTargets}`,
    ],
    ['written in this run', {}, {}, written, [], asLeft],
    ['written in this run, shown with another kind', plain, {}, written, [], asLeft],
    ['written in this run, retargeted', previewOnly, {}, written, ['retarget'], otherTargets],
  ])('a variable %s', (_name, desired, observed, valueState, actions, reason) => {
    expect(planOf(desired, observed, valueState, policy)).toEqual({ actions, reason });
  });
});

describe('a variable that was changed outside this action', () => {
  const newer =
    'changed outside this action or by an unconfirmed write (now version 3, this action wrote version 2)';
  const replaced = 'changed outside this action (deleted at version 2, created again at version 3)';

  test.each<[string, ValueState, string]>([
    ['by a newer version', moved, newer],
    ['by an older version', { ...moved, version: 4 }, newer.replace('2', '4')],
    [
      'at the version that we wrote, by its time',
      { ...same, updatedAt: 'before then' },
      "changed outside this action or by an unconfirmed write (updated after this action's last write, still at version 3)",
    ],
    ['and made anew', another, replaced],
    [
      'and made anew with the version that we wrote',
      { ...another, version: 3 },
      replaced.replace('2', '3'),
    ],
  ])('%s: is overwritten, kept or refused', (_name, valueState, reason) => {
    const why = { reason, changedElsewhere: true };
    expect(planOf({}, {}, valueState, 'overwrite')).toEqual({ actions: ['replace'], ...why });
    expect(planOf({}, {}, valueState, 'keep')).toEqual({ actions: [], ...why, left: 'kept' });
    expect(planOf({}, {}, valueState, 'fail')).toEqual({ actions: [], ...why, left: 'conflict' });
  });

  test('is left alone with its kind and targets too', () => {
    const desired = { ...plain, ...previewOnly };
    expect(planOf(desired, {}, moved, 'keep')).toEqual({
      actions: [],
      reason: newer,
      left: 'kept',
      changedElsewhere: true,
    });
    expect(planOf(desired, {}, moved, 'overwrite')).toEqual({
      actions: ['replace', 'retarget'],
      reason: `${newer}; ${otherTargets}`,
      changedElsewhere: true,
    });
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
