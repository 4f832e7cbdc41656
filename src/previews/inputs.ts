import * as schema from '../input-schemas.ts';
import type { InputTable } from '../inputs/input.ts';

/** The inputs that say which preview a run has. */
export const previewInputs = {
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
} as const satisfies InputTable;

/** The inputs on the domain of a preview. */
export const previewDomainInputs = {
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
} as const satisfies InputTable;
