import type { ActionName } from '../../src/inputs.ts';

/** The event that is played with an action if none is named. */
export const usualEvents: Readonly<Record<ActionName, string>> = {
  deploy: 'push',
  'env-sync': 'schedule',
  domains: 'push',
  message: 'issue_comment',
  projects: 'workflow_dispatch',
};
