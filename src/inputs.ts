import type { z } from 'zod';
import * as schema from './input-schemas.ts';

/** One input of an action. */
export interface Input {
  description: string;
  /** What may be written in it. */
  schema: z.ZodType<unknown, string>;
  /** What stands for an empty input; absent: empty stays empty. */
  default?: string;
  required?: true;
  /** Its value is masked and never shown. */
  secret?: true;
  /** White space around it is part of it. */
  verbatim?: true;
  /** The only values that this version can serve; for others it says that they are not available yet. */
  availableOnly?: readonly string[];
}

/** One action: its face to workflow authors. */
export interface Action {
  name: string;
  description: string;
  inputs: Readonly<Record<string, Input>>;
  outputs: Readonly<Record<string, string>>;
}

const common = {
  'api-key': {
    description: "The service's API key, sent as `x-api-key`.",
    schema: schema.apiKey,
    required: true,
    secret: true,
  },
  'base-url': {
    description: "The service's base URL: https, or loopback.",
    schema: schema.baseUrl,
    required: true,
  },
  timeout: {
    description: 'Deadline of the whole step: `30s`, `20m`, `1h`, or seconds.',
    schema: schema.duration,
    default: '20m',
  },
} as const satisfies Action['inputs'];

const environment = {
  env: {
    description: 'Variables as dotenv lines, `NAME=value`. For secrets, `env-from` is better.',
    schema: schema.text,
    secret: true,
    verbatim: true,
  },
  'env-from': {
    description:
      "`NAME` or `NAME=SOURCE`, one a line: the value is this step's environment variable `NAME` or `SOURCE`. The recommended way for secrets: byte-exact, any content.",
    schema: schema.list,
  },
  'env-file': {
    description: 'Dotenv files in the workspace, one a line.',
    schema: schema.list,
  },
  'env-kind': {
    description: '`secret` or `plain`, for variables that do not say.',
    schema: schema.oneOf('secret', 'plain'),
    default: 'secret',
  },
  'env-targets': {
    description: '`preview`, `production` or both, for variables that do not say.',
    schema: schema.targets,
    default: 'preview, production',
  },
  'env-prune': {
    description: 'Delete variables that we created and that are no longer declared.',
    schema: schema.flag,
    default: 'false',
    availableOnly: ['false'],
  },
  'env-on-conflict': {
    description:
      'What to do about a variable that changed elsewhere: `overwrite`, `keep` or `fail`.',
    schema: schema.oneOf('overwrite', 'keep', 'fail'),
    default: 'overwrite',
  },
  'env-ledger': {
    description:
      'Where to keep the record of what was written: `cache`, `off`, or a path. Not available yet: every declared variable is written on each run.',
    schema: schema.text,
    default: 'cache',
    availableOnly: ['cache', 'off'],
  },
  'env-ledger-key': {
    description: 'A secret of its own for the ledger; else derived from `api-key`.',
    schema: schema.text,
    secret: true,
    availableOnly: [],
  },
} as const satisfies Action['inputs'];

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
    description: 'Status words that mean success, beside the built-in ones.',
    schema: schema.list,
  },
  'failure-states': {
    description: 'Status words that mean failure, beside the built-in ones.',
    schema: schema.list,
  },
  'on-unconfirmed': {
    description: 'When nothing confirms the end: `warn` or `fail`.',
    schema: schema.oneOf('warn', 'fail'),
    default: 'warn',
  },
  'verify-url': {
    description:
      'A page that is probed, without the key, after the deployment until it answers 2xx or the deadline comes. `{sha}` and `{preview-domain}` are filled in.',
    schema: schema.text,
  },
  'verify-contains': {
    description: 'A text that the page must contain. `{sha}` is filled in.',
    schema: schema.text,
  },
} as const satisfies Action['inputs'];

