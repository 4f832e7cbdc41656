import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { RecordPlan } from './dns/plan-record.ts';
import { type Sanitize, shown } from './dns/record.ts';
import { describeUndeclared } from './dns/undeclared.ts';
import type { DomainsPlan, NamedRecord } from './plan-domains.ts';

/** A record that takes the place of one that the file did not declare. */
type Replacement = NamedRecord & Extract<RecordPlan, { action: 'update' }>;

/** How many of them a refusal names. */
const most = 10;

/** The records of a plan that take the place of what the file did not declare. */
export function replacementsIn({ zones }: DomainsPlan): Replacement[] {
  return zones.flatMap(({ plan }) =>
    plan.records.flatMap((record) =>
      record.action === 'update' && record.undeclared !== undefined ? [record] : [],
    ),
  );
}

/** A refusal in whole, and as it stands beside the plan, which marks what it is about. */
export interface UndeclaredRefusal {
  message: SafeText;
  short: SafeText;
}

/**
 * Why a plan must not be applied that takes the place of what the file did not declare: which record, why it counts
 * so, and what to do.
 *
 * @param noLedger why no ledger says what the file declared before; undefined if one does
 * @param sanitize makes outside text printable and free of secrets
 * @returns undefined if there is none
 */
export function refuseUndeclared(
  plan: DomainsPlan,
  noLedger: SafeText | undefined,
  sanitize: Sanitize,
): UndeclaredRefusal | undefined {
  const replaced = replacementsIn(plan);
  if (replaced.length === 0) return undefined;
  const groups = Map.groupBy(replaced.slice(0, most), ({ undeclared }) => undeclared);
  const named = Array.from(groups, ([why, some]) => {
    const records = some.map(
      ({ title, observed }) => safe`${title} instead of ${shown(observed.content, sanitize)}`,
    );
    return safe`${joinSafe(records, ', ')} (${describeUndeclared(why)})`;
  });
  const more = replaced.length > most ? safe`, and ${replaced.length - most} more` : safe``;
  const count = replaced.length === 1 ? safe`1 record` : safe`${replaced.length} records`;
  const what = safe`${count} would take the place of what this file did not declare`;
  const memory = noLedger === undefined ? safe`` : safe` ${noLedger}`;
  const them = replaced.length === 1 ? safe`it` : safe`them`;
  const fix = safe`To keep what is there, declare it in the file too; to replace ${them}, set replace-undeclared: true for this run.`;
  return {
    message: safe`${what}: ${joinSafe(named, '; ')}${more}.${memory} ${fix}`,
    short: safe`${what} (marked with !).${memory} ${fix}`,
  };
}
