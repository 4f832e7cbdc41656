import type { EnvironmentResult } from '../../core/report/environment.ts';

/** What conflicts ask of somebody; undefined if there are none. */
export function describeConflicts(result: EnvironmentResult): string | undefined {
  const conflicts = result.variables.filter(({ outcome }) => outcome === 'conflict');
  const told = [...result.ambiguous, ...conflicts].map(({ name, reason }) => `${name}: ${reason}`);
  if (told.length === 0) return undefined;
  const what = told.length === 1 ? 'a conflict' : 'conflicts';
  const advice =
    conflicts.length === 0
      ? 'Settle it on the service, and run the job again.'
      : 'Settle it on the service, or set env-on-conflict to overwrite or keep, and run the job again.';
  return `${what}: ${told.join('; ')}. ${advice}`;
}
