import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import {
  hostname,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

/** What the world itself says after a run, whatever the service said of it. */
interface Truth {
  /** The preview's hostname serves the commit, and its verification has passed. */
  isLive: boolean;
  isBuilt: boolean;
  hasFailed: boolean;
  isVerified: boolean;
  hasDomainFailed: boolean;
  isAssigned: boolean;
}

const domainOf = ({ emulator }: PullRequestWorld) =>
  emulator.world.domains.all.find((domain) => domain.hostname === hostname);

async function lookAt(world: PullRequestWorld): Promise<Truth> {
  const { emulator, project } = world;
  const sha = await project.head();
  const deployment = project.deployments.find(({ commit }) => commit === sha);
  const domain = domainOf(world);
  const { routing } = emulator.dialect.domainWords;
  const page = await request(emulator.url, { headers: { host: hostname } });
  await page.body.dump();
  // Nothing was served before: until it is published, a site answers 503.
  const isBuilt = (await fetch(project.sitePathUrl)).ok;
  // The routing's words are never made to lie here, and routing is the last check.
  const isVerified = domain?.routingStatus === routing.good;
  const hasEnded = deployment !== undefined && deployment.endedAt !== null;
  return {
    isBuilt,
    isVerified,
    hasFailed: hasEnded && !isBuilt,
    hasDomainFailed: emulator.dialect.domainEnds === 'failure' && !isVerified,
    isAssigned: domain?.projectId === project.id,
    isLive: isBuilt && isVerified && page.statusCode === 200,
  };
}

/** A word, where it stands in what people read, and what must be so. */
const claims: Readonly<Record<string, { says: RegExp; isSo: (truth: Truth) => boolean }>> = {
  live: { says: /#\u200d?7 is live/, isSo: ({ isLive }) => isLive },
  deployed: { says: /#\u200d?7 is deployed/, isSo: ({ isBuilt }) => isBuilt },
  waiting: {
    says: /its domain is not verified yet/,
    isSo: ({ isBuilt, isVerified }) => isBuilt && !isVerified,
  },
  failed: { says: /#\u200d?7 failed to (?:build|deploy)/, isSo: ({ hasFailed }) => hasFailed },
  'failed verification': {
    says: /failed (?:its )?verification/,
    isSo: ({ hasDomainFailed }) => hasDomainFailed,
  },
  verified: { says: /(?<!not )(?:is|was) verified/, isSo: ({ isVerified }) => isVerified },
  'not verified': { says: /is not verified/, isSo: ({ isLive }) => !isLive },
  'not deployed': { says: /#\u200d?7 was not deployed/, isSo: ({ isBuilt }) => !isBuilt },
  removed: { says: /#\u200d?7 is removed/, isSo: ({ isAssigned }) => !isAssigned },
  unassigned: { says: /no longer assigned/, isSo: ({ isAssigned }) => !isAssigned },
};

/** Everything in which a run speaks of its end: comment, GitHub Deployment, summary, log, annotations. */
function allSaid(world: PullRequestWorld, result: ActionResult): string {
  const statuses = world.github
    .deployments(repository)
    .flatMap((deployment) => deployment.statuses.slice(-1))
    .map(({ description }) => description);
  const [comment = ''] = world.comments();
  // A domain may be verified, or not, at a moment of the log: its last word counts.
  const log = result.log.filter((line) => !line.startsWith('Domain '));
  const domain = result.log.filter((line) => line.startsWith('Domain ')).slice(-1);
  const { summary, annotations } = result;
  return [comment, summary, ...statuses, ...log, ...domain, JSON.stringify(annotations)].join('\n');
}

interface Run {
  name: string;
  dialect?: DialectOptions;
  inputs?: Record<string, string>;
  /** A hostname that the project serves already, which is none for previews then. */
  serves?: string;
  /** What is done to the world after the opening, before a close. */
  close?: (world: PullRequestWorld) => void;
  /** Words that this run has to say: it tells the truth about something. */
  says?: readonly string[];
}

/** Long enough on a busy machine, for what comes to an end; and short, for what never does. */
const patient = { 'verify-timeout': '60s', timeout: '120s' };
const noDomain = { 'verify-timeout': '2s' };
const noEnd = { ...noDomain, timeout: '5s' };

/** The service says that all is well, and nothing is done. */
const answers =
  (operation: string, body: (world: PullRequestWorld) => object) => (world: PullRequestWorld) => {
    const said = JSON.stringify(body(world));
    const fault = { kind: 'status', status: 200, body: said, effect: false } as const;
    world.emulator.faults.add({ operation, times: 1e6, ...fault });
  };

const domainSaid = (projectId: string) => ({
  hostname,
  projectId,
  state: 'active',
  ownershipStatus: 'verified',
  certificateStatus: 'issued',
  routingStatus: 'routed',
  instructions: [],
  verificationErrors: [],
});

const runs: readonly Run[] = [
  { name: 'all is well', says: ['live', 'verified'] },
  { name: 'the build fails', dialect: { deploymentEnds: 'failure' }, says: ['failed'] },
  {
    name: 'the domain is not verified',
    dialect: { domainEnds: 'never' },
    inputs: noDomain,
    says: ['deployed', 'waiting', 'not verified'],
  },
  {
    name: 'the domain fails',
    dialect: { domainEnds: 'failure' },
    says: ['deployed', 'failed verification'],
  },
  {
    name: 'the key may not deploy',
    dialect: { refuse: ['createDeployment'] },
  },
  {
    name: 'the project serves another domain',
    serves: 'www.example.com',
    says: ['not deployed'],
  },
  { name: 'the pull request is closed', close: () => undefined, says: ['removed', 'unassigned'] },
  {
    name: 'steps of the build end before it, and it fails',
    dialect: { deploymentEnds: 'failure', stream: { stepEvents: true } },
  },
  {
    name: 'the end of a step is called as the end of all, and nothing ends',
    dialect: { deploymentEnds: 'never', stream: { stepEvents: true, shape: 'typed' } },
    inputs: noEnd,
  },
  {
    name: 'the list shows another deployment first, which is good',
    dialect: { deploymentEnds: 'failure', statusShape: 'foreign-first', offers: 'poll' },
  },
  {
    name: 'nothing shows how it ends',
    dialect: { deploymentEnds: 'failure', offers: 'neither', notOfferedStatus: 'html200' },
  },
  {
    name: 'an unknown commit is accepted, and fails',
    dialect: { unknownVersionId: 'accept-and-fail', deploymentEnds: 'failure' },
  },
  {
    name: 'a failure is called by a word that nobody knows',
    dialect: { deploymentEnds: 'failure', deploymentWords: { failure: 'zorp' } },
    inputs: noEnd,
  },
  {
    name: 'a step is called "ready", and the build never ends',
    dialect: { deploymentEnds: 'never', deploymentWords: { steps: ['active', 'building'] } },
    inputs: noEnd,
  },
  {
    name: 'the state is "active" from the beginning, and the certificate never comes',
    dialect: {
      domainEnds: 'never',
      domainStopsAt: 'certificate',
      domainWords: { state: { waiting: 'active', working: 'active' } },
    },
    inputs: noDomain,
  },
  {
    name: 'a domain is verified while the deployment never ends',
    dialect: { deploymentEnds: 'never' },
    inputs: noEnd,
  },
  {
    name: 'the production runtime is said to be published, and the build failed',
    dialect: { deploymentEnds: 'failure', pendingFlags: 'always-false', offers: 'neither' },
  },
  {
    name: 'the deployment is said to be queued, twice, and the stream is cut',
    dialect: { deploymentEnds: 'failure', stream: { dropAfterEvents: 1, dropBy: 'reset' } },
  },
  {
    name: 'the page is good before the build fails',
    dialect: { deploymentEnds: 'failure', offers: 'neither', notOfferedStatus: 403 },
    inputs: { 'verify-url': 'https://{preview-domain}/', ...noEnd },
  },
  {
    name: 'the close is refused',
    close: ({ emulator }) => {
      emulator.dialect.refuse = ['assignDomain', 'deleteDomain'];
    },
  },
  {
    name: 'the close is answered as done, and nothing is done',
    close: answers('assignDomain', () => ({})),
  },
  {
    name: 'the close is answered as before, and nothing is done',
    close: answers('assignDomain', ({ project }) => domainSaid(project.id)),
  },
];

describe.concurrent('no word is said of what is not so', () => {
  it.each(runs)('$name', async ({ dialect, inputs = {}, serves, close, says = [] }) => {
    await using world = await startPullRequest({ buildMs: 100, verifyMs: 60, ...dialect });
    const { id } = world.project;
    if (serves !== undefined) world.emulator.world.connectDomain(serves, id);
    const project = serves === undefined ? { 'preview-projects': id, 'project-id': '' } : {};
    let result = await world.run('opened', { inputs: { ...patient, ...project, ...inputs } });
    if (close !== undefined) {
      world.close();
      close(world);
      result = await world.run('closed', { inputs: { ...patient, ...project } });
    }
    const said = allSaid(world, result);
    const truth = await lookAt(world);
    const spoken = Object.keys(claims).filter((word) => claims[word]?.says.test(said));
    const untrue = spoken.filter((word) => claims[word]?.isSo(truth) !== true);
    expect({ untrue, truth }).toEqual({ untrue: [], truth });
    expect(spoken).toEqual(expect.arrayContaining([...says]));
  });
});

it('each word is said by some run', () => {
  const said = new Set(runs.flatMap(({ says = [] }) => says));
  expect([...said].sort()).toEqual(Object.keys(claims).sort());
});
