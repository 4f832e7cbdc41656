import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** The inputs that say which preview a run has. */
export const previewInputs = {
  'preview-domain': {
    description:
      'Hostname template of previews, such as `pr-{number}.preview.example.com`. The action fills in `{number}`, `{branch}`, `{sha}`, `{owner}` and `{repo}`. On pull requests it must contain `{number}`. Other runs use it if it has no `{number}`.',
    schema: schema.text,
  },
  'preview-projects': {
    description:
      'UUIDs of projects for previews. Each open pull request uses one of them until it is closed. Requires `preview-domain`.',
    schema: schema.projectIds,
  },
} as const satisfies InputTable;

/** The inputs on the domain of a preview. */
export const previewDomainInputs = {
  'domain-timeout': {
    description: "How long to wait for the domain's verification.",
    schema: schema.duration,
    default: '2m',
  },
  'on-domain-pending': {
    description: 'What to do if the domain is not verified by then: `warn` or `fail`.',
    schema: schema.oneOf('warn', 'fail'),
    default: 'warn',
  },
  'disconnect-on-close': {
    description:
      'When a pull request is closed, remove its domain from the service instead of only clearing the assignment.',
    schema: schema.flag,
    default: 'false',
  },
} as const satisfies InputTable;
