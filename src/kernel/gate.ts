import { keyIdOf, type PlannedChange } from './change.ts';
import { type Diagnostic, diagnose } from './diagnostic.ts';
import { safe, unsafeText } from './text/safe.ts';

/** The conditions under which a plan is applied. */
export interface PlanGates {
  /** The digest that was reviewed. */
  expectedPlan: string | undefined;
  /** The most resources that may change: a number, or a percentage of the plan's `size`. */
  maxChanges: { count: number } | { percent: number } | undefined;
}

/** The parts of a plan that gates check. */
export interface GatedPlan {
  digest: string;
  /** How many resources it changes; each counts once. */
  changed: number;
  /** How many writes it makes on every apply; they don't count as changes. Absent: none. */
  settings?: number;
  /** How many resources the plan covers, changed or not. */
  size: number;
}

/** Why a plan is not applied. */
export interface GateRefusal {
  outcome: 'conflict' | 'failed';
  diagnostic: Diagnostic;
}

/** Counts changed resources. No two resources of one kind may share a name. */
export function countChangedResources(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ resource, name }) => `${resource} ${name}`)).size;
}

/** True if two digests were made with different keys, so that they can't be compared. */
function isOtherKey(digest: string, expectedPlan: string): boolean {
  const [key, expectedKey] = [keyIdOf(digest), keyIdOf(expectedPlan)];
  return key !== undefined && expectedKey !== undefined && key !== expectedKey;
}

function describeConflict({ digest, changed }: GatedPlan, expectedPlan: string): Diagnostic {
  if (isOtherKey(digest, expectedPlan)) {
    return diagnose(
      'SD4101',
      safe`Nothing was changed: expected-plan was made with another key and can't be compared. Use the env-ledger-key (or api-key) of the run that planned, or review the plan in the summary and set expected-plan to ${unsafeText(digest)}.`,
    );
  }
  const digests = safe`expected-plan is ${unsafeText(expectedPlan)}, the plan is now ${unsafeText(digest)}`;
  if (changed > 0) {
    return diagnose(
      'SD4102',
      safe`Nothing was changed: the plan differs from the reviewed one. ${digests}. Review the plan in the summary and set expected-plan to its digest.`,
    );
  }
  return diagnose(
    'SD4102',
    safe`Nothing was changed: the plan differs from the reviewed one; only renewal and binding are left to set. ${digests}. Run mode: plan again, and set expected-plan to the approved plan's digest.`,
  );
}

function tooMany(
  { changed, size }: GatedPlan,
  most: NonNullable<PlanGates['maxChanges']>,
): boolean {
  return 'count' in most ? changed > most.count : changed * 100 > most.percent * size;
}

/** Why a plan must not be applied; undefined if it may. A plan that writes nothing always passes. */
export function refusePlan(plan: GatedPlan, gates: PlanGates): GateRefusal | undefined {
  const { expectedPlan, maxChanges } = gates;
  const { digest, changed, settings = 0, size } = plan;
  if (changed === 0 && settings === 0) return undefined;
  if (expectedPlan !== undefined && expectedPlan !== digest) {
    return { outcome: 'conflict', diagnostic: describeConflict(plan, expectedPlan) };
  }
  if (maxChanges === undefined || !tooMany(plan, maxChanges)) return undefined;
  const limit = 'count' in maxChanges ? safe`${maxChanges.count}` : safe`${maxChanges.percent}%`;
  const message = safe`Nothing was changed: the plan changes ${changed} of ${size} resources, max-changes is ${limit}. Review the plan in the summary; if it is right, raise max-changes for this run.`;
  return { outcome: 'failed', diagnostic: diagnose('SD4103', message) };
}
