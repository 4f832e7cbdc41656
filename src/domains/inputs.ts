import { serviceInputs } from '../follow/inputs.ts';
import * as schema from '../input-schemas.ts';
import {
  type ActionDefinition,
  allowProduction,
  common,
  gates,
  gitHubToken,
  planComment,
  planning,
  type ValuesOf,
} from '../inputs/input.ts';

/** A duration, or none: `0s`. Gives milliseconds. */
const durationOrNone: schema.InputSchema<number> = (text) =>
  /^0+[smh]?$/i.test(text) ? { value: 0 } : schema.duration(text);

/** The action `domains`. */
export const domains = {
  name: 'Site domains',
  description:
    'Applies a site file to connected domains, registered domains and DNS records, or shows the plan. It never buys or deletes anything, and ignores `environment:`.',
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
        'Domain names to check for availability and price, any number. Nothing is bought. With `check`, the site file may be missing.',
      schema: schema.list,
    },
    'max-price': {
      description: 'Fail if a checked name costs more than this, in US dollars, or has no price.',
      schema: schema.matching(
        /^\d{1,9}(\.\d{1,6})?$/,
        'must be an amount of US dollars such as 20 or 19.99',
        Number,
      ),
    },
    wait: {
      description:
        'How long to follow the verification of connected domains, such as `5m`. Not with `mode: plan`.',
      schema: durationOrNone,
      default: '0s',
    },
    ...serviceInputs,
    ...gates,
    'expected-plan': {
      ...gates['expected-plan'],
      description:
        'Digest of a reviewed plan: apply only if the plan is still the same or has no changes.',
    },
    'max-changes': {
      ...gates['max-changes'],
      description:
        'Refuse a plan that changes more than this number, or this share, of the domains and records in the file: `20`, `30%`. Renewal and binding are set by each run, and do not count.',
    },
    'allow-production': {
      ...allowProduction,
      description:
        'Allow the site file of a pull request, or of any run of code that is not merged, to change domains.',
    },
    'github-token': { ...gitHubToken, description: 'Token for GitHub: to write the comment.' },
    ...planComment,
  },
} as const satisfies ActionDefinition;

/** The values of the inputs of `domains`. */
export type DomainsValues = ValuesOf<typeof domains.inputs>;
