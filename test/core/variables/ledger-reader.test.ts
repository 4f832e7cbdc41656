import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import type { LedgerEntry } from '../../../src/ledger/model/ledger.ts';
import type { DesiredVariable } from '../../../src/variables/intent.ts';
import { readLedger, type ValueState } from '../../../src/variables/model/variable-plan.ts';
import { desiredVariable, ledgerEntry, observedVariable, projectFingerprint } from './builders.ts';

const observed = observedVariable({ version: 3 });
const recall = (...entries: LedgerEntry[]) => readLedger({ entries }, projectFingerprint);

describe('of a declared variable, what is known is', () => {
  const ledgerReader = recall(ledgerEntry(observed));

  test.each<[string, Partial<DesiredVariable>, Partial<Variable>, ValueState]>([
    ['that it is ours, with this value', {}, {}, { kind: 'ours', version: 3, sameValue: true }],
    [
      'that it is ours, with another value',
      { value: 'another-fake-value' },
      {},
      { kind: 'ours', version: 3, sameValue: false },
    ],
    [
      'that it is ours, written as another kind',
      { kind: 'plain' },
      {},
      { kind: 'ours', version: 3, sameValue: false },
    ],
    [
      'that it moved, so that its value is not known to be ours',
      {},
      { version: 4 },
      { kind: 'ours', version: 3, sameValue: false },
    ],
    [
      'that it was touched, where its version did not move',
      {},
      { updatedAt: 'now' },
      { kind: 'ours', version: 3, sameValue: true, isTouched: true },
    ],
    [
      'nothing, where neither its version nor a time tells',
      {},
      { updatedAt: null },
      { kind: 'unknown' },
    ],
    ['that another is in its place', {}, { id: 'id-2' }, { kind: 'another', version: 3 }],
    ['nothing', { name: 'B' }, { id: 'id-2', name: 'B' }, { kind: 'unknown' }],
  ])('%s', (_name, desired, now, valueState) => {
    const found = ledgerReader.valueStateOf(desiredVariable(desired), { ...observed, ...now });
    expect(found).toEqual(valueState);
  });

  test.each<[string, Partial<Variable>]>([
    ['another time', { updatedAt: 'now' }],
    ['no time', { updatedAt: null }],
  ])('that it is ours by its version, where versions move, whatever %s says', (_, now) => {
    const { version, ...entry } = ledgerEntry(observed);
    const moving = { entries: [{ ...entry, version }], versionStep: 1 };
    const found = readLedger(moving, projectFingerprint);
    const valueState = { kind: 'ours', version: 3, sameValue: true };
    expect(found.valueStateOf(desiredVariable(), { ...observed, ...now })).toEqual(valueState);
  });

  test('nothing of its value if another project, or another key, wrote the ledger', () => {
    const foreign = readLedger({ entries: [ledgerEntry(observed)] }, () => 'another fingerprint');
    expect(foreign.valueStateOf(desiredVariable(), observed)).toMatchObject({ sameValue: false });
  });
});

test('of a value that its version does not tell from another, nothing is known', () => {
  const entry = { ...ledgerEntry(observed), doubt: 'untraceable' as const };
  const ledgerReader = recall(entry);
  expect(ledgerReader.valueStateOf(desiredVariable(), observed)).toEqual({ kind: 'unknown' });
  expect(ledgerReader.writeStateOf(observed)).toEqual({ kind: 'unknown' });
});

test('the version that was written last is found by name', () => {
  const ledgerReader = recall(ledgerEntry(observed));
  expect(ledgerReader.lastVersionOf('A')).toBe(3);
  expect(ledgerReader.lastVersionOf('a')).toBeUndefined();
});

test.each<[string, Partial<Variable>, ValueState]>([
  ['as we left it', {}, { kind: 'ours', version: 3, sameValue: false }],
  ['that moved', { version: 4 }, { kind: 'ours', version: 3, sameValue: false }],
  ['in the place of ours', { id: 'id-2' }, { kind: 'another', version: 3 }],
  ['of another name', { id: 'id-2', name: 'B' }, { kind: 'unknown' }],
])('of a variable that is not declared, our last write is known: one %s', (_name, now, state) => {
  expect(recall(ledgerEntry(observed)).writeStateOf({ ...observed, ...now })).toEqual(state);
});

test('without a ledger nothing is known', () => {
  const nothing = recall();
  expect(nothing.valueStateOf(desiredVariable(), observed)).toEqual({ kind: 'unknown' });
  expect(nothing.lastVersionOf('A')).toBeUndefined();
  expect(nothing.writeStateOf(observed)).toEqual({ kind: 'unknown' });
  expect(nothing.isWritten(observed)).toBe(false);
});

test("what a policy left to somebody else is known to be theirs, and in whatever's place it is", () => {
  const ledgerReader = recall({ ...ledgerEntry(observed), doubt: 'foreign' });
  expect(ledgerReader.valueStateOf(desiredVariable(), observed)).toEqual({ kind: 'foreign' });
  const another = { ...observed, id: 'id-2' };
  expect(ledgerReader.valueStateOf(desiredVariable(), another)).toEqual({ kind: 'foreign' });
  expect(ledgerReader.lastVersionOf('A')).toBeUndefined();
});

test('that our last write had no answer is remembered', () => {
  const ledgerReader = recall({ ...ledgerEntry(observed), doubt: 'unanswered' });
  expect(ledgerReader.valueStateOf(desiredVariable(), { ...observed, version: 4 })).toEqual({
    kind: 'ours',
    version: 3,
    sameValue: false,
    isUnanswered: true,
  });
});
