import type { WorkflowEvent } from '../event.ts';
import { type Problem, requiredAndEmpty } from '../problem.ts';
import { trustIn } from './trust.ts';

/** The inputs that workflows usually take from a secret or a configuration variable. */
const usual: Readonly<Record<string, 'secret' | 'variable'>> = {
  'api-key': 'secret',
  'base-url': 'variable',
  'project-id': 'variable',
};

const withheld = {
  fork: 'pull requests from forks get no secrets. Leave on-missing-credentials at auto to skip them, and deploy them with a second workflow (examples/workflows/fork-preview.yml)',
  dependabot:
    'Dependabot runs get only Dependabot secrets. Add the secret there (Settings → Secrets and variables → Dependabot), or leave on-missing-credentials at auto to skip these runs',
} as const;

/** GitHub gives configuration variables to no run of a fork, secrets or not. */
const noVariables =
  'pull requests from forks get no configuration variables. Deploy them with a second workflow (examples/workflows/fork-preview.yml)';

/** Adds the likely cause to the message about an empty input that a secret or a variable usually fills. */
export function explainEmpty(problem: Problem, event: WorkflowEvent): Problem {
  const source = Object.hasOwn(usual, problem.input) ? usual[problem.input] : undefined;
  if (source === undefined || problem.message !== requiredAndEmpty) return problem;
  const { withheld: reason } = trustIn(event);
  if (source === 'secret' && reason !== undefined) {
    return { ...problem, message: `is empty: ${withheld[reason]}` };
  }
  if (source === 'variable' && reason === 'fork') {
    return { ...problem, message: `is empty: ${noVariables}` };
  }
  const message = `is empty. The ${source} it comes from is not set, or this job can't read it`;
  return { ...problem, message };
}
