import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCase, anyLedger, many } from '../../test/support/variables/any-world.ts';
import { shownBy, type World } from '../../test/support/variables/world.ts';
import { applyPlan, planSync, type Sync } from '../../test/support/variables/world-sync.ts';

const undeclared = (world: World, { desired }: Sync) =>
  world.stored.filter(({ shown }) => !desired.some(({ name }) => name === shown.name));

test('what is neither declared nor named is left as it is', () => {
  fc.assert(
    fc.property(anyCase(anyLedger, { remove: [] }), ([sync, world, ledger]) => {
      const plan = planSync(world, sync, ledger);
      const after = applyPlan(world, plan, sync.step, ledger);
      const before = undeclared(world, sync);
      expect(undeclared(after, sync)).toEqual(before);
      const ids = before.map(({ shown }) => shown.id);
      expect(plan.undeclared.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    }),
    many,
  );
});

test('nothing is deleted whose name was not given, whatever a ledger says', () => {
  fc.assert(
    fc.property(anyCase(anyLedger, {}), ([sync, world, ledger]) => {
      const after = applyPlan(world, planSync(world, sync, ledger), sync.step, ledger);
      const left = new Set(shownBy(after).map(({ id }) => id));
      for (const { shown } of world.stored) {
        if (!left.has(shown.id)) expect(sync.remove).toContain(shown.name);
      }
    }),
    many,
  );
});

test('what is named and not declared is gone under overwrite', () => {
  fc.assert(
    fc.property(anyCase(anyLedger, { policy: 'overwrite' }), ([sync, world, ledger]) => {
      const after = applyPlan(world, planSync(world, sync, ledger), sync.step, ledger);
      const names = undeclared(after, sync).map(({ shown: { name } }) => name);
      expect(names.filter((name) => sync.remove.includes(name))).toEqual([]);
    }),
    many,
  );
});
