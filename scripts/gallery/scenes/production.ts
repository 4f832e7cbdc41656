import { repository } from '../../player/play.ts';
import type { LocalWorld } from '../../player/world.ts';
import type { GalleryScene, Run } from '../scene.ts';
import { failingBuild, from, hostile, many, three } from './common.ts';

const deploy = { action: 'deploy', env: three, inputs: from(three) } as const;
const sync = { action: 'deploy', event: 'schedule' } as const;

/** A good release, and then one whose page lacks what it should say. @param prepare what happens before that */
function rolledBack(prepare: (world: LocalWorld) => void): Run[] {
  const inputs = ({ project }: LocalWorld) => ({
    ...from(three),
    'verify-url': project.sitePathUrl,
    'verify-contains': 'Change 1',
    'verify-timeout': '3s',
    'on-failed-checks': 'roll-back',
  });
  return [
    { ...deploy, inputs },
    { ...deploy, inputs, prepare },
  ];
}

/** Tells GitHub of two commits between the last release and the newest commit. */
function addCommits({ github }: LocalWorld): void {
  const [newest = '', { parents = [] } = {}] = [...github.commits].at(-1) ?? [];
  const add = (sha: string, before: readonly string[], message: string) => {
    github.commits.set(`${repository}@${sha}`, { parents: before, message });
    return [sha];
  };
  const first = add('1'.repeat(40), parents, 'Sort the prices by plan');
  const second = add(
    '2'.repeat(40),
    first,
    'Fix the link to the imprint (#12)\n\nIt had no slash.',
  );
  github.commits.set(newest, { parents: second, message: 'Show the opening hours' });
}

