import type { Environment, Variable } from '../../contract/environment.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { VariableAction, VariablePlan } from './variable-plan.ts';

/** True if a variable was written between two looks at it, as far as its version and its time tell. */
export function wasWritten(before: Variable, now: Variable): boolean {
  const times = [before.updatedAt, now.updatedAt];
  const hasTimes = times.every((time) => typeof time === 'string');
  return before.version !== now.version || (hasTimes && times[0] !== times[1]);
}

/**
 * The variables that show that a write was carried out; empty if nothing does. A new one is there, of a replaced
 * one the version or the time moved, and a retargeted one applies to what it should.
 */
export function confirmingVariables(
  action: VariableAction,
  { desired, observed }: VariablePlan,
  variables: readonly Variable[],
): Variable[] {
  if (observed === undefined) return variables.filter(({ name }) => name === desired.name);
  const now = variables.find(({ id }) => id === observed.id);
  if (now === undefined) return [];
  const isRetargeted = now.preview === desired.preview && now.production === desired.production;
  return (action === 'retarget' ? isRetargeted : wasWritten(observed, now)) ? [now] : [];
}

/** What is to be seen of a variable whose write did not show. */
export function describeUnchanged(
  { desired, observed }: VariablePlan,
  variables: readonly Variable[],
): SafeText {
  if (observed === undefined) return safe`no such variable`;
  const now = variables.find(({ id }) => id === observed.id);
  return now === undefined
    ? safe`no ${trusted(desired.name)}`
    : safe`the variable as it was (version ${now.version})`;
}

/** True if what the service says of its runtimes is not what it said before: something was written. */
export function runtimesChanged(before: Environment, now: Environment): boolean {
  const said = ({ preview, production }: Environment) =>
    JSON.stringify([preview?.revision, preview?.stale, production?.revision, production?.pending]);
  return said(before) !== said(now);
}

/**
 * True if versions are known to move in this service, so that one which stands still tells something.
 *
 * @param step how far a write of ours was seen to move one, in this run or in an earlier one
 */
export function versionsMove(variables: readonly Variable[], step: number | undefined): boolean {
  return step !== undefined || new Set(variables.map(({ version }) => version)).size > 1;
}
