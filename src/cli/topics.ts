import { checkInputs } from '../checks/inputs.ts';
import { serviceInputs } from '../follow/inputs.ts';
import type { InputTable } from '../inputs/input.ts';
import { pushInputs } from '../push/inputs.ts';
import { variableInputs } from '../variables/inputs.ts';

/** The inputs of some features, behind those that are named to come first. */
const namesOf = (tables: readonly InputTable[], first: readonly string[] = []): string[] => [
  ...new Set([...first, ...tables.flatMap((table) => Object.keys(table))]),
];

/** The inputs of the deploy action as docs/reference.md and `--help` group them, in its order. */
export const topics: readonly (readonly [title: string, inputs: readonly string[]])[] = [
  [
    'What to deploy',
    ['api-key', 'base-url', 'project-id', 'commit-sha', 'deploy', 'mode', 'config', 'timeout'],
  ],
  ['Pushing the commit', namesOf([pushInputs], ['git-url', 'git-token'])],
  ['Variables', namesOf([variableInputs], ['env-from'])],
  [
    'Following the deployment',
    [
      ...namesOf([checkInputs]),
      'on-failed-checks',
      'on-older',
      'wait',
      ...namesOf([serviceInputs]),
      'strict',
    ],
  ],
  [
    'Previews, and who can start a run',
    [
      'preview-domain',
      'preview-projects',
      'disconnect-on-close',
      'preview-idle',
      'allow-production',
      'allowed-associations',
    ],
  ],
  ['On GitHub', ['github-token', 'comment', 'github-deployment', 'environment-name']],
];
