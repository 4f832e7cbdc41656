import { byNameAndId } from '../by-name.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

const isSame = (a: LedgerEntry, b: LedgerEntry): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Puts what a run learned into the ledger as it is kept by now: another run may have kept its own since this one
 * looked. Only what this run changed takes the place of what is there.
 *
 * @param before the ledger as this run found it
 * @param after the same with what it learned
 * @param kept the ledger as it is kept now
 */
export function mergeLedgers(before: Ledger, after: Ledger, kept: Ledger): Ledger {
  const old = new Map(before.entries.map((entry) => [entry.id, entry]));
  const changed = after.entries.filter((entry) => {
    const former = old.get(entry.id);
    return former === undefined || !isSame(former, entry);
  });
  const ids = new Set(after.entries.map(({ id }) => id));
  const removed = new Set(before.entries.map(({ id }) => id).filter((id) => !ids.has(id)));
  const names = new Set(changed.map(({ name }) => name));
  const others = kept.entries.filter(({ id, name }) => !removed.has(id) && !names.has(name));
  const steps = [after.versionStep, kept.versionStep].filter((step) => step !== undefined);
  return {
    entries: [...others, ...changed].sort(byNameAndId),
    ...(steps.length === 0 ? {} : { versionStep: Math.min(...steps) }),
  };
}
