import { z } from 'zod';
import { checkOutputs } from '../checks/outputs.ts';
import { type Outcome, outcomes } from '../kernel/outcome.ts';
import { type SkipReason, skipReasons } from '../kernel/skip-reason.ts';
import { commonOutputs, type OutputsOf, planOutputs, someText, wordOf } from '../output-shapes.ts';
import { variableOutputs } from '../variables/outputs.ts';

/** The outputs of `deploy`. */
export const deployOutputs = {
  outcome: wordOf(...(Object.keys(outcomes) as Outcome[])),
  'skipped-reason': wordOf(...(Object.keys(skipReasons) as SkipReason[])),
  pushed: z
    .boolean()
    .describe(
      "`true` if the commit was pushed to the project's repository, `false` if it was already there. Empty if this was not checked, such as without `git-url`.",
    ),
  'deployment-id': someText.describe('Id of the deployment on the service.'),
  'deployment-status': someText.describe('Last status of the deployment, as the service names it.'),
  'deployment-repeated': z
    .boolean()
    .describe(
      '`true` if the response to the deployment request was lost and the request was sent again, so that the commit may have been deployed twice; otherwise `false`. Empty if no request was accepted.',
    ),
  'commit-sha': someText.describe('The requested commit. Empty for `HEAD`.'),
  'project-id': someText.describe('Id of the project that was deployed to.'),
  'preview-hostname': someText.describe('Hostname of the preview, live or not.'),
  'preview-url': someText.describe(
    'URL of the preview. Set only if the deployment succeeded or was not needed, and the domain is verified or a check passed at that URL.',
  ),
  url: someText.describe(
    'URL that serves what was deployed, if known: the verified domain assigned to the project (the one in `verify-url`, or else the only one), or the preview. Also the `environment_url` of the GitHub deployment.',
  ),
  'domain-state': someText.describe("State of the preview's domain, as the service names it."),
  ...checkOutputs,
  'live-commit': someText.describe(
    'The commit that is live at the end, if known: after a rollback, the older one. Empty if unknown, or if a check that names the commit got another page.',
  ),
  'previous-commit': someText.describe(
    'The commit that was live before this run in production, by its GitHub deployments. Empty if unknown, of the first release, and if no GitHub deployment was recorded.',
  ),
  plan: planOutputs.plan,
  ...variableOutputs,
  'comment-url': someText.describe('URL of the comment on the pull request.'),
  'github-deployment-id': someText.describe('Id of the GitHub deployment.'),
  ...commonOutputs,
};

/** The values of the outputs of `deploy`. */
export type DeployOutputs = OutputsOf<typeof deployOutputs>;
