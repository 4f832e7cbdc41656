import {
  type ActionDefinition,
  allowProduction,
  common,
  explaining,
  gates,
  gitHubToken,
  planComment,
  planning,
  projectInput,
  type ValuesOf,
} from '../inputs/input.ts';
import { variableInputs } from './inputs.ts';

/** The action `env-sync`. */
export const envSync = {
  name: 'Site environment sync',
  description:
    'Syncs environment variables from repository secrets to a project without a deployment, or reports drift.',
  inputs: {
    ...common,
    'api-key': explaining['api-key'],
    'project-id': projectInput,
    ...planning,
    mode: explaining.mode,
    ...variableInputs,
    ...gates,
    'allow-production': {
      ...allowProduction,
      description:
        'Allow a pull request, or any run of code that is not merged, to write to a project that serves domains.',
    },
    'github-token': {
      ...gitHubToken,
      description: 'Token for GitHub: to write the plan as a comment.',
    },
    comment: {
      ...planComment.comment,
      description:
        'With `mode: plan`: whether to write the plan as a comment, which later runs update: `auto` (on pull requests), `true` or `false`.',
    },
  },
} as const satisfies ActionDefinition;

/** The values of the inputs of `env-sync`. */
export type EnvSyncValues = ValuesOf<typeof envSync.inputs>;
