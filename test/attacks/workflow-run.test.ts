// Attack (starting): A `workflow_run` lists another repository's pull request with the same number
// Defense: It counts only if head commit, head repository, base repository and branch are the run's
// Attack (starting): A fork with the same commit as another pull request deploys to that one's preview
// Defense: The head's repository is compared
// Attack (starting): A fork's run ends the preview of another closed pull request with the same commit
// Defense: Repository, branch and commit must be the run's, and GitHub must report it as still closed
// Attack (starting): A run of an older commit deploys to the preview after a newer push
// Defense: The pull request must have the run's commit at its head
// Attack (starting): A stranger opens a pull request from `main` to a fork, and pushes to `main` count as not merged
// Defense: A push to the default branch is merged code, whatever is listed

import { describe, expect, it } from 'vitest';
import { numberOf } from '../../emulator/github/index.ts';
import {
  hostname,
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from '../dist/pull-request-world.ts';
import { adjust, examplePayload } from '../support/payloads.ts';

/** The workflow's own repository, and two forks. */
const names = {
  own: repository,
  fork: 'somebody/octo-site',
  otherFork: 'somebody-else/octo-site',
  /** GitHub's list of a branch names the owner alone. */
  secondFork: 'somebody/octo-site-2',
} as const;
type Repository = keyof typeof names;

const repositoryOf = (which: Repository) => ({
  id: numberOf(names[which]),
  full_name: names[which],
});

/** What GitHub lists of a pull request in a `workflow_run`. */
const listed = (sha: string, head: Repository, base: Repository, ref = 'topic') => {
  const side = (which: Repository, commit: string, name: string) => ({
    ref: name,
    sha: commit,
    repo: { id: numberOf(names[which]), name: 'octo-site', url: 'https://api.github.com/' },
  });
  return {
    number,
    id: 4711,
    url: 'https://api.github.com/repos/o/r/pulls/7',
    head: side(head, sha, ref),
    base: side(base, 'b'.repeat(40), 'main'),
  };
};

/** What a run that has ended was about. */
interface Ended {
  cause: string;
  sha: string;
  branch?: string;
  from?: Repository;
  pullRequests?: readonly unknown[];
}

/** A `workflow_run` in the workflow's own repository. */
function runAfter({ cause, sha, branch = 'topic', from = 'own', pullRequests = [] }: Ended) {
  const payload = adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': cause,
    'workflow_run.head_sha': sha,
    'workflow_run.head_branch': branch,
    'workflow_run.head_repository': repositoryOf(from),
    'workflow_run.repository': repositoryOf('own'),
    'workflow_run.pull_requests': pullRequests,
    'repository.id': numberOf(repository),
    'repository.full_name': repository,
    'repository.default_branch': 'main',
  });
  return { event: { name: 'workflow_run', payload } };
}

/** Makes pull request 7 on GitHub one from this repository, with this commit at its head. */
function propose(
  { github }: PullRequestWorld,
  sha: string,
  from: Repository = 'own',
  state: 'open' | 'closed' = 'open',
) {
  const head = { ref: 'topic', sha, repo: { ...repositoryOf(from), fork: from !== 'own' } };
  const base = { ref: 'main', sha: 'b'.repeat(40) };
  github.pullRequests.set(`${repository}#${number}`, { number, state, head, base });
}

function expectUntouched({ emulator, project }: PullRequestWorld): void {
  expect(emulator.world.domains.all).toEqual([]);
  expect(project.deployments).toEqual([]);
}

const superseded = { outcome: 'skipped', 'skipped-reason': 'no-open-pull-request' };

