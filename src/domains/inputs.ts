import { statusWordInputs } from '../follow/inputs.ts';
import * as schema from '../input-schemas.ts';
import {
  type ActionDefinition,
  admission,
  allowProduction,
  common,
  commonOutputs,
  gates,
  gitHubToken,
  planComment,
  planning,
  planOutputs,
} from '../inputs/input.ts';

/** An amount of US dollars. */
const dollars = schema.matching(
  /^\d{1,9}(\.\d{1,6})?$/,
  'must be an amount of US dollars such as 20 or 19.99',
  Number,
);

/** The action `domains`. */
export const domains = {
  name: 'Site domains',
  description:
    'Brings connected domains, registered domains and DNS records to what a reviewed site file says, or shows the plan. It never buys or deletes anything, and leaves `environment:` alone.',
  inputs: {
    ...common,
    config: {
      description: 'The site file in the workspace.',
      schema: schema.text,
      default: '.github/site.yml',
    },
    'project-id': {
      description: 'UUID of the project that `project: self` means.',
      schema: schema.projectId,
    },
    mode: planning.mode,
    check: {
      description:
        'Domain names to check for availability and price, any number; nothing is bought. With it the site file may be missing.',
      schema: schema.list,
    },
    'max-price': {
      description: 'In US dollars: fail if a checked name costs more, or shows no price.',
      schema: dollars,
    },
    wait: {
      description:
        'Follow the verification of connected domains until `domain-timeout`; not with `mode: plan`.',
      schema: schema.flag,
      default: 'false',
    },
    'domain-timeout': {
      description: 'How long to follow it.',
      schema: schema.duration,
      default: '5m',
    },
    'success-states': {
      ...statusWordInputs['success-states'],
      description: 'Status words that mean that a domain is verified, beside the built-in ones.',
    },
    'failure-states': {
      ...statusWordInputs['failure-states'],
      description: 'Status words that mean that it failed, beside the built-in ones.',
    },
    ledger: {
      description:
        'Where to keep which DNS records this file declared: `cache`, `off`, or the path of a file of its own.',
      schema: schema.ledgerPlace,
      default: 'cache',
    },
    'ledger-key': {
      description:
        'A secret of its own for the ledger, of at least 16 characters; else derived from `api-key`. With it the ledger outlives a new API key.',
      schema: schema.ledgerKey,
      secret: true,
    },
    ...gates,
    'expected-plan': {
      ...gates['expected-plan'],
      description: "A plan's digest: apply only if the plan is still that one, or empty.",
    },
    'max-changes': {
      ...gates['max-changes'],
      description:
        'Refuse a plan that changes more than this number, or this share, of the declared domains and records: `20`, `30%`. Renewal and binding are set on each apply, and do not count.',
    },
    'replace-undeclared': {
      description:
        'Let a declared record take the place of one that this file did not declare, such as the only other TXT record of its name. Else such a plan is refused.',
      schema: schema.flag,
      default: 'false',
    },
    ...admission,
    'allow-production': {
      ...allowProduction,
      description:
        'Let the site file of a pull request, or of any run of code that is not merged, change domains.',
    },
    'github-token': { ...gitHubToken, description: 'For the comment.' },
    ...planComment,
    'comment-key': {
      description: "One comment for each key; else the site file's path and the project id.",
      schema: schema.text,
    },
  },
  outputs: {
    outcome:
      '`planned`, `synced`, `unconfirmed`, `conflict`, `failed`, `timed-out`, `cancelled` or `skipped`.',
    ...planOutputs,
    drift:
      '`true` if a plan holds any change, or something was left otherwise than declared; `false` after an apply that brought all to what is declared.',
    domains:
      'JSON: each declared connected domain with its project, its `verification` (`good`, `bad`, `pending`, or `unclear`), its `statuses` (each `of` and `status`), and all DNS records still to be made, whole. Over 256 kB whole domains are left out, and a last item `{ "left-out" }` says how many.',
    availability:
      "JSON: the service's result for each checked name, in the order asked; cut as `domains` is.",
    undeclared:
      'JSON: DNS records that are not declared, left in place, each with its `domain` and its own fields; cut as `domains` is.',
    ...commonOutputs,
  },
} as const satisfies ActionDefinition;
