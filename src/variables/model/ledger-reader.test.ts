import { describe, expect, test } from 'vitest';
import {
  desiredVariable,
  ledgerEntry,
  observedVariable,
  projectFingerprint,
} from '../../../test/support/variables/builders.ts';
import type { Variable } from '../../contract/environment.ts';
import type { LedgerEntry } from '../../ledger/model/ledger.ts';
import type { DesiredVariable } from '../intent.ts';
import { readLedger, type ValueState } from './variable-plan.ts';

const observed = observedVariable({ version: 3 });
/** What is known of a variable that we wrote as it is here. */
const ours = { kind: 'ours', version: 3, updatedAt: 'then' } as const;
const recall = (...entries: LedgerEntry[]) => readLedger({ entries }, projectFingerprint);

describe('of a declared variable, what is known is', () => {
  const ledgerReader = recall(ledgerEntry(observed));

  test.each<[string, Partial<DesiredVariable>, Partial<Variable>, ValueState]>([
    ['that it is ours, with this value', {}, {}, { ...ours, sameValue: true }],
    [
      'that it is ours, with another value',
      { value: 'another-fake-value' },
      {},
      { ...ours, sameValue: false },
    ],
    [
      'that it is ours, written as another kind',
      { kind: 'plain' },
      {},
      { ...ours, sameValue: false },
    ],
    [
      'that it moved, so that its value is not known to be ours',
      {},
      { version: 4 },
      { ...ours, sameValue: false },
    ],
    ['when we wrote it', {}, { updatedAt: 'now' }, { ...ours, sameValue: true }],
    ['that another is in its place', {}, { id: 'id-2' }, { kind: 'another', version: 3 }],
    ['nothing', { name: 'B' }, { id: 'id-2', name: 'B' }, { kind: 'unknown' }],
  ])('%s', (_name, desired, now, valueState) => {
    const found = ledgerReader.valueStateOf(desiredVariable(desired), { ...observed, ...now });
    expect(found).toEqual(valueState);
  });

  test('nothing of its value if another project, or another key, wrote the ledger', () => {
    const foreign = readLedger({ entries: [ledgerEntry(observed)] }, () => 'another fingerprint');
    expect(foreign.valueStateOf(desiredVariable(), observed)).toMatchObject({ sameValue: false });
  });
});

test('the version that was written last is found by name', () => {
  const ledgerReader = recall(ledgerEntry(observed));
  expect(ledgerReader.lastVersionOf('A')).toBe(3);
  expect(ledgerReader.lastVersionOf('a')).toBeUndefined();
});

test.each<[string, Partial<Variable>, ValueState]>([
  ['as we left it', {}, { ...ours, sameValue: false }],
  ['that moved', { version: 4 }, { ...ours, sameValue: false }],
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

test.each<[string, Partial<Variable>, boolean]>([
  ['as we left it', {}, true],
  ['that shows no time', { updatedAt: null }, true],
  ['that moved', { version: 4 }, false],
  ['that was written since, by its time', { updatedAt: 'now' }, false],
  ['of which nothing is remembered', { id: 'id-2' }, false],
])('a variable is ours as it is: one %s, %s', (_name, now, is) => {
  expect(recall(ledgerEntry(observed)).isWritten({ ...observed, ...now })).toBe(is);
});

test('of what had no time when it was written, none is known', () => {
  const { updatedAt: _, ...entry } = ledgerEntry(observed);
  const { updatedAt: __, ...timeless } = ours;
  const found = recall(entry).valueStateOf(desiredVariable(), observed);
  expect(found).toEqual({ ...timeless, sameValue: true });
});
