import { keyIdOf, type PlannedChange } from './change.ts';
import { type Diagnostic, diagnose } from './diagnostic.ts';
import { safe, unsafeText } from './text/safe.ts';

/** What a plan must be to be applied. */
export interface PlanGates {
  /** The digest that was reviewed. */
  expectedPlan: string | undefined;
  /** The most resources that may change: a number, or a share of those that the plan is about in percent. */
  maxChanges: { count: number } | { percent: number } | undefined;
}

/** A plan, as far as gates look at it. */
export interface GatedPlan {
  digest: string;
  /** How many resources it changes: one that is changed twice counts once. */
  changed: number;
  /** How many writes it makes on each apply, whatever is there: they count as no change. Absent: none. */
  settings?: number;
  /** How many resources the plan is about, changed or not. */
  size: number;
}

/** Why a plan is not applied. */
export interface GateRefusal {
  outcome: 'conflict' | 'failed';
  diagnostic: Diagnostic;
}

/** How many resources changes are about, where no two of one kind share a name, as variables do not. */
export function countChangedResources(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ resource, name }) => `${resource} ${name}`)).size;
}

/** True if two digests stand for secret values by different keys, so that they cannot be compared. */
function isOtherKey(digest: string, expectedPlan: string): boolean {
  const [key, expectedKey] = [keyIdOf(digest), keyIdOf(expectedPlan)];
  return key !== undefined && expectedKey !== undefined && key !== expectedKey;
}

/** What is said where the plan is not the one that was reviewed. */
function describeConflict({ digest, changed }: GatedPlan, expectedPlan: string): Diagnostic {
  if (isOtherKey(digest, expectedPlan)) {
    return diagnose(
      'SD4101',
      safe`Nothing was changed: expected-plan was made with another key, so it cannot be told whether it is this plan. Give this run the env-ledger-key, or else the api-key, of the run that planned; or review the plan in the summary, and give its digest ${unsafeText(digest)}.`,
    );
  }
  const digests = safe`expected-plan is ${unsafeText(expectedPlan)}, the plan is ${unsafeText(digest)} now`;
  if (changed > 0) {
    return diagnose(
      'SD4102',
      safe`Nothing was changed: the plan is no longer the one that was reviewed. ${digests}. Review the plan in the summary, and give its digest.`,
    );
  }
  return diagnose(
    'SD4102',
    safe`Nothing was changed: only renewal and binding are left to set, and this is another plan than the one that was reviewed. ${digests}. Run mode: plan again, have that plan approved, and give its digest.`,
  );
}

function tooMany(
  { changed, size }: GatedPlan,
  most: NonNullable<PlanGates['maxChanges']>,
): boolean {
  return 'count' in most ? changed > most.count : changed * 100 > most.percent * size;
}

/**
 * Whether a plan must not be applied, and what to do then. One that neither changes nor sets anything is always
 * let through.
 */
export function refusePlan(plan: GatedPlan, gates: PlanGates): GateRefusal | undefined {
  const { expectedPlan, maxChanges } = gates;
  const { digest, changed, settings = 0, size } = plan;
  if (changed === 0 && settings === 0) return undefined;
  if (expectedPlan !== undefined && expectedPlan !== digest) {
    return { outcome: 'conflict', diagnostic: describeConflict(plan, expectedPlan) };
  }
  if (maxChanges === undefined || !tooMany(plan, maxChanges)) return undefined;
  const limit = 'count' in maxChanges ? safe`${maxChanges.count}` : safe`${maxChanges.percent}%`;
  const message = safe`Nothing was changed: the plan changes ${changed} of ${size}, and max-changes is ${limit}. Review the plan in the summary; if it is right, raise max-changes for this run.`;
  return { outcome: 'failed', diagnostic: diagnose('SD4103', message) };
}
