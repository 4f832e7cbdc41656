import { delimiter } from 'node:path';
import type { Job } from './job.ts';

/** The step's own environment: the job's, the step's `env:`, the state. The log shows it. */
export function stepVariables(
  stage: { env: Readonly<Record<string, string>>; state: ReadonlyMap<string, string> },
  job: Job,
): Record<string, string> {
  const state = [...stage.state].map(([name, value]) => [`STATE_${name}`, value]);
  return { ...Object.fromEntries(job.env), ...stage.env, ...Object.fromEntries(state) };
}

/** Everything that the step's process gets. GitHub's and the runner's own variables cannot be overridden. */
export function processVariables(
  job: Job,
  step: Record<string, string>,
  files: Record<string, string>,
): Record<string, string> {
  const { machine, context } = job.variables;
  const path = step['PATH'] ?? machine['PATH'] ?? '';
  return {
    CI: 'true',
    ...machine,
    ...step,
    // The folder that was added last comes first.
    PATH: [...job.path.toReversed(), path].join(delimiter),
    ...context,
    ...files,
    GITHUB_ACTIONS: 'true',
  };
}
