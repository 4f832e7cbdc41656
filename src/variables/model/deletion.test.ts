import { expect, test } from 'vitest';
import { observedVariable } from '../../../test/support/variables/builders.ts';
import { unsafeText } from '../../kernel/text/safe.ts';
import type { ConflictPolicy, RemovalSource } from '../intent.ts';
import { type DeletionPlan, planDeletion, type ValueState } from './variable-plan.ts';

const moved =
  'changed outside this action or by an unconfirmed write (now version 3, this action wrote version 2); named in env-remove';
const ours: ValueState = { kind: 'ours', version: 2, sameValue: false };
const untouched = { reason: unsafeText('named in env-remove') };

test.each<[string, number, ValueState, ConflictPolicy, Omit<DeletionPlan, 'observed'>]>([
  ['as it was written', 2, ours, 'overwrite', untouched],
  ['as it was written', 2, ours, 'keep', untouched],
  ['as it was written', 2, ours, 'fail', untouched],
  ['never written', 3, { kind: 'unknown' }, 'fail', untouched],
  ['moved', 3, ours, 'overwrite', { reason: unsafeText(moved), changedElsewhere: true }],
  ['moved', 3, ours, 'keep', { reason: unsafeText(moved), left: 'kept', changedElsewhere: true }],
  [
    'moved',
    3,
    ours,
    'fail',
    { reason: unsafeText(moved), left: 'conflict', changedElsewhere: true },
  ],
])('%s, at version %i, %j under %s', (_name, version, written, policy, expected) => {
  const observed = observedVariable({ version });
  expect(planDeletion(observed, 'env-remove', written, policy)).toEqual({ observed, ...expected });
});

test.each<[RemovalSource, string]>([
  ['env-remove', 'named in env-remove'],
  ['config', 'remove: true in the site file'],
])('named by %s: %s', (place, reason) => {
  const plan = planDeletion(observedVariable(), place, { kind: 'unknown' }, 'fail');
  expect(plan.reason).toBe(reason);
});
