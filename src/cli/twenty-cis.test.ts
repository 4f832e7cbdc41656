// Attack (command): `--pull-request none` is in a job that also builds pull requests, which count as merged then
// Defense: What a known CI reports wins; elsewhere, a variable that is set as in a build of a pull request is an error
// Attack (command): A pull request of an unknown CI, or one whose origin the CI doesn't report, deploys as a member's
// Defense: It counts as a fork's. On an unknown CI, `commit-sha` must name its head, since a merge commit may be
// checked out
// Attack (command): A stranger starts a workflow in which the command, which doesn't check who started it, is run
// instead of the action
// Defense: On GitHub, Gitea and Forgejo the command is an error, whatever its flags

import { expect, test } from 'vitest';
import * as jobs from '../../test/cli/ci-environments.ts';
import { readBuild } from './ci.ts';

type Variables = Record<string, string>;

/** What is read where the clone is at a commit of its own. */
const repository = {
  commitSha: jobs.merge,
  branch: 'local',
  readReference: async (name: string) =>
    name === 'refs/remotes/origin/PR-12' ? jobs.head : undefined,
};

/**
 * How a build comes out, in a word: `merged`; `own`, a pull request of the repository at its head, or `fork`, one that
 * counts as another's; `fork, no commit`, one whose commit is to be given; or why it ends before anything is sent.
 */
async function outcome(
  environment: Variables,
  flag: string | undefined,
  isAtTerminal = false,
): Promise<string> {
  try {
    const given = flag === undefined ? {} : { pullRequest: flag };
    const { pullRequest, commitSha } = await readBuild(
      environment,
      repository,
      given,
      isAtTerminal,
    );
    if (pullRequest === undefined) return 'merged';
    expect(pullRequest.number).toBe(12);
    if (commitSha !== undefined) expect(commitSha).toBe(jobs.head);
    return `${pullRequest.isFork ? 'fork' : 'own'}${commitSha === undefined ? ', no commit' : ''}`;
  } catch (error) {
    const { message } = error as Error;
    const [, sign] = /is none, but (\w+) is set/.exec(message) ?? [];
    if (sign !== undefined) return `sign ${sign}`;
    return /^It isn't clear/.test(message) ? 'unclear' : message;
  }
}

/** A push, a pull request of the repository, and one of a fork; undefined where the CI builds none. */
type Builds = readonly [push: Variables, own: Variables, fork: Variables | undefined];

const outcomes = ([push, own, fork]: Builds, flagOf: (build: Variables) => string | undefined) =>
  Promise.all(
    [push, own, ...(fork === undefined ? [] : [fork])].map((build) =>
      outcome(build, flagOf(build)),
    ),
  );

test.each<[string, Builds, string]>([
  ['GitLab', [jobs.gitlabPush, jobs.gitlabMergeRequest, jobs.gitlabFork], 'merged | own | fork'],
  [
    'Buildkite',
    [jobs.buildkitePush, jobs.buildkitePullRequest, jobs.buildkiteFork],
    'merged | own | fork',
  ],
  [
    'Azure Pipelines',
    [jobs.azurePush, jobs.azurePullRequest, jobs.azureFork],
    'merged | own | fork',
  ],
  [
    'Jenkins, multibranch',
    [jobs.jenkinsBranch, jobs.jenkinsChange, { ...jobs.jenkinsChange, CHANGE_FORK: 'stranger' }],
    'merged | own | fork',
  ],
  // The repository of a pull request is not told.
  [
    'Woodpecker',
    [jobs.woodpeckerPush, jobs.woodpeckerPullRequest, jobs.woodpeckerPullRequest],
    'merged | fork | fork',
  ],
  ['Drone', [jobs.dronePush, jobs.dronePullRequest, jobs.dronePullRequest], 'merged | fork | fork'],
  [
    'Bitbucket Pipelines',
    [jobs.bitbucketPush, jobs.bitbucketPullRequest, undefined],
    'merged | own',
  ],
])('%s is known: its word counts, whatever the flag', async (_name, builds, expected) => {
  for (const flag of [undefined, 'none', 'false']) {
    expect((await outcomes(builds, () => flag)).join(' | ')).toBe(expected);
  }
  const [, own] = builds;
  // Its number is the CI's, too.
  expect(await outcome(own, '13')).toBe(expected.split(' | ')[1]);
});

const notANumber = '--pull-request must be a number, or none';

