import { checkInputs } from '../checks/inputs.ts';
import { type GivenCommit, isSha } from '../contract/commit.ts';
import { serviceInputs } from '../follow/inputs.ts';
import * as schema from '../input-schemas.ts';
import {
  type ActionDefinition,
  admission,
  allowProduction,
  common,
  explaining,
  gitHubToken,
  planning,
  type ValuesOf,
} from '../inputs/input.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { pushInputs } from '../push/inputs.ts';
import { variableInputs } from '../variables/inputs.ts';

/** A commit: 7 to 40 hex digits, `HEAD` or `PREVIOUS`. Gives words in capitals. */
const commit: schema.InputSchema<GivenCommit> = (text) => {
  if (/^head$/i.test(text)) return { value: 'HEAD' };
  if (/^previous$/i.test(text)) return { value: 'PREVIOUS' };
  const value = schema.inLowerCase(text);
  if (isSha(value)) return { value };
  if (/^[0-9a-f]{64}$/.test(value)) {
    return {
      fault:
        'is a commit of a SHA-256 repository, and projects are SHA-1 repositories: deploy from a SHA-1 repository, or use HEAD',
    };
  }
  return /^[0-9a-f]{7,39}$/.test(value)
    ? { value: { digits: unsafeText(value) } }
    : { fault: 'must be 7 to 40 hex digits of a commit, HEAD or PREVIOUS' };
};

/** Whether to deploy: `true`, `false`, or only `if-needed`. */
const flagOrIfNeeded: schema.InputSchema<boolean | 'if-needed'> = (text) => {
  if (schema.inLowerCase(text) === 'if-needed') return { value: 'if-needed' };
  const read = schema.flag(text);
  return 'value' in read ? read : { fault: 'must be true, false or if-needed' };
};

/** The root's action: it syncs variables, deploys, follows the deployment and reports. It joins the features' inputs. */
export const deployDefinition = {
  name: 'Site deploy',
  description:
    'Deploys the pushed commit to a project on a site service: syncs environment variables, follows the deployment to its result, and checks the site.',
  inputs: {
    ...common,
    'api-key': explaining['api-key'],
    'project-id': {
      description: 'UUID of the project. Required, except for runs that use `preview-projects`.',
      schema: schema.projectId,
    },
    'commit-sha': {
      description:
        "The commit to deploy: 7 to 40 hex digits, `PREVIOUS` for the last good commit before the live one, or `HEAD` for the head of the project's own repository. Default: the head commit of the event.",
      schema: commit,
    },
    deploy: {
      description:
        '`true`; `false`: only sync the variables and run the checks, such as on a schedule; or `if-needed`: skip a commit that was rolled back, or that is the last successful deployment if its checks pass, one of them names the commit, and no variable is waiting to be published.',
      schema: flagOrIfNeeded,
      default: 'true',
    },
    ...pushInputs,
    ...planning,
    mode: explaining.mode,
    ...variableInputs,
    wait: {
      description:
        'How to follow the deployment: `auto`, `stream` (its event stream), `poll` (its status) or `none`.',
      schema: schema.oneOf('auto', 'stream', 'poll', 'none'),
      default: 'auto',
    },
    ...serviceInputs,
    strict: {
      description:
        "What can't be confirmed fails the step, instead of a warning: the result of the deployment, or the verification of the preview's domain within `verify-timeout`.",
      schema: schema.flag,
      default: 'false',
    },
    ...checkInputs,
    'on-failed-checks': {
      description:
        'What to do if the deployment succeeds and a check fails: `fail`, or `roll-back` to the last commit whose checks passed, once. A rollback needs the GitHub deployments that the action records.',
      schema: schema.oneOf('fail', 'roll-back'),
      default: 'fail',
    },
    'on-older': {
      description:
        'What to do with a commit that is older than the last one deployed successfully, such as in a slow or repeated run: `skip` with a warning, `fail`, or `deploy` (without a query to GitHub). The head of the branch, and a commit that a user enters in `commit-sha`, are always deployed. Default: `skip`; on pull requests, in a merge queue and with `github-deployment: false`: `deploy`.',
      schema: schema.oneOf('skip', 'fail', 'deploy'),
    },
    ...admission,
    'preview-domain': {
      description:
        'Hostname template of previews, such as `pr-{number}.preview.example.com`. The action fills in `{number}`, `{branch}`, `{sha}`, `{owner}` and `{repo}`. On pull requests it must contain `{number}`, and not `{sha}`. Other runs use it if it has no `{number}`.',
      schema: schema.text,
    },
    'preview-projects': {
      description:
        'UUIDs of projects for previews. Each open pull request uses one of them until it is closed. Requires `preview-domain`.',
      schema: schema.projectIds,
    },
    'disconnect-on-close': {
      description:
        'When a pull request is closed, remove its domain from the service instead of only clearing the assignment.',
      schema: schema.flag,
      default: 'false',
    },
    'preview-idle': {
      description:
        'With `deploy: false` on a schedule, also end the preview of an open pull request whose last release is older: `7d` or `36h`. The label `keep-preview` keeps it. Elsewhere, only name the longest idle preview where none of `preview-projects` is free.',
      schema: schema.age,
    },
    'allow-production': {
      ...allowProduction,
      description:
        'Allow a pull request, or any run of code that is not merged, to write and deploy to a project that serves other domains.',
    },
    'github-token': {
      ...gitHubToken,
      description:
        'Token for GitHub: to fetch the commit (with `git-url`), to query GitHub, and to write the comment and the GitHub deployment.',
    },
    comment: {
      description:
        'Whether to comment on the pull request: `auto` (on pull requests), `true` or `false`.',
      schema: schema.oneOf('auto', 'true', 'false'),
      default: 'auto',
    },
    'github-deployment': {
      description: 'Whether to record a GitHub deployment.',
      schema: schema.flag,
      default: 'true',
    },
    'environment-name': {
      description:
        'Environment of the GitHub deployment. Default: `production`, `preview/pr-N` on pull requests, or `merge-group` in a merge queue.',
      schema: schema.text,
    },
  },
} as const satisfies ActionDefinition;

/** The values of the inputs of `deploy`. */
export type DeployValues = ValuesOf<typeof deployDefinition.inputs>;
