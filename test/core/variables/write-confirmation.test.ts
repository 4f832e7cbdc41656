import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import {
  confirmingVariables,
  runtimesChanged,
  versionsMove,
  wasWritten,
} from '../../../src/variables/evaluate.ts';
import { planVariable, type VariableAction } from '../../../src/variables/model/variable-plan.ts';
import { seemsWrittenOver } from '../../../src/variables/plan.ts';
import { desiredVariable, observedVariable } from './builders.ts';

const [early, late] = ['2030-01-01T00:00:00.000Z', '2030-01-01T00:00:00.003Z'];
const observed = observedVariable({ version: 3, preview: false, updatedAt: early });

test.each<[string, Partial<Variable>, boolean]>([
  ['nothing', {}, false],
  ['its version', { version: 4 }, true],
  ['its version, downwards', { version: 2 }, true],
  ['its time', { updatedAt: late }, true],
  ['its time, which is not shown any more', { updatedAt: null }, false],
])('a variable moved if this is another: %s', (_name, fields, moved) => {
  expect(wasWritten(observed, { ...observed, ...fields })).toBe(moved);
});

describe('a write is shown as done', () => {
  const targets = { preview: true, production: true };
  test.each<[VariableAction, string, Variable[], boolean]>([
    ['create', 'by a variable of its name', [observedVariable({ id: 'new' })], true],
    ['create', 'not by another', [observedVariable({ id: 'new', name: 'B' })], false],
    ['replace', 'by a version that moved', [{ ...observed, version: 4 }], true],
    ['replace', 'not by one that stands still', [observed], false],
    ['replace', 'not by its absence', [], false],
    ['replace', "not by another's", [{ ...observed, id: 'id-2', version: 4 }], false],
    ['retarget', 'by its targets', [{ ...observed, ...targets }], true],
    ['retarget', 'not by a version that moved', [{ ...observed, version: 4 }], false],
  ])('%s: %s', (action, _name, variables, is) => {
    const before = action === 'create' ? undefined : observed;
    const desired = desiredVariable();
    const plan = { desired, ...planVariable(desired, before, { kind: 'unknown' }, 'overwrite') };
    expect(confirmingVariables(action, plan, variables).length > 0).toBe(is);
  });
});

test.each<[string, readonly number[], number | undefined, boolean]>([
  ['one was seen to move', [1, 1], 1, true],
  ['they differ', [1, 2], undefined, true],
  ['they are all alike', [1, 1], undefined, false],
  ['there is none', [], undefined, false],
])('versions move if %s', (_name, versions, step, is) => {
  const variables = versions.map((version) => observedVariable({ version }));
  expect(versionsMove(variables, step)).toBe(is);
});

test.each<[string, object, boolean]>([
  ['nothing', {}, false],
  ['a revision', { production: { revision: 2 } }, true],
  ['a flag', { preview: { stale: true } }, true],
])('runtimes stirred if they show another of: %s', (_name, fields, is) => {
  const before = { variables: [], production: { revision: 1 }, preview: { stale: false } };
  expect(runtimesChanged(before, { ...before, ...fields })).toBe(is);
});

describe('a variable that this run created', () => {
  const times = (createdAt: string, updatedAt: string, version: number) =>
    observedVariable({ createdAt, updatedAt, version });

  test.each<[string, Variable, Variable[], boolean]>([
    ['is new if its times are the same', times(early, early, 2), [times(early, early, 1)], false],
    ['is new where no times are the same', times(early, late, 2), [times(early, late, 1)], false],
    [
      'is new if its version is that of a new one',
      times(early, late, 1),
      [times(early, early, 1)],
      false,
    ],
    ['is new if nothing is known of others', times(early, late, 2), [], false],
    ['is not surely new else', times(early, late, 2), [times(early, early, 1)], true],
  ])('%s', (_name, created, known, is) => {
    expect(seemsWrittenOver(created, [created, ...known])).toBe(is);
  });
});
