import type { GalleryScene, Run } from '../scene.ts';
import { from, hostile, many, oddNames, three } from './common.ts';

const sync = { action: 'env-sync', event: 'schedule', env: three, inputs: from(three) } as const;
const report = { mode: 'plan', 'fail-on-drift': 'true' } as const;

/** A report of drift in an issue, after somebody has changed these variables. */
const inIssue = (...changed: string[]): Run => ({
  ...sync,
  inputs: { ...from(three), mode: 'plan', 'drift-issue': 'true' },
  prepare: ({ project }) => {
    for (const name of changed) project.setVariable({ name, value: 'fake-changed-by-hand' });
  },
});

/** The action `env-sync`. */
export const variables: readonly GalleryScene[] = [
  {
    name: 'env-synced',
    shows: 'Three variables, one of which existed',
    outcome: 'synced',
    runs: [
      {
        ...sync,
        prepare: ({ project }) => {
          project.setVariable({ name: 'STRIPE_KEY', value: 'fake-old' });
          project.setVariable({ name: 'LEGACY_FLAG', value: 'fake-old' });
        },
      },
    ],
  },
  {
    name: 'env-unchanged',
    shows: 'A second sync without changes',
    outcome: 'synced',
    runs: [sync, sync],
  },
  {
    name: 'env-drift',
    shows: 'A report that finds a manual change and fails',
    outcome: 'planned',
    runs: [
      sync,
      {
        ...sync,
        inputs: { ...from(three), ...report },
        prepare: ({ project }) =>
          project.setVariable({ name: 'STRIPE_KEY', value: 'fake-rotated-by-hand' }),
      },
    ],
  },
  {
    name: 'drift-issue-opened',
    shows: 'A report that finds a manual change opens an issue, and does not fail',
    outcome: 'planned',
    runs: [sync, inIssue('STRIPE_KEY')],
  },
  {
    name: 'drift-issue-edited',
    shows: 'The same issue after another change',
    outcome: 'planned',
    runs: [sync, inIssue('STRIPE_KEY'), inIssue('SEARCH_TOKEN')],
  },
  {
    name: 'drift-issue-closed',
    shows: 'The same issue once a sync has ended the drift',
    outcome: 'planned',
    runs: [sync, inIssue('STRIPE_KEY'), sync, inIssue()],
  },
  {
    name: 'env-plan',
    shows: 'The plan of a first sync',
    outcome: 'planned',
    runs: [{ ...sync, inputs: { ...from(three), mode: 'plan' } }],
  },
  {
    name: 'env-plan-comment',
    shows: 'The plan of a pull request, which writes nothing',
    outcome: 'planned',
    runs: [
      {
        ...sync,
        event: 'pull_request',
        inputs: { ...from(three), mode: 'plan' },
        prepare: ({ project }) => project.setVariable({ name: 'STRIPE_KEY', value: 'fake-old' }),
      },
    ],
  },
  {
    name: 'env-conflict',
    shows: 'A variable that changed outside this action and must not be overwritten',
    outcome: 'conflict',
    runs: [
      sync,
      {
        ...sync,
        inputs: { ...from(three), 'env-on-conflict': 'fail' },
        prepare: ({ project }) =>
          project.setVariable({ name: 'STRIPE_KEY', value: 'fake-rotated-by-hand' }),
      },
    ],
  },
  {
    name: 'env-failed',
    shows: 'A key without permission to write variables',
    outcome: 'failed',
    runs: [{ ...sync, end: 'failure' }],
  },
  {
    name: 'env-timed-out',
    shows: 'The service does not respond',
    outcome: 'timed-out',
    runs: [{ ...sync, end: 'timeout' }],
  },
  {
    name: 'env-cancelled',
    shows: 'A canceled sync',
    outcome: 'cancelled',
    runs: [{ ...sync, end: 'cancelled' }],
  },
  {
    name: 'env-fork',
    shows: 'A pull request from a fork, which gets no secrets',
    outcome: 'skipped',
    runs: [{ ...sync, event: 'pull_request', isFork: true }],
  },
  {
    name: 'env-200',
    shows: '200 variables, 40 of them new',
    outcome: 'synced',
    runs: [
      { ...sync, env: many(160), inputs: from(many(160)) },
      { ...sync, env: many(200), inputs: from(many(200)) },
    ],
  },
  {
    name: 'env-odd-names',
    shows: 'Wide and long names',
    outcome: 'synced',
    runs: [
      { ...sync, files: { '.github/site.yml': oddNames }, inputs: { config: '.github/site.yml' } },
    ],
  },
  {
    name: 'env-hostile',
    shows: 'A service with malicious texts',
    outcome: 'failed',
    world: { dialect: { hostileText: hostile } },
    runs: [
      {
        ...sync,
        end: 'failure',
        prepare: ({ project }) => project.setVariable({ name: hostile.slice(0, 100), value: 'x' }),
      },
    ],
  },
];