describe.concurrent('a workflow_run that lists a pull request', () => {
  it('of another repository with the same number does not get the domain of ours', async () => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    propose(world, 'c'.repeat(40));
    const pullRequests = [listed(sha, 'fork', 'otherFork')];
    const event = runAfter({ cause: 'pull_request', sha, from: 'fork', pullRequests });
    const { outputs } = await world.run('opened', event);
    expect(outputs).toMatchObject(superseded);
    expectUntouched(world);
  });

  it.each<[string, (sha: string) => object]>([
    ['with another head', () => listed('c'.repeat(40), 'own', 'own')],
    ['with its head in another repository', (sha) => listed(sha, 'fork', 'own')],
    ['with its base in another repository', (sha) => listed(sha, 'own', 'fork')],
    ['of which it says nothing', () => ({ number })],
  ])('%s: it is none of this run', async (_, listOf) => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    propose(world, 'c'.repeat(40));
    const event = runAfter({ cause: 'pull_request', sha, pullRequests: [listOf(sha)] });
    expect((await world.run('opened', event)).outputs).toMatchObject(superseded);
    expectUntouched(world);
  });

  it('whose head has moved on since is left to the run of the new head', async () => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    propose(world, 'c'.repeat(40));
    const pullRequests = [listed(sha, 'own', 'own')];
    const event = runAfter({ cause: 'pull_request', sha, pullRequests });
    expect((await world.run('opened', event)).outputs).toMatchObject(superseded);
    expectUntouched(world);
  });

  it('that is the one that ran is deployed to its preview', async () => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    propose(world, sha);
    const pullRequests = [listed('d'.repeat(40), 'fork', 'fork'), listed(sha, 'own', 'own')];
    const event = runAfter({ cause: 'pull_request', sha, pullRequests });
    const { outputs } = await world.run('opened', event);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'preview-url': `https://${hostname}` });
  });
});

describe.concurrent('a workflow_run that lists none, as those of forks do', () => {
  it.each(['otherFork', 'secondFork', 'own'] as const)(
    "does not get the domain of another's pull request that has the same commit: %s",
    async (which) => {
      await using world = await startPullRequest();
      const sha = await world.project.head();
      propose(world, sha, which);
      const event = runAfter({ cause: 'pull_request', sha, from: 'fork' });
      expect((await world.run('opened', event)).outputs).toMatchObject(superseded);
      expectUntouched(world);
    },
  );

  it.each<[string, Repository, string]>([
    ["another fork's", 'otherFork', 'topic'],
    ["another fork's of the same owner", 'secondFork', 'topic'],
    ['our own', 'own', 'topic'],
    ["another branch's", 'fork', 'other'],
  ])(
    'does not remove the preview of a closed pull request that is %s',
    async (_, which, branch) => {
      await using world = await startPullRequest();
      const sha = await world.project.head();
      propose(world, sha, which);
      const opened = runAfter({ cause: 'pull_request', sha, from: which });
      expect((await world.run('opened', opened)).outputs).toMatchObject({ outcome: 'succeeded' });
      propose(world, sha, which, 'closed');
      const event = runAfter({ cause: 'pull_request', sha, branch, from: 'fork' });
      expect((await world.run('closed', event)).outputs).toMatchObject(superseded);
      expect(world.emulator.world.domains.all[0]?.projectId).toBe(world.project.id);
    },
  );

  it('is deployed to the preview of the pull request that ran', async () => {
    await using world = await startPullRequest();
    const sha = await world.project.head();
    propose(world, sha, 'fork');
    const event = runAfter({ cause: 'pull_request', sha, from: 'fork' });
    const { outputs } = await world.run('opened', event);
    expect(outputs).toMatchObject({ outcome: 'succeeded', 'preview-url': `https://${hostname}` });
  });
});

describe.concurrent('a workflow_run after a push', () => {
  const production = { 'preview-domain': '', comment: 'false' };

  it.each<[string, (sha: string) => object]>([
    ['a pull request of another repository', (sha) => listed(sha, 'own', 'fork', 'main')],
    ['a pull request from main to a release branch', (sha) => listed(sha, 'own', 'own', 'main')],
    ['something without a head', () => ({ number })],
  ])('to main is merged code, although GitHub lists %s', async (_, listOf) => {
    await using world = await startPullRequest();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const sha = await world.project.head();
    const pullRequests = [listOf(sha)];
    const event = runAfter({ cause: 'push', sha, branch: 'main', pullRequests });
    const { outputs } = await world.run('opened', { ...event, inputs: production });
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded', 'commit-sha': sha });
  });

  it('to a branch that is proposed for review does not replace a site that is served', async () => {
    await using world = await startPullRequest();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const sha = await world.project.head();
    const event = runAfter({ cause: 'push', sha, pullRequests: [listed(sha, 'own', 'own')] });
    const { outputs } = await world.run('opened', { ...event, inputs: production });
    expect(outputs['error']).toContain('www.example.com');
    expect(world.project.deployments).toEqual([]);
  });
});