const pullRequests = {
  'preview-domain': {
    description:
      "Hostname template of a pull request's preview, such as `pr-{number}.preview.example.com`; `{number}`, `{branch}`, `{sha}`, `{owner}` and `{repo}` are filled in. Used on pull requests, and elsewhere if it has no `{number}`.",
    schema: schema.text,
  },
  'preview-projects': {
    description:
      'Projects (UUIDs) that open pull requests lease, one each; needs `preview-domain`.',
    schema: schema.projectIds,
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
    description: 'Let a pull request deploy to a project that serves other domains.',
    schema: schema.flag,
    default: 'false',
  },
  'on-missing-credentials': {
    description:
      'When `api-key` is empty: `auto` skips on forks and Dependabot and fails elsewhere; `skip`; `fail`.',
    schema: schema.oneOf('auto', 'skip', 'fail'),
    default: 'auto',
  },
  'github-token': {
    description: 'For look-ups on GitHub, the comment and the deployment record.',
    schema: schema.text,
    default: '${{ github.token }}',
    secret: true,
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
} as const satisfies Action['inputs'];

const deploy = {
  name: 'Site deploy',
  description:
    'Syncs environment variables, deploys the pushed commit, follows it to its real end, and says what happened.',
  inputs: {
    ...common,
    'project-id': {
      description: 'UUID of the project. Required unless `preview-projects` serves.',
      schema: schema.projectId,
    },
    'commit-sha': {
      description:
        "The commit to deploy: 40 hex digits, or `HEAD` for the head of the project's own repository. Empty: the event's head commit.",
      schema: schema.commit,
    },
    deploy: {
      description: '`false`: sync the environment only.',
      schema: schema.flag,
      default: 'true',
    },
    mode: {
      description: '`apply`; `plan` reads and shows what would change (not available yet).',
      schema: schema.oneOf('apply', 'plan'),
      default: 'apply',
      availableOnly: ['apply'],
    },
    config: {
      description: 'A site file (`.github/site.yml`); inputs win over it. Not available yet.',
      schema: schema.text,
      availableOnly: [],
    },
    ...environment,
    ...following,
    ...pullRequests,
  },
  outputs: {
    outcome:
      '`succeeded`, `failed`, `timed-out`, `cancelled`, `unconfirmed`, `accepted`, `synced`, `conflict`, `skipped` or `cleaned-up`.',
    'skipped-reason':
      '`fork`, `dependabot`, `missing-credentials`, `branch-deleted`, `pull-request-closed`, `pull-request-open`, `no-open-pull-request` or `no-free-preview-project`.',
    'deployment-id': "The service's own id of the deployment.",
    'deployment-status': "Its status as last seen, in the service's own word.",
    'commit-sha': 'The commit asked for; empty for HEAD.',
    'project-id': 'The project deployed to.',
    'preview-url': 'Address of the preview, once it is live.',
    'domain-state': "The preview domain's state, in the service's own word.",
    plan: 'JSON: `{ "digest", "changes": [ { "type", "resource", "name", "action", "reason" } ] }`, no values.',
    'env-summary':
      'JSON counts: created, replaced, retargeted, deleted, unchanged, kept, conflicts, failed, not-reached, undeclared.',
    drift: '`true` if the plan holds any change.',
    'comment-url': 'The comment on the pull request.',
    'github-deployment-id': 'The id of the GitHub Deployment.',
    requests: 'How many requests the service was sent.',
    'duration-ms': 'How long the step took, in milliseconds.',
    error: 'What went wrong and what to do, in one line.',
  },
} as const satisfies Action;

/** Every action of this repository, by the name of its entry in `dist/`. The only such table. */
export const actions = { deploy } as const satisfies Readonly<Record<string, Action>>;

/** The name of an action. */
export type ActionName = keyof typeof actions;

type InputsOf<Name extends ActionName> = (typeof actions)[Name]['inputs'];

/** The outputs of an action, by name. */
export type OutputsOf<Name extends ActionName> = Record<
  keyof (typeof actions)[Name]['outputs'],
  string
>;

/** An input that may be empty gives undefined then. */
type ValueOf<One> = One extends { schema: z.ZodType<infer Value> }
  ? One extends { default: string } | { required: true }
    ? Value
    : Value | undefined
  : never;

/** The values of an action's inputs, under the names that workflow authors write. */
export type Values<Name extends ActionName> = {
  -readonly [Key in keyof InputsOf<Name>]: ValueOf<InputsOf<Name>[Key]>;
};
