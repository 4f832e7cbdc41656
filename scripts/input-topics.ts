import type { ActionDefinition } from '../src/inputs.ts';

/** The inputs of the deploy action as the README groups them, in its order. */
const topics: readonly (readonly [title: string, inputs: readonly string[]])[] = [
  [
    'What to deploy, and how',
    ['api-key', 'base-url', 'project-id', 'commit-sha', 'deploy', 'mode', 'config', 'timeout'],
  ],
  ["The commit's way", ['git-url', 'git-token', 'git-username', 'git-branch', 'git-force']],
  [
    'Variables',
    [
      'env-from',
      'env',
      'env-file',
      'env-kind',
      'env-targets',
      'env-remove',
      'env-on-conflict',
      'env-ledger',
      'env-ledger-key',
    ],
  ],
  [
    'Following the deployment',
    [
      'verify-url',
      'verify-contains',
      'verify-timeout',
      'on-failed-checks',
      'on-older',
      'require-verified',
      'wait',
      'status-path',
      'events-path',
      'success-states',
      'failure-states',
      'on-unconfirmed',
    ],
  ],
  [
    'Previews, and who may start what',
    [
      'preview-domain',
      'preview-projects',
      'swap-projects',
      'swap-domains',
      'domain-timeout',
      'on-domain-pending',
      'disconnect-on-close',
      'allow-production',
      'on-missing-credentials',
      'allowed-associations',
    ],
  ],
  [
    'On GitHub',
    ['github-token', 'comment', 'comment-key', 'github-deployment', 'environment-name'],
  ],
];

/**
 * The names of an action's inputs under the topics of the README.
 *
 * @throws Error if an input has no topic, or a topic names what is no input
 */
export function byTopic({ inputs }: ActionDefinition): typeof topics {
  const placed = topics.flatMap(([, names]) => names);
  const lost = Object.keys(inputs).filter((name) => !placed.includes(name));
  const unknown = placed.filter((name) => !(name in inputs));
  if (lost.length + unknown.length > 0) {
    throw new Error(
      `scripts/input-topics.ts lacks ${lost.join(', ')}; no input: ${unknown.join(', ')}`,
    );
  }
  return topics;
}