/** Deploys to production, and syncs. */
export const production: readonly GalleryScene[] = [
  {
    name: 'production-live',
    shows: 'A push that is live, with three variables and three commits',
    outcome: 'succeeded',
    runs: [
      { action: 'deploy' },
      {
        ...deploy,
        inputs: ({ project }) => ({ ...from(three), 'verify-url': project.sitePathUrl }),
        prepare: addCommits,
      },
    ],
  },
  {
    name: 'production-slow',
    shows: 'A push that took long enough for a chart',
    outcome: 'succeeded',
    world: { dialect: { buildMs: 6000, latencyMs: 100 }, hasOwnAddress: true },
    runs: [
      {
        ...deploy,
        inputs: ({ project, emulator }) => ({
          ...from(three),
          'git-url': `${emulator.url}/git/{projectId}.git`,
          'git-token': emulator.gitToken,
          'verify-url': project.sitePathUrl,
        }),
      },
    ],
  },
  {
    name: 'production-shortest',
    shows: 'The minimum: HEAD, no variables, no GitHub deployment',
    outcome: 'succeeded',
    runs: [{ action: 'deploy', inputs: { 'commit-sha': 'HEAD', 'github-deployment': 'false' } }],
  },
  {
    name: 'production-failed',
    shows: 'A failed build, with its log',
    outcome: 'failed',
    world: { dialect: { stream: { logLines: [...failingBuild] } } },
    runs: [{ ...deploy, end: 'failure' }],
  },
  {
    name: 'production-failed-silent',
    shows: 'A failed deployment without a reason',
    outcome: 'failed',
    world: { dialect: { offers: 'poll' } },
    runs: [{ ...deploy, end: 'failure' }],
  },
  {
    name: 'production-timed-out',
    shows: 'A deployment that times out',
    outcome: 'timed-out',
    runs: [{ ...deploy, end: 'timeout' }],
  },
  {
    name: 'production-unknown-word',
    shows: 'An unknown final status',
    outcome: 'timed-out',
    world: { dialect: { deploymentWords: { success: 'zorp' } } },
    runs: [{ ...deploy, inputs: { ...from(three), timeout: '4s' } }],
  },
  {
    name: 'production-page-lacks-text',
    shows: 'Deployed, but the page lacks the expected text',
    outcome: 'failed',
    runs: [
      {
        ...deploy,
        inputs: ({ project }) => ({
          ...from(three),
          'verify-url': project.sitePathUrl,
          'verify-contains': 'a headline that is not on the page',
          'verify-timeout': '3s',
        }),
      },
    ],
  },
  {
    name: 'production-checks',
    shows: 'Several checks, one of which fails',
    outcome: 'failed',
    runs: [
      {
        ...deploy,
        files: {
          'checks.yml':
            'checks:\n  - { path: /, lacks: Internal Error, max-ms: 5000 }\n  - { path: /pricing, contains: "per month" }\n',
        },
        inputs: ({ project }) => ({
          ...from(three),
          config: 'checks.yml',
          'verify-url': project.siteUrl,
          'verify-timeout': '3s',
        }),
      },
    ],
  },
  {
    name: 'production-rolled-back',
    shows: 'A release that failed its checks and was rolled back',
    outcome: 'rolled-back',
    runs: rolledBack(() => undefined),
  },
  {
    name: 'production-roll-back-failed',
    shows: 'A release that failed its checks, and whose rollback failed, too',
    outcome: 'failed',
    runs: rolledBack(({ emulator }) => {
      emulator.faults.add({
        operation: 'createDeployment',
        kind: 'status',
        status: 422,
        body: '{"title":"The version is gone"}',
        effect: false,
        after: 1,
      });
    }),
  },
  {
    name: 'production-cancelled',
    shows: 'A canceled run',
    outcome: 'cancelled',
    runs: [{ ...deploy, end: 'cancelled' }],
  },
  {
    name: 'production-killed',
    shows: 'The step was killed, and the post step reports what is left',
    outcome: '',
    world: { dialect: { deploymentEnds: 'never' } },
    runs: [
      {
        ...deploy,
        during: async (step) => {
          await step.waitForLine((line) => line.startsWith('Deployment '));
          step.kill();
        },
      },
    ],
  },
  {
    name: 'production-unconfirmed',
    shows: "Accepted, but the result can't be confirmed",
    outcome: 'unconfirmed',
    world: { dialect: { offers: 'neither', notOfferedStatus: 403 } },
    runs: [{ action: 'deploy' }],
  },
  {
    name: 'production-accepted',
    shows: 'wait: none',
    outcome: 'accepted',
    runs: [{ ...deploy, inputs: { ...from(three), wait: 'none' } }],
  },
  {
    name: 'production-plan',
    shows: 'mode: plan',
    outcome: 'planned',
    runs: [
      {
        ...deploy,
        prepare: ({ project }) => project.setVariable({ name: 'STRIPE_KEY', value: 'fake-old' }),
        inputs: { ...from(three), mode: 'plan' },
      },
    ],
  },
  {
    name: 'production-conflict',
    shows: 'A variable that changed outside this action and must not be overwritten',
    outcome: 'conflict',
    runs: [
      { ...deploy, inputs: { ...from(three) } },
      {
        ...deploy,
        inputs: { ...from(three), 'env-on-conflict': 'fail' },
        prepare: ({ project }) =>
          project.setVariable({ name: 'STRIPE_KEY', value: 'fake-rotated-by-hand' }),
      },
    ],
  },
  {
    name: 'production-refused',
    shows: 'A key without permission to deploy',
    outcome: 'failed',
    world: { dialect: { refuse: ['createDeployment'] } },
    runs: [deploy],
  },
  {
    name: 'production-bad-input',
    shows: 'Several invalid inputs, reported before anything is sent',
    outcome: 'failed',
    runs: [{ ...deploy, inputs: { ...from(three), timeout: 'soon', wait: 'maybe' } }],
  },
  {
    name: 'production-hostile',
    shows: 'A failed build with malicious texts',
    outcome: 'failed',
    world: {
      dialect: { hostileText: hostile, stream: { logLines: [hostile, '```', '::endgroup::'] } },
    },
    runs: [
      {
        ...deploy,
        end: 'failure',
        prepare: ({ project }) => project.setVariable({ name: hostile.slice(0, 100), value: 'x' }),
      },
    ],
  },
  {
    name: 'sync-200',
    shows: 'deploy: false with 200 new variables',
    outcome: 'synced',
    runs: [{ ...sync, env: many(200), inputs: { ...from(many(200)), deploy: 'false' } }],
  },
  {
    name: 'sync-unchanged',
    shows: 'deploy: false without changes',
    outcome: 'synced',
    runs: [
      { ...sync, env: three, inputs: { ...from(three), deploy: 'false' } },
      { ...sync, env: three, inputs: { ...from(three), deploy: 'false' } },
    ],
  },
];
