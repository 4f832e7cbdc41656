import { repository } from '../../player/play.ts';
import type { LocalWorld } from '../../player/world.ts';
import type { GalleryScene } from '../scene.ts';
import { failingBuild, from, hostile, many, oddNames, preview, three } from './common.ts';

const opened = {
  action: 'deploy',
  event: 'pull_request',
  env: three,
  inputs: (world: LocalWorld) => ({ ...preview(world), ...from(three) }),
} as const;

const closed = { action: 'deploy', event: 'pull_request.closed', inputs: preview } as const;

const pushedTo = { ...opened, event: 'pull_request.synchronize' } as const;

/** Two projects: more than one preview. */
const two = {
  projects: { site: { variables: {} }, docs: { variables: {} } },
  'connected-domains': {},
  'registered-domains': {},
};

/** A preview of one of two projects, at an address of its own. */
const oneOfTwo = (name: 'site' | 'docs') => ({
  ...opened,
  inputs: ({ projects }: LocalWorld) => ({
    'preview-projects': projects.get(name)?.id ?? '',
    'preview-domain': `${name}-{number}.preview.example.com`,
    'commit-sha': 'HEAD',
    ...from(three),
  }),
});

/** Previews of pull requests, from their opening to their close. */
export const previews: readonly GalleryScene[] = [
  {
    name: 'preview-live',
    shows: 'A live preview',
    outcome: 'succeeded',
    runs: [opened],
  },
  {
    name: 'preview-shortest',
    shows: 'A live preview without variables',
    outcome: 'succeeded',
    runs: [{ action: 'deploy', event: 'pull_request', inputs: preview }],
  },
  {
    name: 'preview-deploying',
    shows: 'A preview that is being deployed',
    outcome: '',
    world: { dialect: { deploymentEnds: 'never' } },
    runs: [
      {
        ...opened,
        shownAt: async (step, { github }) => {
          await step.waitForLine((line) => line.includes('publishing'));
          return github;
        },
      },
    ],
  },
  {
    name: 'preview-building-again',
    shows: 'The last live preview stays linked while the next one is built',
    outcome: '',
    runs: [
      opened,
      {
        ...pushedTo,
        prepare: ({ emulator }) => {
          emulator.dialect.deploymentEnds = 'never';
        },
        shownAt: (step) => step.waitForLine((line) => line.includes('publishing')),
      },
    ],
  },
  {
    name: 'preview-waiting',
    shows: 'Deployed, but the domain is not verified yet: the DNS records to create',
    outcome: 'succeeded',
    world: { dialect: { domainEnds: 'never' } },
    runs: [
      {
        ...opened,
        inputs: (world) => ({ ...preview(world), ...from(three), 'verify-timeout': '2s' }),
      },
    ],
  },
  {
    name: 'preview-domain-failed',
    shows: 'Deployed, but the domain verification failed; the step fails',
    outcome: 'failed',
    world: { dialect: { domainEnds: 'failure' } },
    runs: [
      {
        ...opened,
        inputs: (world) => ({ ...preview(world), strict: 'true' }),
        env: {},
      },
    ],
  },
  {
    name: 'preview-unknown-domain-word',
    shows: 'A domain with an unknown state',
    outcome: 'succeeded',
    world: { dialect: { domainWords: { state: { good: 'shiny' } } } },
    runs: [
      { ...opened, inputs: (world) => ({ ...preview(world), 'verify-timeout': '2s' }), env: {} },
    ],
  },
  {
    name: 'preview-failed',
    shows: 'A failed preview build; the previous preview stays live',
    outcome: 'failed',
    runs: [
      opened,
      {
        ...pushedTo,
        prepare: ({ emulator }) => {
          emulator.dialect.deploymentEnds = 'failure';
          emulator.dialect.deploymentWords.steps = ['building'];
          emulator.dialect.stream.logLines = [...failingBuild];
        },
      },
    ],
  },
  {
    name: 'preview-failed-first',
    shows: 'The first preview of a pull request failed to build',
    outcome: 'failed',
    world: { dialect: { stream: { logLines: [...failingBuild] } } },
    runs: [{ ...opened, end: 'failure' }],
  },
  {
    name: 'preview-timed-out',
    shows: 'A preview that timed out',
    outcome: 'timed-out',
    runs: [{ ...opened, end: 'timeout' }],
  },
  {
    name: 'preview-cancelled',
    shows: 'A canceled preview run',
    outcome: 'cancelled',
    runs: [{ ...opened, end: 'cancelled' }],
  },
  {
    name: 'preview-killed',
    shows: 'The step was killed: the post step updates the comment',
    outcome: '',
    world: { dialect: { deploymentEnds: 'never' } },
    runs: [
      {
        ...opened,
        during: async (step) => {
          await step.waitForLine((line) => line.includes('publishing'));
          step.kill();
        },
      },
    ],
  },
  {
    name: 'preview-conflict',
    shows: 'A preview variable that changed outside this action',
    outcome: 'conflict',
    runs: [
      opened,
      {
        ...pushedTo,
        inputs: (world) => ({ ...preview(world), ...from(three), 'env-on-conflict': 'fail' }),
        prepare: ({ project }) =>
          project.setVariable({ name: 'STRIPE_KEY', value: 'fake-by-hand' }),
      },
    ],
  },
  {
    name: 'preview-two-projects',
    shows: 'Two projects on one pull request',
    outcome: 'succeeded',
    world: { contents: two },
    runs: [oneOfTwo('site'), oneOfTwo('docs')],
  },
  {
    name: 'preview-200',
    shows: 'A preview with 200 variables',
    outcome: 'succeeded',
    runs: [
      { ...opened, env: many(200), inputs: (world) => ({ ...preview(world), ...from(many(200)) }) },
    ],
  },
  {
    name: 'preview-odd-names',
    shows: 'Variables with wide and long names',
    outcome: 'succeeded',
    runs: [
      {
        ...opened,
        files: { '.github/site.yml': oddNames },
        inputs: (world) => ({ ...preview(world), config: '.github/site.yml' }),
      },
    ],
  },
  {
    name: 'preview-hostile',
    shows: 'A preview with malicious texts',
    outcome: 'failed',
    world: { dialect: { hostileText: hostile, domainEnds: 'failure' } },
    runs: [{ ...opened, end: 'failure' }],
  },
  {
    name: 'preview-fork',
    shows: 'A pull request from a fork, which gets no secrets',
    outcome: 'skipped',
    runs: [{ ...opened, isFork: true }],
  },
  {
    name: 'preview-no-project-free',
    shows: 'All preview projects are leased',
    outcome: 'skipped',
    runs: [
      {
        ...opened,
        prepare: ({ emulator, project }) => {
          emulator.world.connectDomain('pr-3.preview.example.com', project.id);
        },
      },
    ],
  },
  {
    name: 'preview-not-its-own',
    shows: 'A pull request whose project serves other domains',
    outcome: 'failed',
    runs: [
      {
        ...opened,
        inputs: { 'preview-domain': 'pr-{number}.preview.example.com', ...from(three) },
        prepare: ({ emulator, project }) => {
          emulator.world.connectDomain('www.example.com', project.id);
        },
      },
    ],
  },
  {
    name: 'preview-plan',
    shows: 'mode: plan on a pull request',
    outcome: 'planned',
    runs: [{ ...opened, inputs: (world) => ({ ...preview(world), ...from(three), mode: 'plan' }) }],
  },
  {
    name: 'preview-closed',
    shows: 'The pull request was closed: its preview is removed',
    outcome: 'cleaned-up',
    runs: [opened, closed],
  },
  {
    name: 'preview-closed-again',
    shows: 'Closed, with nothing left to remove',
    outcome: 'cleaned-up',
    runs: [opened, closed, closed],
  },
  {
    name: 'preview-idle',
    shows: 'An open pull request without a release for a week: a sweep removed its preview',
    outcome: 'cleaned-up',
    runs: [
      opened,
      {
        action: 'deploy',
        event: 'schedule',
        inputs: (world) => ({ ...preview(world), deploy: 'false', 'preview-idle': '7d' }),
        prepare: ({ github }) => {
          for (const one of github.deployments(repository)) one.created_at = '2026-01-01T00:00:00Z';
        },
      },
    ],
  },
  {
    name: 'preview-close-failed',
    shows: 'Closed, but the preview could not be removed',
    outcome: 'failed',
    runs: [
      opened,
      {
        ...closed,
        prepare: ({ emulator }) => {
          emulator.dialect.refuse = ['assignDomain', 'deleteDomain'];
        },
      },
    ],
  },
];
