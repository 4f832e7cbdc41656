import { expect, test } from 'vitest';
import { type DeletionPlan, planDeletion } from '../../../src/core/environment/deletion.ts';
import type { ConflictPolicy } from '../../../src/core/environment/variable-plan.ts';
import { observedVariable } from './builders.ts';

const untouched = 'created by this action, and no longer declared';
const moved =
  'no longer declared, and changed elsewhere: this action wrote version 2, it has version 3 now';

test.each<[number, ConflictPolicy, Omit<DeletionPlan, 'observed'>]>([
  [2, 'overwrite', { reason: untouched }],
  [2, 'keep', { reason: untouched }],
  [2, 'fail', { reason: untouched }],
  [3, 'overwrite', { reason: moved }],
  [3, 'keep', { reason: moved, left: 'kept' }],
  [3, 'fail', { reason: moved, left: 'conflict' }],
])('written at version 2, now at %s, under %s', (version, policy, expected) => {
  const observed = observedVariable({ version });
  const entry = { id: 'id-1', name: 'A', version: 2, fingerprint: 'f', createdBy: 'a step' };
  expect(planDeletion(observed, entry, policy)).toEqual({ observed, ...expected });
});
