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
  fork: 'a pull request from a fork gets no secrets. Leave on-missing-credentials at auto, which skips such runs, and deploy them by a second workflow, as examples/workflows/fork-preview.yml does',
  dependabot:
    "Dependabot's runs get its own secrets only. Set it among those too (Settings → Secrets and variables → Dependabot), or leave on-missing-credentials at auto, which skips such runs",
} as const;

const unset = {
  secrets:
    'see that the secret exists (Settings → Secrets and variables → Actions), under that name and as a secret, since secrets.… is empty for a variable',
  vars: 'see that the variable exists (Settings → Secrets and variables → Actions, Variables), under that name and as a variable, since vars.… is empty for a secret',
} as const;

const hidden =
  'One of a GitHub environment is only seen by a job that has this environment:; a reusable workflow sees those secrets that its caller passes on (secrets: inherit)';

/** What a run can know of why an input of its is empty that a secret or a variable should have filled. */
export function explainEmpty(problem: Problem, event: WorkflowEvent): Problem {
  const from = Object.hasOwn(usual, problem.input) ? usual[problem.input] : undefined;
  if (from === undefined || problem.message !== requiredAndEmpty) return problem;
  const kind = from.startsWith('secrets.') ? 'secrets' : 'vars';
  const { withheld: reason } = trustIn(event);
  if (kind === 'secrets' && reason !== undefined) {
    return { ...problem, message: `${requiredAndEmpty}: ${withheld[reason]}` };
  }
  const allowed =
    kind === 'vars' || event.name === ''
      ? ''
      : `, and GitHub withholds no secrets from this event (${event.name})`;
  const message = `${requiredAndEmpty}. Give it in with: (${problem.input}: \${{ ${from} }}). If it is there${allowed}: ${unset[kind]}. ${hidden}`;
  return { ...problem, message };
}
