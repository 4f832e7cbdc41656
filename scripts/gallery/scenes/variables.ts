import type { GalleryScene } from '../scene.ts';
import { from, hostile, many, oddNames, three } from './common.ts';

const sync = { action: 'env-sync', event: 'schedule', env: three, inputs: from(three) } as const;
const report = { mode: 'plan', 'fail-on-drift': 'true' } as const;

/** The action `env-sync`. */
export const variables: readonly GalleryScene[] = [
  {
    name: 'env-synced',
    shows: 'Three variables, of which one was on the service',
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
    shows: 'The same again: nothing changed',
    outcome: 'synced',
    runs: [sync, sync],
  },
  {
    name: 'env-drift',
    shows: 'The report finds what somebody changed by hand, and fails',
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
    name: 'env-plan',
    shows: 'A plan of a first sync',
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
    shows: 'Somebody changed a variable, and it must not be overwritten',
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
    shows: 'A key that may not write',
    outcome: 'failed',
    runs: [{ ...sync, end: 'failure' }],
  },
  {
    name: 'env-timed-out',
    shows: 'The service does not answer',
    outcome: 'timed-out',
    runs: [{ ...sync, end: 'timeout' }],
  },
  {
    name: 'env-cancelled',
    shows: 'Somebody cancelled the sync',
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
    shows: '200 variables, of which 40 are new',
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
    shows: 'A service whose texts try to do something',
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
