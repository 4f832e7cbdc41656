import { expect, test } from 'vitest';
import { entryOf } from '../../../test/support/ledger/builders.ts';
import { mergeLedgers } from './ledger.ts';

const ledger = (...entries: ReturnType<typeof entryOf>[]) => ({ entries });

test('what another run has kept meanwhile stays', () => {
  const before = ledger(entryOf('A'));
  const after = ledger(entryOf('A', { version: 2 }));
  const kept = ledger(entryOf('A'), entryOf('B'));
  expect(mergeLedgers(before, after, kept)).toEqual(
    ledger(entryOf('A', { version: 2 }), entryOf('B')),
  );
});

test('of what both have changed, this run is the later', () => {
  const before = ledger(entryOf('A'));
  const after = ledger(entryOf('A', { version: 3 }));
  const kept = ledger(entryOf('A', { version: 2 }));
  expect(mergeLedgers(before, after, kept)).toEqual(after);
});

test('what this run did not change is as the other has it', () => {
  const same = ledger(entryOf('A'), entryOf('B'));
  const kept = ledger(entryOf('A', { version: 2 }), entryOf('B'));
  expect(mergeLedgers(same, same, kept)).toEqual(kept);
});

test('what this run has removed goes, and what it made anew takes the place of its name', () => {
  const before = ledger(entryOf('A'), entryOf('B'));
  const after = ledger(entryOf('B', { id: 'new' }));
  expect(mergeLedgers(before, after, before)).toEqual(after);
});
