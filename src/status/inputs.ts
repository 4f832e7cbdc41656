import { serviceInputs } from '../follow/inputs.ts';
import * as schema from '../input-schemas.ts';
import { type ActionDefinition, common, projectInput, type ValuesOf } from '../inputs/input.ts';
import { variableInputs } from '../variables/inputs.ts';

/** The command `status`. It is run as an action is, and is none of GitHub's. */
export const status = {
  name: 'Site status',
  description:
    "Shows what is live and what waits: variables, domains with their DNS records, previews; and what can't be known. It changes nothing.",
  inputs: {
    ...common,
    'project-id': projectInput,
    ...serviceInputs,
    repository: {
      description:
        'Repository on GitHub as `OWNER/NAME`: the GitHub deployments of its runs show what is live, and the previews. Needs `github-token`.',
      schema: schema.matching(
        /^[\w.-]+\/[\w.-]+$/,
        'must be OWNER/NAME, such as octo-org/octo-site',
        (text) => text,
      ),
    },
    'github-token': {
      description: 'Token for GitHub with the permission `deployments: read`.',
      schema: schema.text,
      secret: true,
    },
    'github-api-url': {
      description:
        "URL of GitHub's API. For GitHub Enterprise Server, such as `https://github.example.com/api/v3`.",
      schema: schema.baseUrl,
      default: 'https://api.github.com',
    },
    'env-ledger-key': variableInputs['env-ledger-key'],
  },
} as const satisfies ActionDefinition;

/** The values of the inputs of `status`. */
export type StatusValues = ValuesOf<typeof status.inputs>;
