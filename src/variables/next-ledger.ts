import type { Ledger } from '../ledger/model/ledger.ts';
import { updateLedger } from '../ledger/model/update.ts';
import { smallestStep } from './model/version-step.ts';
import type { SyncRequest } from './plan-sync.ts';
import type { WriteAttempt } from './sync.ts';

/**
 * The ledger after the writes; undefined if nothing in it changes.
 *
 * @param shared names that this run created, and somebody else maybe too
 */
export function nextLedger(
  { plan, observed, ledger }: SyncRequest,
  written: readonly WriteAttempt[],
  deleted: readonly WriteAttempt[],
  shared: ReadonlySet<string>,
): Ledger | undefined {
  const declared = new Map(plan.variables.map(({ desired }) => [desired.name, desired]));
  const next = updateLedger(ledger.ledger, ledger.fingerprint, {
    before: observed.variables,
    confirmed: written.flatMap(({ result: { name }, confirmed }) => {
      const desired = declared.get(name);
      if (confirmed === undefined || desired === undefined) return [];
      const created = confirmed.created && !shared.has(name);
      return [{ ...confirmed, created, value: desired.value, kind: desired.kind }];
    }),
    doubtful: written.flatMap(({ doubtful }) => doubtful ?? []),
    deleted: new Set(
      plan.deletions
        .filter((_, index) => deleted[index]?.result.outcome === 'deleted')
        .map(({ observed: { id } }) => id),
    ),
    versionStep: smallestStep(
      written.flatMap(({ steps }) => steps),
      ledger.ledger.versionStep,
    ),
  });
  return JSON.stringify(next) === JSON.stringify(ledger.ledger) ? undefined : next;
}
