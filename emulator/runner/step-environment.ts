import { delimiter } from 'node:path';
import type { Job } from './job.ts';

/** What a step's own environment is made of. */
type StepEnvironment = {
  env: Readonly<Record<string, string>>;
  state: ReadonlyMap<string, string>;
  /** The only variables that the step may have of its `env:` and the job's. By default it has all. */
  only?: readonly string[];
};

/** The step's own environment: the job's, the step's `env:`, the state. The log shows it. */
export function stepVariables(stage: StepEnvironment, job: Job): Record<string, string> {
  const given = Object.entries({ ...Object.fromEntries(job.env), ...stage.env });
  const passed = given.filter(([name]) => stage.only?.includes(name) ?? true);
  const state = [...stage.state].map(([name, value]) => [`STATE_${name}`, value]);
  return Object.fromEntries([...passed, ...state]);
}

/**
 * Everything that the step's process gets. GitHub's and the runner's own variables cannot be overridden.
 * @param own those of this step alone
 */
export function processVariables(
  job: Job,
  step: Record<string, string>,
  own: Record<string, string>,
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
    ...own,
    GITHUB_ACTIONS: 'true',
  };
}
