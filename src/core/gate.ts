import type { PlannedChange } from './change.ts';

/** What a plan must be to be applied. */
export interface Gates {
  /** The digest that was reviewed. */
  expectedPlan: string | undefined;
  /** The most resources that may change: a number, or a share of those that the plan is about in percent. */
  maxChanges: { count: number } | { percent: number } | undefined;
}

/** A plan, as far as gates look at it. */
export interface GatedPlan {
  digest: string;
  changes: readonly PlannedChange[];
  /** How many resources the plan is about, changed or not. */
  size: number;
}

/** Why a plan is not applied. */
export interface Refusal {
  outcome: 'conflict' | 'failed';
  message: string;
}

/** How many resources a plan changes: one that is changed twice counts once. */
export function countChanged(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ resource, name }) => `${resource} ${name}`)).size;
}

function tooMany({ changes, size }: GatedPlan, most: NonNullable<Gates['maxChanges']>): boolean {
  const changed = countChanged(changes);
  return 'count' in most ? changed > most.count : changed * 100 > most.percent * size;
}

/** Whether a plan must not be applied, and what to do then. An empty plan is always let through. */
export function refusePlan(plan: GatedPlan, gates: Gates): Refusal | undefined {
  const { expectedPlan, maxChanges } = gates;
  const { digest, changes, size } = plan;
  if (changes.length === 0) return undefined;
  if (expectedPlan !== undefined && expectedPlan !== digest) {
    const message = `Nothing was changed: the plan is no longer the one that was reviewed. expected-plan is ${expectedPlan}, the plan is ${digest} now. Review the plan above, and give its digest.`;
    return { outcome: 'conflict', message };
  }
  if (maxChanges === undefined || !tooMany(plan, maxChanges)) return undefined;
  const limit = 'count' in maxChanges ? `${maxChanges.count}` : `${maxChanges.percent}%`;
  const message = `Nothing was changed: the plan changes ${countChanged(changes)} of ${size}, and max-changes is ${limit}. Review the plan above; if it is right, raise max-changes for this run.`;
  return { outcome: 'failed', message };
}
