import { swapInputs } from '../blue-green/inputs.ts';
import { checkInputs } from '../checks/inputs.ts';
import { type GivenCommit, isSha } from '../contract/commit.ts';
import { statusWordInputs } from '../follow/inputs.ts';
import * as schema from '../input-schemas.ts';
import {
  type ActionDefinition,
  admission,
  allowProduction,
  common,
  commonOutputs,
  explaining,
  gitHubToken,
  planning,
  planOutputs,
} from '../inputs/input.ts';
import { previewDomainInputs, previewInputs } from '../previews/inputs.ts';
import { pushInputs } from '../push/inputs.ts';
import { variableInputs, variableOutputs } from '../variables/inputs.ts';

/** A commit: 7 to 40 hex digits, `HEAD` or `PREVIOUS`. Gives words in capitals. */
const commit: schema.InputSchema<GivenCommit> = (text) => {
  if (/^head$/i.test(text)) return { value: 'HEAD' };
  if (/^previous$/i.test(text)) return { value: 'PREVIOUS' };
  const value = schema.inLowerCase(text);
  if (isSha(value)) return { value };
  return /^[0-9a-f]{7,39}$/.test(value)
    ? { value: { digits: value } }
    : { fault: 'must be 7 to 40 hex digits of a commit, HEAD or PREVIOUS' };
};

/** Whether to deploy: `true`, `false`, or only `if-needed`. */
const flagOrIfNeeded: schema.InputSchema<boolean | 'if-needed'> = (text) => {
  if (schema.inLowerCase(text) === 'if-needed') return { value: 'if-needed' };
  const read = schema.flag(text);
  return 'value' in read ? read : { fault: 'must be true, false or if-needed' };
};

