import type { WorkflowEvent } from '../event.ts';
import { type Problem, requiredAndEmpty } from '../problem.ts';
import { trustIn } from './trust.ts';

/** Where workflows take the inputs from that name the service, the key and the project, as the examples write them. */
const usual: Readonly<Record<string, string>> = {
  'api-key': 'secrets.SITE_API_KEY',
  'base-url': 'vars.SITE_BASE_URL',
  'project-id': 'vars.SITE_PROJECT_ID',
};

const withheld = {
  fork: 'a pull request from a fork gets no secrets (but where a private repository sends them). Leave on-missing-credentials at auto, which skips such runs, and deploy them by a second workflow, as examples/workflows/fork-preview.yml does',
  dependabot:
    "Dependabot's runs get its own secrets only. Set it among those too (Settings → Secrets and variables → Dependabot), or leave on-missing-credentials at auto, which skips such runs",
} as const;

/** GitHub gives configuration variables to no run of a fork, secrets or not. */
const noVariables =
  'a pull request from a fork gets no configuration variables (vars.…). Deploy those by a second workflow, as examples/workflows/fork-preview.yml does';

const unset = {
  secrets:
    'that secret does not reach this job: not set (Settings → Secrets and variables → Actions), set as a variable, of an environment that the job does not name, or not passed to a reusable workflow (secrets: inherit)',
  vars: 'that variable does not reach this job: not set (Settings → Secrets and variables → Actions, Variables), set as a secret, or of an environment that the job does not name',
} as const;

/** What a run can know of why an input of its is empty that a secret or a variable should have filled. */
export function explainEmpty(problem: Problem, event: WorkflowEvent): Problem {
  const from = Object.hasOwn(usual, problem.input) ? usual[problem.input] : undefined;
  if (from === undefined || problem.message !== requiredAndEmpty) return problem;
  const isSecret = from.startsWith('secrets.');
  const { withheld: reason } = trustIn(event);
  if (isSecret && reason !== undefined) {
    return { ...problem, message: `${requiredAndEmpty}: ${withheld[reason]}` };
  }
  if (!isSecret && reason === 'fork') {
    return { ...problem, message: `${requiredAndEmpty}: ${noVariables}` };
  }
  const why = isSecret ? unset.secrets : unset.vars;
  const message = `${requiredAndEmpty}. If with: has ${problem.input}: \${{ ${from} }}, ${why}`;
  return { ...problem, message };
}