test.each<[string, Builds, variable: string | undefined, none: string, withVariable: string]>([
  [
    'CircleCI',
    [jobs.circlePush, jobs.circlePullRequest, jobs.circleFork],
    'CIRCLE_PR_NUMBER',
    'merged | sign CIRCLE_PULL_REQUEST | sign CIRCLE_BRANCH',
    // Its number is that of forks alone.
    'merged | sign CIRCLE_PULL_REQUEST | fork, no commit',
  ],
  [
    'Travis CI',
    [jobs.travisPush, jobs.travisPullRequest, jobs.travisFork],
    'TRAVIS_PULL_REQUEST',
    'merged | sign TRAVIS_PULL_REQUEST | sign TRAVIS_PULL_REQUEST',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'AppVeyor',
    [jobs.appveyorPush, jobs.appveyorPullRequest, jobs.appveyorFork],
    'APPVEYOR_PULL_REQUEST_NUMBER',
    'merged | sign APPVEYOR_PULL_REQUEST_HEAD_COMMIT | sign APPVEYOR_PULL_REQUEST_HEAD_COMMIT',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'Semaphore',
    [jobs.semaphorePush, jobs.semaphorePullRequest, jobs.semaphoreFork],
    'SEMAPHORE_GIT_PR_NUMBER',
    'merged | sign SEMAPHORE_GIT_REF_TYPE | sign SEMAPHORE_GIT_REF_TYPE',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'CodeBuild',
    [jobs.codebuildPush, jobs.codebuildPullRequest, jobs.codebuildPullRequest],
    undefined,
    'merged | sign CODEBUILD_WEBHOOK_TRIGGER | sign CODEBUILD_WEBHOOK_TRIGGER',
    '',
  ],
  // No variable differs: `none` is the user's word.
  [
    'TeamCity',
    [jobs.teamcity, jobs.teamcity, jobs.teamcity],
    undefined,
    'merged | merged | merged',
    '',
  ],
  [
    'Bamboo',
    [jobs.bambooPush, jobs.bambooPullRequest, jobs.bambooPullRequest],
    'bamboo_repository_pr_key',
    'merged | sign bamboo_repository_pr_key | sign bamboo_repository_pr_key',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'Render',
    [jobs.renderPush, jobs.renderPullRequest, jobs.renderPullRequest],
    'IS_PULL_REQUEST',
    'merged | sign IS_PULL_REQUEST | sign IS_PULL_REQUEST',
    `merged | ${notANumber} | ${notANumber}`,
  ],
  [
    'Netlify',
    [jobs.netlifyPush, jobs.netlifyPullRequest, jobs.netlifyPullRequest],
    'REVIEW_ID',
    'merged | sign BRANCH | sign BRANCH',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'Vercel',
    [jobs.vercelPush, jobs.vercelPullRequest, jobs.vercelPullRequest],
    'VERCEL_GIT_PULL_REQUEST_ID',
    'merged | sign VERCEL_GIT_PULL_REQUEST_ID | sign VERCEL_GIT_PULL_REQUEST_ID',
    'merged | fork, no commit | fork, no commit',
  ],
  // Its branch alone differs: `none` is the user's word.
  [
    'Cloudflare Pages',
    [jobs.cloudflarePush, jobs.cloudflarePullRequest, undefined],
    undefined,
    'merged | merged',
    '',
  ],
  [
    'Cirrus CI',
    [jobs.cirrusPush, jobs.cirrusPullRequest, jobs.cirrusPullRequest],
    'CIRRUS_PR',
    'merged | sign CIRRUS_BRANCH | sign CIRRUS_BRANCH',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'Codefresh',
    [
      jobs.codefreshPush,
      jobs.codefreshPullRequest,
      { ...jobs.codefreshPullRequest, CF_PULL_REQUEST_IS_FORK: 'true' },
    ],
    'CF_PULL_REQUEST_NUMBER',
    'merged | sign CF_PULL_REQUEST_ACTION | sign CF_PULL_REQUEST_ACTION',
    'merged | fork, no commit | fork, no commit',
  ],
  [
    'AWS Amplify',
    [jobs.amplifyPush, jobs.amplifyPullRequest, undefined],
    'AWS_PULL_REQUEST_ID',
    'merged | sign AWS_BRANCH',
    'merged | fork, no commit',
  ],
  [
    'Prow',
    [jobs.prowPush, jobs.prowPullRequest, jobs.prowPullRequest],
    'PULL_NUMBER',
    'merged | sign PULL_REFS | sign PULL_REFS',
    'merged | fork, no commit | fork, no commit',
  ],
])('%s is not known: it needs the flag', async (_name, builds, variable, none, withVariable) => {
  for (const build of builds) {
    if (build === undefined) continue;
    expect(await outcome(build, undefined)).toBe('unclear');
    // A terminal is no person where there is a CI.
    expect(await outcome(build, undefined, true)).toBe('unclear');
    expect(await outcome(build, '12')).toBe('fork, no commit');
  }
  expect((await outcomes(builds, () => 'none')).join(' | ')).toBe(none);
  if (variable === undefined) return;
  const flagOf = (build: Variables) => build[variable] || 'none';
  expect((await outcomes(builds, flagOf)).join(' | ')).toBe(withVariable);
});

test.each(['GITHUB_ACTIONS', 'GITEA_ACTIONS', 'FORGEJO_ACTIONS'])(
  'where %s is set, the action is to be used, whatever the flag',
  async (name) => {
    for (const flag of [undefined, 'none', '12']) {
      for (const build of [
        { CI: 'true', [name]: 'true' },
        { ...jobs.gitlabPush, [name]: 'true' },
      ]) {
        expect(await outcome(build, flag, true)).toContain('use the action');
      }
    }
  },
);

test('no variable that is missing makes a pull request merged code', async () => {
  const builds = [
    ...[jobs.gitlabMergeRequest, jobs.gitlabMergedResults, jobs.gitlabFork, jobs.gitlabExternal],
    ...[jobs.buildkitePullRequest, jobs.buildkiteFork, jobs.azurePullRequest, jobs.azureFork],
    ...[jobs.jenkinsChange, jobs.woodpeckerPullRequest, jobs.dronePullRequest],
    jobs.bitbucketPullRequest,
  ];
  for (const build of builds) {
    for (const name of Object.keys(build)) {
      expect(await outcome({ ...build, [name]: '' }, undefined), name).not.toBe('merged');
    }
  }
});