/** The root's action: sync, deploy, follow, tell. Its inputs are its own, and those of the features that it joins. */
export const deploy = {
  name: 'Site deploy',
  description:
    'Syncs environment variables, deploys the pushed commit, follows it to its real end, and says what happened.',
  inputs: {
    ...common,
    'api-key': explaining['api-key'],
    'project-id': {
      description:
        'UUID of the project. Required, but for a run that uses `preview-projects` or `swap-projects`.',
      schema: schema.projectId,
    },
    'commit-sha': {
      description:
        "The commit to deploy: 7 to 40 hex digits, `PREVIOUS` for the good release before what is live, or `HEAD` for the head of the project's own repository. Empty: the event's head commit.",
      schema: commit,
    },
    deploy: {
      description:
        '`false`: sync the environment, and run the checks alone: a watch, on a schedule. `if-needed`: not if the commit is the last one that was deployed with success, its checks hold, one of them names it, and no variable waits to be published; and never if it was rolled back.',
      schema: flagOrIfNeeded,
      default: 'true',
    },
    ...pushInputs,
    ...planning,
    mode: explaining.mode,
    ...variableInputs,
    wait: {
      description: 'How to follow the deployment: `auto`, `stream`, `poll`, or `none`.',
      schema: schema.oneOf('auto', 'stream', 'poll', 'none'),
      default: 'auto',
    },
    'status-path': {
      description:
        "Where a deployment's status is read; `{projectId}` and `{deploymentId}` are filled in.",
      schema: schema.path,
      default: '/v1/projects/{projectId}/deployments/{deploymentId}',
    },
    'events-path': {
      description: "Where a deployment's event stream is read, likewise.",
      schema: schema.path,
      default: '/v1/projects/{projectId}/deployments/{deploymentId}/events',
    },
    ...statusWordInputs,
    'on-unconfirmed': {
      description: 'When nothing confirms the end: `warn` or `fail`.',
      schema: schema.oneOf('warn', 'fail'),
      default: 'warn',
    },
    ...checkInputs,
    'on-failed-checks': {
      description:
        'When the deployment succeeded and a check failed: `fail`, or `roll-back`, which deploys the last commit whose checks were good, once. Rests on our GitHub Deployments.',
      schema: schema.oneOf('fail', 'roll-back'),
      default: 'fail',
    },
    'on-older': {
      description:
        'What becomes of a commit that is older than the last one that was deployed here with success, as in a slow or repeated run: `skip`, `fail`, or `deploy` (GitHub is not asked). Not for a `commit-sha` given by hand.',
      schema: schema.oneOf('skip', 'fail', 'deploy'),
      default: 'deploy',
    },
    'require-verified': {
      description:
        '`preview`: deploy only a commit whose files were on a preview whose checks held. Previews themselves need none; what goes to a project that serves other domains is no preview.',
      schema: schema.oneOf('preview'),
    },
    ...admission,
    ...previewInputs,
    ...swapInputs,
    ...previewDomainInputs,
    'allow-production': {
      ...allowProduction,
      description:
        'Let a pull request, or any run of code that is not merged, write and deploy to a project that serves other domains.',
    },
    'on-missing-credentials': {
      description:
        'When `api-key` is empty: `auto` skips on forks and Dependabot and fails elsewhere; `skip`; `fail`.',
      schema: schema.oneOf('auto', 'skip', 'fail'),
      default: 'auto',
    },
    'github-token': {
      ...gitHubToken,
      description:
        'To fetch the commit (with `git-url`), and for look-ups on GitHub, the comment and the deployment record.',
    },
    comment: {
      description: 'The comment on a pull request: `auto` (on pull requests), `true` or `false`.',
      schema: schema.oneOf('auto', 'true', 'false'),
      default: 'auto',
    },
    'comment-key': {
      description:
        'One comment for each key; else the project id (or `preview-domain`, with `preview-projects`).',
      schema: schema.text,
    },
    'github-deployment': {
      description: 'Record a GitHub Deployment.',
      schema: schema.flag,
      default: 'true',
    },
    'environment-name': {
      description:
        'Its environment; else `production`, `preview/pr-N` on pull requests, or `merge-group`.',
      schema: schema.text,
    },
  },
  outputs: {
    outcome:
      '`succeeded`, `failed`, `rolled-back`, `timed-out`, `cancelled`, `unconfirmed`, `accepted`, `planned`, `synced`, `conflict`, `skipped` or `cleaned-up`.',
    'skipped-reason':
      '`not-allowed`, `fork`, `dependabot`, `missing-credentials`, `branch-deleted`, `pull-request-closed`, `pull-request-open`, `no-open-pull-request`, `no-free-preview-project`, `no-preview`, `older-commit`, `not-needed` or `rolled-back`.',
    pushed:
      "`true` if the commit was pushed to the project's repository, `false` if it was there already; empty where nothing was looked at, as without `git-url`.",
    'deployment-id': "The service's own id of the deployment.",
    'deployment-status': "Its status as last seen, in the service's own word.",
    'deployment-repeated':
      '`true` if an answer to the deployment request was lost and it was sent again, so that the commit may have been deployed twice; `false` if not; empty if none was accepted.',
    'commit-sha': 'The commit asked for; empty for HEAD.',
    'project-id': 'The project deployed to.',
    'preview-hostname': "The preview's hostname, live or not.",
    'preview-url':
      'Address of the preview, only once the deployment succeeded, or was not needed, and the domain is verified, or a check held at that address.',
    url: 'Address that serves what was deployed, where it is known: the verified domain assigned to the project (that of `verify-url` first, else the only one), the first of `swap-domains`, or the preview. The `environment_url` of the GitHub Deployment, too.',
    'domain-state': "The preview domain's state, in the service's own word.",
    checks:
      'JSON: `[ { "check", "wanted", "seen", "held", "ms" } ]`, each check of the site; `held` is `null` where it was not run to its end. Over 256 kB whole checks are left out, and a last item `{ "left-out" }` says how many.',
    'live-commit':
      'The commit that is live at the end, as far as it was seen: after a roll-back the older one; with `swap-projects` what its domains serve. Empty where that is not known, or a check that names the commit saw another page.',
    plan: planOutputs.plan,
    ...variableOutputs,
    'comment-url': 'The comment on the pull request.',
    'github-deployment-id': 'The id of the GitHub Deployment.',
    ...commonOutputs,
  },
} as const satisfies ActionDefinition;
