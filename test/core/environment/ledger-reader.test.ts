import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import type { DesiredVariable } from '../../../src/core/environment/desired.ts';
import { readLedger, type ValueState } from '../../../src/core/environment/ledger-reader.ts';
import type { LedgerEntry } from '../../../src/core/ledger/ledger.ts';
import {
  desiredVariable,
  ledgerEntry,
  observedVariable,
  projectFingerprint,
  scope,
} from './builders.ts';

const observed = observedVariable({ version: 3 });
const recall = (...entries: LedgerEntry[]) => readLedger({ entries }, projectFingerprint, scope);

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
    const found = readLedger(moving, projectFingerprint, scope);
    const valueState = { kind: 'ours', version: 3, sameValue: true };
    expect(found.valueStateOf(desiredVariable(), { ...observed, ...now })).toEqual(valueState);
  });

  test('nothing of its value if another project, or another key, wrote the ledger', () => {
    const foreign = readLedger(
      { entries: [ledgerEntry(observed)] },
      () => 'another fingerprint',
      scope,
    );
    expect(foreign.valueStateOf(desiredVariable(), observed)).toMatchObject({ sameValue: false });
  });
});

test('of a value that its version does not tell from another, nothing is known', () => {
  const entry = { ...ledgerEntry(observed), doubt: 'untraceable' as const, createdBy: scope };
  const ledgerReader = recall(entry);
  expect(ledgerReader.valueStateOf(desiredVariable(), observed)).toEqual({ kind: 'unknown' });
  expect(ledgerReader.createdByUs(observed)).toEqual(entry);
});

test('the version that was written last is found by name', () => {
  const ledgerReader = recall(ledgerEntry(observed));
  expect(ledgerReader.lastVersionOf('A')).toBe(3);
  expect(ledgerReader.lastVersionOf('a')).toBeUndefined();
});

test.each<[string, Partial<LedgerEntry>, boolean]>([
  ['one that the ledger says so of', { createdBy: scope }, true],
  ['no one that we only wrote', {}, false],
  ['no one that another step created', { createdBy: 'another step' }, false],
  ['no other of the same name', { createdBy: scope, id: 'id-2' }, false],
  ['no one of another name', { createdBy: scope, name: 'B' }, false],
])('created by us is %s', (_name, fields, is) => {
  const entry = { ...ledgerEntry(observed), ...fields };
  expect(recall(entry).createdByUs(observed)).toEqual(is ? entry : undefined);
});

test.each([{ createdBy: scope }, {}])(
  'where it is not known which step runs, nothing is created by us: %j',
  (fields) => {
    const ledger = { entries: [{ ...ledgerEntry(observed), ...fields }] };
    const ledgerReader = readLedger(ledger, projectFingerprint, undefined);
    expect(ledgerReader.createdByUs(observed)).toBeUndefined();
  },
);

test('without a ledger nothing is known', () => {
  const nothing = recall();
  expect(nothing.valueStateOf(desiredVariable(), observed)).toEqual({ kind: 'unknown' });
  expect(nothing.lastVersionOf('A')).toBeUndefined();
  expect(nothing.createdByUs(observed)).toBeUndefined();
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
