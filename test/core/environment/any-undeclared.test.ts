import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCase, anyKeptLedger, anyLedger, many } from './any-world.ts';
import { scope } from './builders.ts';
import { shownBy, type World } from './world.ts';
import { applyPlan, planSync, type Sync } from './world-sync.ts';

const undeclared = (world: World, { desired }: Sync) =>
  world.stored.filter(({ shown }) => !desired.some(({ name }) => name === shown.name));

test('what is not declared is left as it is without prune', () => {
  fc.assert(
    fc.property(anyCase(anyLedger, { prune: false }), ([sync, world, ledger]) => {
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

test('with prune it is changed by nothing but a deletion, and deleted only if we created it', () => {
  fc.assert(
    fc.property(anyCase(anyKeptLedger, { prune: true }), ([sync, world, ledger]) => {
      const after = applyPlan(world, planSync(world, sync, ledger), sync.step, ledger);
      const left = new Set(shownBy(after).map(({ id }) => id));
      for (const one of undeclared(world, sync)) {
        if (left.has(one.shown.id)) expect(after.stored).toContainEqual(one);
        else expect(one.isOurs).toBe(true);
      }
    }),
    many,
  );
});

test('with prune it is deleted only on the word of an entry that is created, of the same id and name', () => {
  fc.assert(
    fc.property(anyCase(anyLedger, { prune: true }), ([sync, world, ledger]) => {
      for (const { observed } of planSync(world, sync, ledger).deletions) {
        const { id, name } = observed;
        expect(ledger.entries).toContainEqual(
          expect.objectContaining({ id, name, createdBy: scope }),
        );
      }
    }),
    many,
  );
});
