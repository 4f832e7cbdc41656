import { describe, expect, test } from 'vitest';
import { entryOf } from '../../../test/support/ledger/builders.ts';
import { observedVariable } from '../../../test/support/variables/builders.ts';
import type { Variable } from '../../contract/environment.ts';
import { deriveLedgerKeys } from './keys.ts';
import { fingerprintsOf, type LedgerEntry, type RunActions, updateLedger } from './ledger.ts';

const fingerprint = fingerprintsOf('p', deriveLedgerKeys('not-a-real-key').fingerprint);

const shown = (name: string, fields: Partial<Variable> = {}): Variable =>
  observedVariable({ id: `id-of-${name}`, name, ...fields });

/** What was written to a variable, with a value of its own. */
const confirmed = (variable: Variable): RunActions['confirmed'][number] => ({
  variable,
  value: `fake value of ${variable.name}`,
  kind: 'secret',
});

/** The entry that {@link confirmed} leaves. */
function entryAfter(variable: Variable): LedgerEntry {
  const { id, name, version, updatedAt } = variable;
  const value = `fake value of ${name}`;
  return {
    id,
    name,
    version,
    fingerprint: fingerprint({ id, name, kind: 'secret', version, value }),
    ...(updatedAt ? { updatedAt } : {}),
  };
}

const update = (entries: LedgerEntry[], actions: Partial<RunActions>) =>
  updateLedger({ entries }, fingerprint, {
    before: [],
    confirmed: [],
    deleted: new Set(),
    ...actions,
  }).entries;

describe('an entry', () => {
  test.each<[string, LedgerEntry[], Partial<RunActions>, LedgerEntry[]]>([
    ['of nothing is not there', [], { before: [shown('A')] }, []],
    [
      'of what was created is new',
      [],
      { confirmed: [confirmed(shown('A'))] },
      [entryAfter(shown('A'))],
    ],
    [
      'of what shows no time has none',
      [],
      { confirmed: [confirmed(shown('A', { updatedAt: null }))] },
      [entryAfter(shown('A', { updatedAt: null }))],
    ],
    [
      'of what shows a text for a time has none',
      [],
      { confirmed: [confirmed(shown('A', { updatedAt: 'x'.repeat(65) }))] },
      [entryAfter(shown('A', { updatedAt: null }))],
    ],
    [
      'of what was written again is that of the last write',
      [],
      { before: [shown('A')], confirmed: [confirmed(shown('A', { version: 2 }))] },
      [entryAfter(shown('A', { version: 2, updatedAt: null }))],
    ],
    [
      'of another version is that of the last write',
      [entryOf('A', { version: 5 })],
      { before: [shown('A')], confirmed: [confirmed(shown('A', { version: 2 }))] },
      [entryAfter(shown('A', { version: 2, updatedAt: null }))],
    ],
    [
      'of what a write left at its version has the time, which alone shows a later change',
      [],
      { before: [shown('A', { updatedAt: 'earlier' })], confirmed: [confirmed(shown('A'))] },
      [entryAfter(shown('A'))],
    ],
    [
      'of what we did not touch stays as it is',
      [entryOf('A'), entryOf('B', { version: 5 })],
      { before: [shown('A'), shown('B')] },
      [entryOf('A'), entryOf('B', { version: 5 })],
    ],
    [
      'of what moved and was left alone stays, so that the next run sees it too',
      [entryOf('A', { version: 1 })],
      { before: [shown('A', { version: 9 })] },
      [entryOf('A', { version: 1 })],
    ],
    ['of what is gone goes', [entryOf('A')], { before: [] }, []],
    [
      'of what was deleted goes',
      [entryOf('A')],
      { before: [shown('A')], deleted: new Set(['id-of-A']) },
      [],
    ],
    [
      'of what is gone goes when it is created again',
      [entryOf('A')],
      { confirmed: [confirmed(shown('A', { id: 'new' }))] },
      [entryAfter(shown('A', { id: 'new' }))],
    ],
    [
      'of what was made anew elsewhere and overwritten is that of the new one',
      [entryOf('A', { version: 5 })],
      {
        before: [shown('A', { id: 'new' })],
        confirmed: [confirmed(shown('A', { id: 'new', version: 2 }))],
      },
      [entryAfter(shown('A', { id: 'new', version: 2, updatedAt: null }))],
    ],
    [
      'of what was made anew elsewhere and left alone stays, so that the next run sees it too',
      [entryOf('A')],
      { before: [shown('A', { id: 'new' })] },
      [entryOf('A')],
    ],
  ])('%s', (_name, entries, actions, expected) => {
    expect(update(entries, actions)).toEqual(expected);
  });
});

test('the entries are sorted by name, and the old ledger is left as it was', () => {
  const entries = [entryOf('B'), entryOf('D')];
  const actions = {
    before: [shown('B'), shown('D')],
    confirmed: [confirmed(shown('C')), confirmed(shown('A'))],
  };
  expect(update(entries, actions).map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D']);
  expect(entries.map(({ name }) => name)).toEqual(['B', 'D']);
});

test('an update that changes nothing gives the very same text, so that nothing need be saved', () => {
  const written = shown('A');
  const first = update([], { confirmed: [confirmed(written)] });
  const second = update(first, { before: [written], confirmed: [confirmed(written)] });
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
});
