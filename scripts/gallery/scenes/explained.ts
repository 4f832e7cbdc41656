import type { LocalWorld } from '../../player/world.ts';
import type { GalleryScene } from '../scene.ts';
import { from, preview, three } from './common.ts';

const explain = { mode: 'explain', 'api-key': '' } as const;

const lease = ({ projects }: LocalWorld) => ({
  'preview-projects': [...projects.values()].map(({ id }) => id).join('\n'),
  'preview-domain': 'pr-{number}.preview.example.com',
  'git-url': 'https://git.example.com/{projectId}.git',
  'git-token': 'not-a-real-token',
});

/** Three projects, of which a pull request leases one. */
const leased = {
  projects: Object.fromEntries(['one', 'two', 'three'].map((name) => [name, { variables: {} }])),
  'connected-domains': {},
  'registered-domains': {},
};

const about = (event: string) => ({ action: 'deploy', event }) as const;

/** What a run would do, told without a request. */
export const explained: readonly GalleryScene[] = [
  {
    name: 'explain-push',
    shows: 'mode: explain for a push',
    outcome: 'planned',
    runs: [{ ...about('push'), env: three, inputs: { ...explain, ...from(three) } }],
  },
  {
    name: 'explain-pull-request',
    shows: 'mode: explain for a pull request that leases a project',
    outcome: 'planned',
    world: { contents: leased },
    runs: [
      {
        ...about('pull_request'),
        env: three,
        inputs: (world) => ({ ...explain, ...lease(world), ...from(three) }),
      },
    ],
  },
  {
    name: 'explain-workflow-run',
    shows: 'mode: explain for a workflow_run of a pull request from a fork',
    outcome: 'planned',
    runs: [
      {
        ...about('workflow_run'),
        isFork: true,
        inputs: (world) => ({ ...explain, ...preview(world) }),
      },
    ],
  },
  {
    name: 'explain-closed',
    shows: 'mode: explain for a closed pull request',
    outcome: 'planned',
    runs: [
      { ...about('pull_request.closed'), inputs: (world) => ({ ...explain, ...preview(world) }) },
    ],
  },
  {
    name: 'explain-fork',
    shows: 'mode: explain for a pull request from a fork',
    outcome: 'skipped',
    runs: [{ ...about('pull_request'), isFork: true, inputs: explain }],
  },
];
