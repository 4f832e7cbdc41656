import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anyCase,
  anyKeptLedger,
  anyLedger,
  anyStillWorld,
  many,
} from '../../test/support/variables/any-world.ts';
import { called } from '../../test/support/variables/world.ts';
import { applyPlan, planSync } from '../../test/support/variables/world-sync.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { plannedChanges } from './plan.ts';

test('every declared variable is planned once, or ambiguous because the service has it twice', () => {
  fc.assert(
    fc.property(anyCase(anyLedger), ([sync, world, ledger]) => {
      const { variables, ambiguous } = planSync(world, sync, ledger);
      const names = [...variables.map(({ desired }) => desired), ...ambiguous].map(
        ({ name }) => name,
      );
      expect(names.toSorted()).toEqual(sync.desired.map(({ name }) => name).toSorted());
      for (const { name } of ambiguous) expect(called(world, name).length).toBeGreaterThan(1);
    }),
    many,
  );
});

describe('under overwrite', () => {
  test('the service has what is declared, whatever the ledger said', () => {
    fc.assert(
      fc.property(anyCase(anyLedger, { policy: 'overwrite' }), ([sync, world, ledger]) => {
        const plan = planSync(world, sync, ledger);
        const after = applyPlan(world, plan, sync.step, ledger);
        for (const { desired, left } of plan.variables) {
          const { name, value, kind, preview, production } = desired;
          expect(left).toBeUndefined();
          expect(called(after, name)).toMatchObject([
            { value, shown: { name, kind, preview, production } },
          ]);
        }
      }),
      many,
    );
  });

  test('nothing is left to do by the next run, under any policy', () => {
    fc.assert(
      fc.property(anyCase(anyKeptLedger, { policy: 'overwrite' }), ([sync, world, ledger]) => {
        const after = applyPlan(world, planSync(world, sync, ledger), sync.step, ledger);
        for (const policy of ['overwrite', 'keep', 'fail'] as const) {
          const again = planSync(after, { ...sync, policy });
          expect(plannedChanges(again, unsafeText)).toEqual([]);
          expect([...again.variables, ...again.deletions].filter(({ left }) => left)).toEqual([]);
        }
      }),
      many,
    );
  });
});

describe('whatever the ledger says', () => {
  test.each([
    ['', anyCase(anyLedger)],
    [', also where versions do not move', anyCase(anyKeptLedger, { step: 0 }, anyStillWorld)],
  ])('a value is taken as written only if the service holds it%s', (_, cases) => {
    fc.assert(
      fc.property(cases, ([sync, world, ledger]) => {
        const { variables } = planSync(world, sync, ledger);
        const unsafeText = variables.filter(
          ({ actions, left }) => left === undefined && actions.every((one) => one === 'retarget'),
        );
        for (const { desired } of unsafeText) {
          expect(called(world, desired.name)).toMatchObject([{ value: desired.value }]);
        }
      }),
      many,
    );
  });
});
