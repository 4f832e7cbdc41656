import * as schema from '../input-schemas.ts';
import {
  type ActionDefinition,
  admission,
  allowProduction,
  common,
  commonOutputs,
  explaining,
  gates,
  gitHubToken,
  planComment,
  planning,
  planOutputs,
} from '../inputs/input.ts';
import { variableInputs, variableOutputs } from './inputs.ts';

/** The action `env-sync`. */
export const envSync = {
  name: 'Site environment sync',
  description:
    'Syncs environment variables from repository secrets to a project, or reports what has drifted, without ever reading a value back.',
  inputs: {
    ...common,
    'api-key': explaining['api-key'],
    'project-id': {
      description: 'UUID of the project.',
      schema: schema.projectId,
      required: true,
    },
    ...planning,
    mode: explaining.mode,
    ...variableInputs,
    ...gates,
    ...admission,
    'allow-production': {
      ...allowProduction,
      description:
        'Let a pull request, or any run of code that is not merged, write to a project that serves domains.',
    },
    'github-token': { ...gitHubToken, description: "For the plan's comment." },
    comment: {
      ...planComment.comment,
      description:
        'With `mode: plan`, the plan as a comment, which is edited in place: `auto` (on pull requests), `true` or `false`.',
    },
    'comment-key': {
      description: 'One comment for each key; else the project id.',
      schema: schema.text,
    },
  },
  outputs: {
    outcome: '`synced`, `planned`, `failed`, `timed-out`, `cancelled`, `conflict` or `skipped`.',
    ...planOutputs,
    ...variableOutputs,
    stale:
      '`true` if what was written is not applied to the preview runtime yet; empty if the service does not say.',
    pending:
      '`true` if what was written is not published to the production runtime yet; empty if the service does not say.',
    ...commonOutputs,
  },
} as const satisfies ActionDefinition;
