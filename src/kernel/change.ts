import { createHash } from 'node:crypto';
import { type Diagnostic, diagnose } from './diagnostic.ts';
import { type SafeText, safe, unsafeText } from './text/safe.ts';

/** The reason of a change that creates something. */
export const isNew = safe`new`;

/**
 * The reason of a change, after its name; empty if the change itself shows it, as one that creates something.
 *
 * @param show how a reason is written where the change is shown
 */
export const because = (reason: SafeText, show: (reason: SafeText) => string = (text) => text) =>
  unsafeText(reason === isNew ? '' : `: ${show(reason)}`);

/** One change of a plan, as the output `plan` shows it. */
export interface PlannedChange {
  type: 'environment' | 'domain';
  resource: 'variable' | 'connected-domain' | 'registered-domain' | 'dns-record';
  name: SafeText;
  action: string;
  reason: SafeText;
  /** Of a DNS record: the registered domain, the whole planned record, and its differences. */
  domain?: SafeText;
  record?: Readonly<Record<string, ShownValue>>;
  differences?: readonly ShownDifference[];
  /** Set if it replaces a record that the site file does not name. */
  unnamed?: true;
  /** Of a connected domain: its project before and after; null: none. */
  project?: { from: SafeText | null; to: SafeText | null };
  /** Of a variable: true if it changed elsewhere since this action wrote it. */
  changedElsewhere?: true;
}

/** A change of a plan of domains. */
export interface DomainChange extends PlannedChange {
  type: 'domain';
  resource: Exclude<PlannedChange['resource'], 'variable'>;
  action: 'connect' | 'assign' | 'clear' | 'create' | 'update';
}

/** A record's value that may be shown. */
export type ShownValue = SafeText | number | boolean;

/** One field of a record that would change; null: the record has none. */
export interface ShownDifference {
  field: string;
  from: ShownValue | null;
  to: ShownValue;
}

/**
 * A digest of the facts that decide what a plan would do.
 *
 * @param keyId 16 hex digits that identify the key with which secret values among the facts were hashed; undefined if
 * there are none
 * @returns 64 hex digits; with a key, `-` and its id follow
 */
export function digestOf(facts: readonly unknown[], keyId?: string): string {
  const digest = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  return keyId === undefined ? digest : `${digest}-${keyId}`;
}

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

/** Counts changed resources. No two resources of one kind may share a name. */
export function countChangedResources(changes: readonly PlannedChange[]): number {
  return new Set(changes.map(({ resource, name }) => `${resource} ${name}`)).size;
}

/** True if two digests were made with different keys, so that they can't be compared. */
function isOtherKey(digest: string, expectedPlan: string): boolean {
  const [key, expectedKey] = [digest, expectedPlan].map((one) => one.split('-')[1]);
  return key !== undefined && expectedKey !== undefined && key !== expectedKey;
}

/** As many characters of a digest as identify it to a reader. */
const short = (digest: string): SafeText => unsafeText(`${digest.slice(0, 12)}…`);

function describeConflict({ digest, changed }: GatedPlan, expectedPlan: string): Diagnostic {
  if (isOtherKey(digest, expectedPlan)) {
    return diagnose(
      'SD4101',
      safe`Nothing was changed: expected-plan was made with another key and can't be compared. Use the env-ledger-key (or api-key) of the run that planned, or review the plan in the summary and set expected-plan to ${unsafeText(digest)}.`,
    );
  }
  const differs = safe`Nothing was changed: the plan differs from the reviewed one (expected-plan: ${short(expectedPlan)}`;
  if (changed > 0) {
    return diagnose(
      'SD4102',
      safe`${differs}). Review the plan in the summary, then set expected-plan: ${unsafeText(digest)}`,
    );
  }
  return diagnose(
    'SD4102',
    safe`${differs}, now: ${short(digest)}); only renewal and binding are left to set. Run mode: plan again, and set expected-plan to the approved plan's digest.`,
  );
}

function tooMany(
  { changed, size }: GatedPlan,
  most: NonNullable<PlanGates['maxChanges']>,
): boolean {
  return 'count' in most ? changed > most.count : changed * 100 > most.percent * size;
}

/** Why a plan must not be applied; undefined if it may. A plan that writes nothing always passes. */
export function refusePlan(
  plan: GatedPlan,
  gates: PlanGates,
): { outcome: 'conflict' | 'failed'; diagnostic: Diagnostic } | undefined {
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
