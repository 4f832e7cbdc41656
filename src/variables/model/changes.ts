import { digestOf, type PlannedChange } from '../../kernel/change.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { ValueMarks } from '../../ledger/model/value-marks.ts';
import { isOpenValue } from './desired.ts';
import type { EnvironmentPlan } from './plan-environment.ts';
import type { VariablePlan } from './variable-plan.ts';

/**
 * The changes of a plan, in the order of names and writes; deletions come last.
 *
 * @param clean makes a name, which may be the service's, printable and free of secrets
 */
export function plannedChanges(
  { variables, deletions }: EnvironmentPlan,
  clean: Sanitize,
): PlannedChange[] {
  const change = (
    name: string,
    action: string,
    { reason, changedElsewhere }: { reason: SafeText; changedElsewhere?: true },
  ): PlannedChange => ({
    type: 'environment',
    resource: 'variable',
    name: clean(name),
    action,
    reason,
    ...(changedElsewhere && { changedElsewhere }),
  });
  const writes = variables.flatMap((plan) =>
    plan.actions.map((action) => change(plan.desired.name, action, plan)),
  );
  const deletes = deletions
    .filter(({ left }) => left === undefined)
    .map((plan) => change(plan.observed.name, 'delete', plan));
  return [...writes, ...deletes];
}

/** What a plan would do to a declared variable, its value as it is or by its mark. */
function writeFacts({ desired, observed, actions, left }: VariablePlan, marks: ValueMarks) {
  const { name, value, kind, preview, production, from } = desired;
  return [
    name,
    kind,
    preview,
    production,
    left ?? actions,
    observed?.id ?? null,
    observed?.version ?? null,
    from ?? null,
    isOpenValue(desired) ? ['value', value] : ['mark', marks.of(name, value)],
  ];
}

/**
 * A digest of what a plan would do: project, names, targets, kinds, actions, expected versions, sources and values.
 * A secret value has its mark in it, from which it cannot be guessed, and which needs the same key to be made again.
 */
export function planDigest(
  { projectId, variables, deletions }: Omit<EnvironmentPlan, 'digest'>,
  marks: ValueMarks,
): string {
  const written = variables.filter(
    ({ actions, left }) => actions.length > 0 || left === 'conflict',
  );
  const writes = written.map((one) => writeFacts(one, marks));
  const isKeyed = written.some(({ desired }) => !isOpenValue(desired));
  const deletes = deletions
    .filter(({ left }) => left !== 'kept')
    .map(({ observed: { name, id, version }, left }) => [name, left ?? 'delete', id, version]);
  const facts = ['environment', projectId, writes, deletes];
  return digestOf(facts, isKeyed ? marks.keyId : undefined);
}
