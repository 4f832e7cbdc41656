import { expect, test } from 'vitest';
import { type DeletionPlan, planDeletion } from '../../../src/core/environment/deletion.ts';
import type { ConflictPolicy } from '../../../src/core/environment/variable-plan.ts';
import { trusted } from '../../../src/core/text/safe.ts';
import { observedVariable } from './builders.ts';

const untouched = 'created by this action, and no longer declared';
const moved =
  'no longer declared, and changed elsewhere: this action wrote version 2, it has version 3 now';

test.each<[number, ConflictPolicy, Omit<DeletionPlan, 'observed'>]>([
  [2, 'overwrite', { reason: trusted(untouched) }],
  [2, 'keep', { reason: trusted(untouched) }],
  [2, 'fail', { reason: trusted(untouched) }],
  [3, 'overwrite', { reason: trusted(moved), changedElsewhere: true }],
  [3, 'keep', { reason: trusted(moved), left: 'kept', changedElsewhere: true }],
  [3, 'fail', { reason: trusted(moved), left: 'conflict', changedElsewhere: true }],
])('written at version 2, now at %s, under %s', (version, policy, expected) => {
  const observed = observedVariable({ version });
  const entry = { id: 'id-1', name: 'A', version: 2, fingerprint: 'f', createdBy: 'a step' };
  expect(planDeletion(observed, entry, policy)).toEqual({ observed, ...expected });
});
