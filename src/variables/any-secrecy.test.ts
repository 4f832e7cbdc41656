// Attack (secrets): The plan or the ledger contains values
// Defense: Neither does

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { environmentResult } from '../../test/support/report/builders.ts';
import { decode } from '../../test/support/report/decode.ts';
import { anyCase, anyLedger, many } from '../../test/support/variables/any-world.ts';
import { projectId } from '../../test/support/variables/builders.ts';
import { latestLedger } from '../../test/support/variables/world.ts';
import { applyPlan, planSync } from '../../test/support/variables/world-sync.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { closeSync, renderSync } from './env-sync.ts';
import { type EnvironmentPlan, plannedChanges } from './plan.ts';
import { describeVariable, renderEnvironment } from './render.ts';
import { type EnvironmentResult, plannedDeletion, plannedResult } from './result.ts';

/** A plan as it is reported. */
function resultOf(plan: EnvironmentPlan, isPlanned: boolean): EnvironmentResult {
  const deletions = plan.deletions.map((one) => plannedDeletion(one, unsafeText));
  return environmentResult({
    isPlanned,
    variables: [...plan.variables.map(plannedResult), ...deletions],
    ambiguous: plan.ambiguous,
    undeclared: plan.undeclared.map(({ name }) => unsafeText(name)),
    changes: plannedChanges(plan, unsafeText),
    digest: plan.digest,
  });
}

/** All that is ever shown of a plan. */
function shownOf(plan: EnvironmentPlan, isPlanned: boolean): string {
  const environment = resultOf(plan, isPlanned);
  const report = { outcome: 'synced', projectId, environment, requests: 1, durationMs: 1 } as const;
  return [
    JSON.stringify(environment),
    ...environment.variables.map((one) => describeVariable(one, isPlanned)),
    ...renderEnvironment(environment),
    closeSync(report),
    renderSync(report),
  ].join('\n');
}

test('nothing that is shown of a plan, and no ledger, holds a value', () => {
  fc.assert(
    fc.property(anyCase(anyLedger), fc.boolean(), ([sync, world, ledger], isPlanned) => {
      const plan = planSync(world, sync, ledger);
      expect(decode(shownOf(plan, isPlanned))).not.toContain('FAKE');
      const after = applyPlan(world, plan, sync.step, ledger);
      expect(JSON.stringify(latestLedger(after))).not.toContain('FAKE');
    }),
    many,
  );
});

test('a plan holds the values that are declared, and no other', () => {
  fc.assert(
    fc.property(anyCase(anyLedger), ([sync, world, ledger]) => {
      const declared = sync.desired.map(({ value }) => value);
      const held = JSON.stringify(planSync(world, sync, ledger)).match(/FAKE\+VALUE\+\d/g) ?? [];
      expect(declared).toEqual(expect.arrayContaining([...held]));
    }),
  );
});
