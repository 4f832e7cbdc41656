import * as schema from '../../input-schemas.ts';
import type { InputTable } from '../../inputs/input.ts';

/** The inputs that say which preview a run has, and how it ends. */
export const previewInputs = {
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
} as const satisfies InputTable;
