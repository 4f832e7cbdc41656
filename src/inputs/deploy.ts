import * as schema from '../input-schemas.ts';
import { admission, allowProduction, common, explaining, gitHubToken, planning } from './common.ts';
import type { ActionDefinition } from './input.ts';
import { variableInputs } from './variables.ts';

const bringing = {
  'git-url': {
    description:
      "The project's git repository, where the commit is pushed before it is deployed: one URL in which `{projectId}` is filled in, or lines `PROJECT_ID=URL`; https, ssh, or http on loopback. With `preview-projects`, no project may share a repository. Empty: the commit is there already.",
    schema: schema.text,
  },
  'git-username': {
    description: 'The user name for https.',
    schema: schema.text,
    default: 'git',
  },
  'git-token': {
    description: 'The password for https: a token that may push to that repository.',
    schema: schema.text,
    secret: true,
  },
  'git-branch': {
    description: 'The branch that is pushed to.',
    schema: schema.text,
    default: 'main',
  },
  'git-force': {
    description:
      'When a push may take commits from the branch: `auto`, only on a project of `preview-projects` that a pull request has taken, and on one that holds nothing but its template, whose commit is kept as a branch; a SHA, only while that is its head (to adopt a new project); `true`; `false`. What somebody pushes meanwhile is never lost.',
    schema: schema.force,
    default: 'auto',
  },
} as const satisfies ActionDefinition['inputs'];

const following = {
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
  'success-states': {
    description:
      'Status words that mean success, beside the built-in ones: of a deployment, and of a domain that is good.',
    schema: schema.list,
  },
  'failure-states': {
    description:
      'Status words that mean failure, beside the built-in ones: of a deployment or a domain.',
    schema: schema.list,
  },
  'on-unconfirmed': {
    description: 'When nothing confirms the end: `warn` or `fail`.',
    schema: schema.oneOf('warn', 'fail'),
    default: 'warn',
  },
  'verify-url': {
    description:
      'A page that must answer 2xx twice in a row, a second apart, asked without the key once the deployment succeeded (with `deploy: false`, at once). `{sha}` and `{preview-domain}` are filled in. The short form of one entry of `checks:` in the site file, whose paths are asked at its origin.',
    schema: schema.text,
  },
  'verify-contains': {
    description: 'A text that the page must contain. `{sha}` is filled in.',
    schema: schema.text,
  },
  'verify-timeout': {
    description:
      'How long the checks may take to hold, from the end of the deployment. Where nothing but they can confirm that, `timeout` bounds them.',
    schema: schema.checkTime,
    default: '2m',
  },
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
} as const satisfies ActionDefinition['inputs'];

const pullRequests = {
  ...admission,
  'preview-domain': {
    description:
      "Hostname template of a pull request's preview, such as `pr-{number}.preview.example.com`; `{number}`, `{branch}`, `{sha}`, `{owner}` and `{repo}` are filled in. Used on pull requests, and elsewhere if it has no `{number}`; without it, a pull request gets no hostname that is assigned already, unless our own record says that it is its preview.",
    schema: schema.text,
  },
  'preview-projects': {
    description:
      'Projects (UUIDs) for previews: each open pull request takes one, and keeps it until it is closed. Needs `preview-domain`.',
    schema: schema.projectIds,
  },
  'swap-projects': {
    description:
      'Blue and green: two projects (UUIDs), of which one serves `swap-domains`. The other is deployed to, checked at `preview-domain`, and then the domains move to it, and back if the checks fail there. In place of `project-id`; not for pull requests.',
    schema: schema.projectPair,
  },
  'swap-domains': {
    description: 'The domains that move between the two.',
    schema: schema.hostnames,
  },
  'domain-timeout': {
    description: "How long to follow a domain's verification.",
    schema: schema.duration,
    default: '2m',
  },
  'on-domain-pending': {
    description: 'When the domain is not verified by then: `warn` or `fail`.',
    schema: schema.oneOf('warn', 'fail'),
    default: 'warn',
  },
  'disconnect-on-close': {
    description:
      'On a closed pull request, remove the domain instead of only clearing its assignment.',
    schema: schema.flag,
    default: 'false',
  },
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
} as const satisfies ActionDefinition['inputs'];

/** The root's action: sync, deploy, follow, tell. */
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
      schema: schema.commit,
    },
    deploy: {
      description:
        '`false`: sync the environment, and run the checks alone: a watch, on a schedule. `if-needed`: not if the commit is the last one that was deployed with success, its checks hold, one of them names it, and no variable waits to be published; and never if it was rolled back.',
      schema: schema.flagOr('if-needed'),
      default: 'true',
    },
    ...bringing,
    ...planning,
    mode: explaining.mode,
    ...variableInputs,
    ...following,
    ...pullRequests,
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
    plan: 'JSON: `{ "digest", "changes": [ { "type", "resource", "name", "action", "reason" } ] }`, no values. Over 256 kB whole changes are left out, and a field `left-out` says how many.',
    'env-summary':
      'JSON counts: created, replaced, retargeted, deleted, unchanged, kept, conflicts, failed, not-reached, undeclared; of a plan, what would be.',
    drift: '`true` if the plan holds any change, or a variable was changed elsewhere and left so.',
    'comment-url': 'The comment on the pull request.',
    'github-deployment-id': 'The id of the GitHub Deployment.',
    requests:
      'How many requests the service was sent; attempts that found no connection do not count.',
    'duration-ms': 'How long the step took, in milliseconds.',
    error:
      'What went wrong and what to do, in one line, with workflow commands broken as in the log.',
  },
} as const satisfies ActionDefinition;
