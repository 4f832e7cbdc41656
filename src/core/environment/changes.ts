import { digestOf, type PlannedChange } from '../change.ts';
import type { EnvironmentPlan } from './plan.ts';

/** The changes of a plan, in the order of names and writes; deletions come last. */
export function plannedChanges({ variables, deletions }: EnvironmentPlan): PlannedChange[] {
  const change = (name: string, action: string, reason: string) => ({
    type: 'environment' as const,
    resource: 'variable' as const,
    name,
    action,
    reason,
  });
  const writes = variables.flatMap(({ desired: { name }, actions, reason }) =>
    actions.map((action) => change(name, action, reason)),
  );
  const deletes = deletions
    .filter(({ left }) => left === undefined)
    .map(({ observed: { name }, reason }) => change(name, 'delete', reason));
  return [...writes, ...deletes];
}

/**
 * A digest of what a plan would do: project, names, targets, kinds, actions and expected versions, never
 * values.
 *
 * @returns 64 hex digits
 */
export function planDigest({ projectId, variables, deletions }: EnvironmentPlan): string {
  const writes = variables
    .filter(({ actions, left }) => actions.length > 0 || left === 'conflict')
    .map(({ desired: { name, kind, preview, production }, observed, actions, left }) => [
      name,
      kind,
      preview,
      production,
      left ?? actions,
      observed?.id ?? null,
      observed?.version ?? null,
    ]);
  const deletes = deletions
    .filter(({ left }) => left !== 'kept')
    .map(({ observed: { name, id, version }, left }) => [name, left ?? 'delete', id, version]);
  return digestOf(['environment', projectId, writes, deletes]);
}
