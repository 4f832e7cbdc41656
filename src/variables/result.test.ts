import { describe, expect, test } from 'vitest';
import {
  environmentResult,
  plannedChange,
  variableResult,
} from '../../test/support/report/builders.ts';
import { desiredVariable, observedVariable } from '../../test/support/variables/builders.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import type { ConflictPolicy } from './intent.ts';
import { planDeletion, planVariable, type ValueState } from './model/variable-plan.ts';
import {
  describeOutcome,
  type EnvironmentResult,
  hasDrift,
  plannedDeletion,
  plannedResult,
  type VariableOutcome,
} from './result.ts';

test.each<[VariableOutcome, string, string]>([
  ['created', 'created', 'to create'],
  ['replaced', 'replaced', 'to replace'],
  ['retargeted', 'retargeted', 'to retarget'],
  ['deleted', 'deleted', 'to delete'],
  ['kept', 'kept', 'to keep'],
  ['unchanged', 'unchanged', 'unchanged'],
  ['conflict', 'conflict', 'conflict'],
  ['failed', 'failed', 'failed'],
  ['not-reached', 'not reached', 'not reached'],
])('%s is told as "%s", and of a plan as "%s"', (outcome, done, intended) => {
  expect(describeOutcome(outcome, false)).toBe(done);
  expect(describeOutcome(outcome, true)).toBe(intended);
});

describe('a plan shown as a result', () => {
  const unknown: ValueState = { kind: 'unknown' };
  const same: ValueState = { kind: 'ours', version: 1, sameValue: true };
  const moved: ValueState = { kind: 'ours', version: 0, sameValue: false };

  test.each<[string, ValueState | undefined, boolean, ConflictPolicy, VariableOutcome, boolean]>([
    ['that is not there', undefined, true, 'fail', 'created', false],
    ['of unknown value', unknown, true, 'fail', 'replaced', false],
    ['of unknown value and with other targets', unknown, false, 'fail', 'replaced', true],
    ['with other targets only', same, false, 'fail', 'retargeted', true],
    ['as it was left', same, true, 'fail', 'unchanged', false],
    ['that moved, under overwrite', moved, false, 'overwrite', 'replaced', true],
    ['that moved, under keep', moved, false, 'keep', 'kept', false],
    ['that moved, under fail', moved, false, 'fail', 'conflict', false],
  ])('a variable %s', (_name, memory, production, policy, outcome, retargeted) => {
    const observed = memory === undefined ? undefined : observedVariable({ production });
    const desired = desiredVariable();
    const plan = { desired, ...planVariable(desired, observed, memory ?? unknown, policy) };
    const { reason } = plan;
    const elsewhere = memory === moved && { changedElsewhere: true };
    expect(plannedResult(plan)).toEqual({ name: 'A', outcome, retargeted, reason, ...elsewhere });
  });

  test.each<[string, number, ConflictPolicy, VariableOutcome]>([
    ['as it was left', 1, 'fail', 'deleted'],
    ['that moved, under overwrite', 2, 'overwrite', 'deleted'],
    ['that moved, under keep', 2, 'keep', 'kept'],
    ['that moved, under fail', 2, 'fail', 'conflict'],
  ])('an undeclared variable %s', (_name, version, policy, outcome) => {
    const written = { kind: 'ours', version: 1, sameValue: false } as const;
    const observed = observedVariable({ name: 'a\u0007b', version });
    const plan = planDeletion(observed, 'env-remove', written, policy);
    const shown = plannedDeletion(plan, (text) => unsafeText(text.replace('\u0007', ' ')));
    const elsewhere = version === 2 && { changedElsewhere: true };
    const { reason } = plan;
    expect(shown).toEqual({ name: 'a b', outcome, retargeted: false, reason, ...elsewhere });
  });
});

test.each<[string, Partial<EnvironmentResult>, boolean]>([
  ['nothing', {}, false],
  ['variables that are as declared', { variables: [variableResult('A', 'unchanged')] }, false],
  ['undeclared variables, which are left in place', { undeclared: [unsafeText('A')] }, false],
  [
    'a required variable without a value',
    { undeclared: [unsafeText('A')], requiredMissing: [unsafeText('A')] },
    false,
  ],
  ['a planned change', { isPlanned: true, changes: [plannedChange('A', 'replace')] }, true],
  ['a planned deletion', { isPlanned: true, changes: [plannedChange('A', 'delete')] }, true],
  [
    'changes that were all made',
    { changes: [plannedChange('A', 'create')], variables: [variableResult('A', 'created')] },
    false,
  ],
  ['a write that failed', { variables: [variableResult('A', 'failed')] }, true],
  ['a write that was not reached', { variables: [variableResult('A', 'not-reached')] }, true],
  [
    'a variable that is there twice',
    { ambiguous: [{ name: unsafeText('A'), reason: unsafeText('twice') }] },
    true,
  ],
  [
    'a variable that was changed outside this action and kept',
    { variables: [variableResult('A', 'kept')] },
    true,
  ],
  ['a conflict', { variables: [variableResult('A', 'conflict')] }, true],
])('drift: %s', (_name, fields, drift) => {
  expect(hasDrift(environmentResult(fields))).toBe(drift);
});
