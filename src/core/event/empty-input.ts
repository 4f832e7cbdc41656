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

const noEnvironment = "belongs to a GitHub environment that the job's environment: does not name";

const unset = {
  secrets: `it is not set (Settings → Secrets and variables → Actions), is a variable (vars.…), ${noEnvironment}, or was not passed on to a reusable workflow (secrets: inherit)`,
  vars: `it is not set (Settings → Secrets and variables → Actions, Variables), is a secret (secrets.…), or ${noEnvironment}`,
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
  const given =
    event.name === '' ? '' : `, although GitHub gives secrets to this event (${event.name})`;
  const none = isSecret
    ? `no secret of that name reaches this job${given}`
    : 'no variable of that name reaches this job';
  const message = `${requiredAndEmpty}. Write ${problem.input}: \${{ ${from} }} in the step's with:. If that is there, ${none}: ${isSecret ? unset.secrets : unset.vars}`;
  return { ...problem, message };
}
