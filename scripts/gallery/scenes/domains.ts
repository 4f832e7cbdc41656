import type { LocalWorld } from '../../player/world.ts';
import type { GalleryScene, Run } from '../scene.ts';
import { hostile } from './common.ts';

const site = `connected-domains:
  www.example.com: { project: self }
registered-domains:
  example.com:
    project: self
    renewal: true
    dns:
      - { type: A, name: "@", content: 203.0.113.10, ttl: 300 }
      - { type: MX, name: "@", content: mail.example.com, priority: 10 }
      - { type: TXT, name: "@", content: "v=spf1 include:mail.example.com -all" }
`;

const sixty = `registered-domains:
  example.com:
    dns:
${Array.from({ length: 60 }, (_, index) => `      - { type: A, name: "host-${index + 1}", content: 203.0.113.${index + 1} }`).join('\n')}
`;

const nothing = `registered-domains:
  example.com: {}
`;

const register = ({ emulator }: LocalWorld): void => {
  emulator.world.registerDomain('example.com');
};

const withFile = (file: string): Run => ({
  action: 'domains',
  files: { '.github/site.yml': file },
  prepare: register,
});

const ofPullRequest = { event: 'pull_request' } as const;

/** The action `domains`. */
export const domains: readonly GalleryScene[] = [
  {
    name: 'domains-plan',
    shows: 'A plan on a pull request',
    outcome: 'planned',
    runs: [
      {
        ...withFile(site),
        ...ofPullRequest,
        inputs: { mode: 'plan' },
        prepare: ({ emulator }) => {
          const { zone } = emulator.world.registerDomain('example.com');
          zone.put({ type: 'A', name: 'example.com', content: '198.51.100.7', ttl: 3600 });
          zone.put({ type: 'TXT', name: 'old.example.com', content: 'not in the site file' });
        },
      },
    ],
  },
  {
    name: 'domains-plan-60',
    shows: 'A plan of 60 records on a pull request',
    outcome: 'planned',
    runs: [{ ...withFile(sixty), ...ofPullRequest, inputs: { mode: 'plan' } }],
  },
  {
    name: 'domains-plan-nothing',
    shows: 'A plan without changes, for a file without records',
    outcome: 'planned',
    runs: [{ ...withFile(nothing), ...ofPullRequest, inputs: { mode: 'plan' } }],
  },
  {
    name: 'domains-synced',
    shows: 'Domains and records were synced',
    outcome: 'synced',
    runs: [withFile(site)],
  },
  {
    name: 'domains-60',
    shows: '60 records were created',
    outcome: 'synced',
    runs: [withFile(sixty)],
  },
  {
    name: 'domains-unverified',
    shows: 'Connected, but not verified yet',
    outcome: 'synced',
    runs: [{ ...withFile(site), end: 'pending-domain' }],
  },
  {
    name: 'domains-failed',
    shows: 'A key without permission to write records',
    outcome: 'failed',
    runs: [{ ...withFile(site), end: 'failure' }],
  },
  {
    name: 'domains-conflict',
    shows: 'The plan differs from expected-plan',
    outcome: 'conflict',
    runs: [{ ...withFile(site), end: 'conflict' }],
  },
  {
    name: 'domains-unconfirmed',
    shows: 'The service does not report whether the domain is bound',
    outcome: 'unconfirmed',
    world: { dialect: { boundAlready: '409' } },
    runs: [
      {
        ...withFile(site),
        prepare: ({ emulator, project }) =>
          emulator.world.registerDomain('example.com', { projectId: project.id }),
      },
    ],
  },
  {
    name: 'domains-fork',
    shows: 'A pull request from a fork, which gets no secrets',
    outcome: 'skipped',
    runs: [{ ...withFile(site), ...ofPullRequest, isFork: true }],
  },
  {
    name: 'domains-timed-out',
    shows: 'The service does not respond',
    outcome: 'timed-out',
    runs: [{ ...withFile(site), end: 'timeout' }],
  },
  {
    name: 'domains-cancelled',
    shows: 'A canceled run',
    outcome: 'cancelled',
    runs: [{ ...withFile(site), end: 'cancelled' }],
  },
  {
    name: 'domains-bad-file',
    shows: 'A site file with mistakes',
    outcome: 'failed',
    runs: [
      withFile(site.replace('type: MX', 'typ: MX').replace('renewal: true', 'renewal: maybe')),
    ],
  },
  {
    name: 'domains-checked',
    shows: 'The availability of domain names',
    outcome: 'synced',
    runs: [
      { action: 'domains', inputs: { check: 'a-new-site.com\nexample.com\npremium-name.com' } },
    ],
  },
  {
    name: 'domains-hostile',
    shows: 'A service with malicious texts',
    outcome: 'synced',
    world: { dialect: { hostileText: hostile } },
    runs: [{ ...withFile(site), end: 'pending-domain' }],
  },
];
