import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCase, anyKeptLedger, many } from '../../test/support/variables/any-world.ts';
import { shownBy, type World } from '../../test/support/variables/world.ts';
import { applyPlan, planSync, runSync } from '../../test/support/variables/world-sync.ts';
import type { Variable } from '../contract/environment.ts';
import type { Ledger } from '../ledger/model/ledger.ts';

/** True if the ledger tells of this variable, or of one of its name, and not as it is now. */
function wasWritten({ entries }: Ledger, { id, name, version }: Variable): boolean {
  const entry = entries.find((one) => one.id === id);
  return entry === undefined ? entries.some((one) => one.name === name) : entry.version !== version;
}

describe.each([
  ['keep', 'kept'],
  ['fail', 'conflict'],
] as const)('under %s', (policy, word) => {
  test('what moved since our last write is neither written nor deleted', () => {
    fc.assert(
      fc.property(anyCase(anyKeptLedger, { policy }), ([sync, world, ledger]) => {
        const after = applyPlan(world, planSync(world, sync, ledger), sync.step, ledger);
        const moved = world.stored.filter(({ shown }) => wasWritten(ledger, shown));
        for (const one of moved) expect(after.stored).toContainEqual(one);
      }),
      many,
    );
  });

  test('nothing is left alone but what moved', () => {
    fc.assert(
      fc.property(anyCase(anyKeptLedger, { policy }), ([sync, world, ledger]) => {
        const { variables, deletions } = planSync(world, sync, ledger);
        for (const { observed, left } of [...variables, ...deletions]) {
          const moved = observed !== undefined && wasWritten(ledger, observed);
          expect(left).toBe(moved ? word : undefined);
        }
      }),
      many,
    );
  });

  test('what was left alone is left alone by the next run too', () => {
    fc.assert(
      fc.property(anyCase(anyKeptLedger, { policy }), ([sync, world]) => {
        const leftBy = (at: World) => {
          const { variables, deletions } = planSync(at, sync);
          return [...variables, ...deletions].flatMap(({ observed, left }) =>
            left === undefined ? [] : [observed?.id],
          );
        };
        expect(leftBy(runSync(world, sync))).toEqual(leftBy(world));
      }),
      many,
    );
  });
});

test('under overwrite nothing is ever left alone', () => {
  fc.assert(
    fc.property(anyCase(anyKeptLedger, { policy: 'overwrite' }), ([sync, world, ledger]) => {
      const { variables, deletions } = planSync(world, sync, ledger);
      for (const { left } of [...variables, ...deletions]) expect(left).toBeUndefined();
      expect(shownBy(world)).toEqual(expect.arrayContaining(deletions.map((one) => one.observed)));
    }),
    many,
  );
});
