import { checkInputs } from '../checks/inputs.ts';
import { serviceInputs } from '../follow/inputs.ts';
import type { ActionDefinition, InputTable } from '../inputs/input.ts';
import { pushInputs } from '../push/inputs.ts';
import { variableInputs } from '../variables/inputs.ts';

/** The inputs of some features, behind those that are named to come first. */
const namesOf = (tables: readonly InputTable[], first: readonly string[] = []): string[] => [
  ...new Set([...first, ...tables.flatMap((table) => Object.keys(table))]),
];

/** The inputs of the deploy action as docs/reference.md and `--help` group them, in its order. */
const topics: readonly (readonly [title: string, inputs: readonly string[]])[] = [
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

/**
 * The names of an action's inputs under the topics of docs/reference.md.
 *
 * @throws Error if an input has no topic, or a topic names what is no input
 */
export function byTopic({ inputs }: ActionDefinition): typeof topics {
  const listed = topics.flatMap(([, names]) => names);
  const lost = Object.keys(inputs).filter((name) => !listed.includes(name));
  const unknown = listed.filter((name) => !(name in inputs));
  if (lost.length + unknown.length > 0) {
    throw new Error(
      `src/cli/topics.ts lacks ${lost.join(', ')} and lists unknown inputs: ${unknown.join(', ')}`,
    );
  }
  return topics;
}
