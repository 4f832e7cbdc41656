import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCase, anyKeptLedger, many } from '../../test/support/variables/any-world.ts';
import { planSync } from '../../test/support/variables/world-sync.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { plannedChanges } from './plan.ts';

/** The same items in any order. */
const inAnyOrder = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length });

test('a plan and its digest do not depend on any order', () => {
  const shuffled = anyCase(anyKeptLedger).chain(([sync, world, ledger]) =>
    fc.record({
      sync: fc.constant(sync),
      world: fc.constant(world),
      ledger: fc.constant(ledger),
      desired: inAnyOrder(sync.desired),
      stored: inAnyOrder(world.stored),
      entries: inAnyOrder(ledger.entries),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ sync, world, ledger, desired, stored, entries }) => {
      const one = planSync(world, sync, ledger);
      const other = planSync({ ...world, stored }, { ...sync, desired }, { ...ledger, entries });
      expect(other.digest).toBe(one.digest);
      expect(plannedChanges(other, unsafeText)).toEqual(plannedChanges(one, unsafeText));
    }),
    many,
  );
});
