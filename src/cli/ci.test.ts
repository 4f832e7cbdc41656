// Attack (command): A build of code that is not merged counts as merged, because its CI's sign of a pull request is not
// read: an event about it, one that is promoted, run by hand, or a child or a triggered build of it; a change of Gerrit
// Defense: A build counts as merged by three locks: an event that the CI's entry allows, a reference of the repository
// itself, and no proposal as its branch. Everything else ends before anything is sent, unless `--pull-request` is given
// Attack (command): A branch of a merge queue (GitHub's, Mergify's, Trunk's, Graphite's), on another CI or pushed to a
// workflow, counts as merged
// Defense: It is no branch of merged code
// Attack (command): A build of a pull request counts as merged, because the variable for `--pull-request` is empty, as
// a misspelled one is
// Defense: An empty one is an error
// Attack (command): A merge commit, which is on no branch, is deployed as the head of a pull request
// Defense: The head is read for each CI; if it isn't reported, the commit is unknown

import { chmod, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import * as jobs from '../../test/cli/ci-environments.ts';
import { type Given, type Repository, readBuild } from './ci.ts';
import { type Ci, cis, type Fact } from './cis.ts';

const { head, merge } = jobs;
const local = 'c'.repeat(40);

/** What the clone says of itself: another commit and branch than any CI here. */
const repository: Repository = {
  commitSha: local,
  branch: 'local',
  cloneUrl: 'https://git.example.com/local.git',
  readReference: async (name) => (name === 'refs/remotes/origin/PR-12' ? head : undefined),
};

/** Reads a build where nobody is at a terminal, without its default branch. */
async function ciContext(
  environment: Record<string, string>,
  given: Given = {},
  isAtTerminal = false,
) {
  const build = await readBuild(environment, repository, given, isAtTerminal);
  const { ci, pullRequest, defaultBranch: _, ...rest } = build;
  return {
    service: ci?.name ?? 'git',
    ...rest,
    pullRequest: pullRequest?.number,
    fromFork: pullRequest?.isFork,
    stop: pullRequest?.isClosed === true ? true : undefined,
  };
}

/** What is known of a build. */
type CiContext = Partial<Record<keyof Awaited<ReturnType<typeof ciContext>>, unknown>>;

const gitlabPage = 'https://gitlab.example.com/acme/site/-/jobs/9001';
const gitlab: CiContext = {
  service: 'GitLab CI/CD',
  commitSha: head,
  runId: '5005',
  runUrl: gitlabPage,
  cloneUrl: 'https://gitlab-ci-token:fake-job-token@gitlab.example.com/acme/site.git',
};
const mergeRequest = { branch: 'topic', pullRequest: 12, fromFork: false };

const jenkins: CiContext = {
  service: 'Jenkins',
  commitSha: head,
  runId: '153',
  runUrl: 'https://jenkins.example.com/job/site/153/',
  cloneUrl: 'https://git.example.com/acme/site.git',
};
const change = { branch: 'topic', pullRequest: 12 };

const buildkite: CiContext = {
  service: 'Buildkite',
  commitSha: head,
  runId: '1514',
  runUrl: 'https://buildkite.com/acme/site/builds/1514',
  cloneUrl: 'git@github.com:acme/site.git',
};

const azure: CiContext = {
  service: 'Azure Pipelines',
  commitSha: head,
  runId: '17',
  runUrl: 'https://dev.azure.com/acme/The%20site/_build/results?buildId=17',
  cloneUrl: 'https://dev.azure.com/acme/site/_git/site',
};

const bitbucket: CiContext = {
  service: 'Bitbucket Pipelines',
  commitSha: head,
  runId: '8',
  runUrl: 'https://bitbucket.org/acme/site/addon/pipelines/home#!/results/8',
  cloneUrl: 'https://bitbucket.org/acme/site',
};

const woodpecker: CiContext = {
  service: 'Woodpecker CI',
  commitSha: head,
  runId: '6',
  runUrl: 'https://ci.example.com/repos/7/pipeline/6',
  cloneUrl: 'https://git.example.com/acme/site.git',
};

const drone: CiContext = {
  service: 'Drone',
  commitSha: head,
  runId: '42',
  runUrl: 'https://drone.example.com/acme/site/42',
  cloneUrl: 'https://github.com/acme/site.git',
};

const cases: readonly [name: string, Record<string, string>, CiContext][] = [
  ['GitLab, a push', jobs.gitlabPush, { ...gitlab, branch: 'main' }],
  ['GitLab, a tag', jobs.gitlabTag, gitlab],
  ['GitLab, a schedule', jobs.gitlabSchedule, { ...gitlab, branch: 'main' }],
  ['GitLab, a merge request', jobs.gitlabMergeRequest, { ...gitlab, ...mergeRequest }],
  ['GitLab, merged results', jobs.gitlabMergedResults, { ...gitlab, ...mergeRequest }],
  [
    'GitLab, a merge request of another project',
    jobs.gitlabFork,
    { ...gitlab, ...mergeRequest, fromFork: true },
  ],
  [
    'GitLab, a merge request whose source project is gone',
    { ...jobs.gitlabMergeRequest, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '' },
    { ...gitlab, ...mergeRequest, fromFork: true },
  ],
  [
    'GitLab, a merge request whose projects are not told',
    {
      ...jobs.gitlabMergeRequest,
      CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '',
      CI_MERGE_REQUEST_PROJECT_ID: '',
    },
    { ...gitlab, ...mergeRequest, fromFork: true },
  ],
  [
    'GitLab, a merge request without its other id',
    { ...jobs.gitlabMergeRequest, CI_MERGE_REQUEST_ID: '' },
    { ...gitlab, ...mergeRequest },
  ],
  ['GitLab, a stop job', jobs.gitlabStop, { ...gitlab, ...mergeRequest, stop: true }],
  [
    'GitLab, a job that prepares an environment',
    { ...jobs.gitlabMergeRequest, CI_ENVIRONMENT_ACTION: 'prepare' },
    { ...gitlab, ...mergeRequest },
  ],
  ['GitLab, a pull request on GitHub', jobs.gitlabExternal, { ...gitlab, ...mergeRequest }],
  ['Jenkins, a branch', jobs.jenkinsBranch, { ...jenkins, branch: 'main' }],
  [
    'Jenkins, PR-12: its head, not the merge in this clone',
    jobs.jenkinsChange,
    { ...jenkins, ...change, fromFork: false },
  ],
  [
    'Jenkins, PR-13, which the clone has no reference of: what is checked out',
    { ...jobs.jenkinsChange, BRANCH_NAME: 'PR-13', JOB_NAME: 'site/PR-13', GIT_COMMIT: head },
    { ...jenkins, ...change, fromFork: false },
  ],
  [
    'Jenkins, PR-12 of a fork',
    { ...jobs.jenkinsChange, CHANGE_FORK: 'stranger' },
    { ...jenkins, ...change, fromFork: true },
  ],
  ['Buildkite, a push', jobs.buildkitePush, { ...buildkite, branch: 'main' }],
  [
    'Buildkite, a build of HEAD',
    { ...jobs.buildkitePush, BUILDKITE_COMMIT: 'HEAD' },
    { ...buildkite, branch: 'main', commitSha: local },
  ],
  [
    'Buildkite, a tag',
    { ...jobs.buildkitePush, BUILDKITE_BRANCH: 'v1.0', BUILDKITE_TAG: 'v1.0' },
    buildkite,
  ],
  [
    'Buildkite, a pull request',
    jobs.buildkitePullRequest,
    { ...buildkite, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  [
    'Buildkite, a pull request of a fork',
    jobs.buildkiteFork,
    { ...buildkite, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  [
    'Buildkite, the merge commit of a pull request: its head',
    {
      ...jobs.buildkitePullRequest,
      BUILDKITE_COMMIT: merge,
      BUILDKITE_PULL_REQUEST_HEAD_COMMIT: head,
      BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC: 'true',
    },
    { ...buildkite, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  ['Azure, a push', jobs.azurePush, { ...azure, branch: 'main' }],
  ['Azure, a tag', { ...jobs.azurePush, BUILD_SOURCEBRANCH: 'refs/tags/v1.0' }, azure],
  [
    'Azure, a pull request: its head, and its number on GitHub',
    jobs.azurePullRequest,
    { ...azure, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  [
    'Azure, a pull request in Azure Repos, of a fork',
    jobs.azureFork,
    { ...azure, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  [
    'Azure, a pull request whose origin is not told',
    { ...jobs.azurePullRequest, SYSTEM_PULLREQUEST_ISFORK: '' },
    { ...azure, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  ['Bitbucket, a push', jobs.bitbucketPush, { ...bitbucket, branch: 'main' }],
  [
    'Bitbucket, a pull request',
    jobs.bitbucketPullRequest,
    { ...bitbucket, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  ['Woodpecker, a push', jobs.woodpeckerPush, { ...woodpecker, branch: 'main' }],
  [
    'Woodpecker, a pull request: its origin is not told',
    jobs.woodpeckerPullRequest,
    { ...woodpecker, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  [
    'Woodpecker, the close of a pull request',
    { ...jobs.woodpeckerPullRequest, CI_PIPELINE_EVENT: 'pull_request_closed' },
    { ...woodpecker, branch: 'topic', pullRequest: 12, fromFork: true, stop: true },
  ],
  [
    'Drone, a pull request: its origin is not told',
    jobs.dronePullRequest,
    { ...drone, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  ['Drone, a push', jobs.dronePush, { ...drone, branch: 'main' }],
  [
    'Drone, a promoted push',
    { ...jobs.dronePush, DRONE_BUILD_EVENT: 'promote' },
    { ...drone, branch: 'main' },
  ],
  [
    'Drone, a tag',
    {
      ...jobs.dronePush,
      DRONE_BUILD_EVENT: 'tag',
      DRONE_COMMIT_REF: 'refs/tags/v1.0',
      DRONE_TAG: 'v1.0',
    },
    drone,
  ],
  [
    'Woodpecker, a tag',
    {
      ...jobs.woodpeckerPush,
      CI_PIPELINE_EVENT: 'tag',
      CI_COMMIT_REF: 'refs/tags/v1.0',
      CI_COMMIT_TAG: 'v1.0',
    },
    woodpecker,
  ],
  ['Jenkins, a tag', { ...jobs.jenkinsBranch, TAG_NAME: 'main' }, jenkins],
  [
    'Jenkins, a branch whose name is encoded in that of the job',
    {
      ...jobs.jenkinsBranch,
      BRANCH_NAME: 'feature/x',
      JOB_NAME: 'site/feature%2Fx',
      BRANCH_IS_PRIMARY: '',
    },
    { ...jenkins, branch: 'feature/x' },
  ],
  [
    'GitLab, a child of a merge request',
    { ...jobs.gitlabMergeRequest, CI_PIPELINE_SOURCE: 'parent_pipeline' },
    { ...gitlab, ...mergeRequest },
  ],
  ['Azure, by hand', { ...jobs.azurePush, BUILD_REASON: 'Manual' }, { ...azure, branch: 'main' }],
];

test.each(cases)('%s', async (_name, environment, context) => {
  expect(await ciContext(environment)).toEqual(context);
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['GitLab', jobs.gitlabMergeRequest, 'main'],
  ['GitLab, a pull request on GitHub', jobs.gitlabExternal, 'main'],
  ['GitLab, a push', jobs.gitlabPush, 'main'],
  ['Jenkins', jobs.jenkinsChange, undefined],
  ['Jenkins, a push to the default branch', jobs.jenkinsBranch, 'main'],
  ['Buildkite', jobs.buildkitePullRequest, 'main'],
  ['Azure', jobs.azurePullRequest, undefined],
  ['Bitbucket', jobs.bitbucketPullRequest, undefined],
  ['Woodpecker', jobs.woodpeckerPullRequest, 'main'],
  ['Drone', jobs.dronePullRequest, 'main'],
])('the default branch of %s', async (_name, environment, ofRepository) => {
  const build = await readBuild(environment, repository, {}, false);
  expect(build.defaultBranch).toBe(ofRepository);
});

/** Every fact of an entry, and the entry without it. */
function withoutEach(ci: Ci): [name: string, without: Ci][] {
  const none: Fact = () => undefined;
  const { merged, pullRequest, run } = ci;
  // An entry that is for pull requests alone has taken the rest from another one.
  const isForAll = cases.some(([, environment]) => {
    const get = (name: string) => environment[name] || undefined;
    return ci.isHere(get) && ci.kind(get) === 'merged';
  });
  const groups = Object.entries({ ...(isForAll && { merged }), pullRequest, run }).flatMap(
    ([group, facts]) =>
      Object.keys(facts)
        .filter((name) => name !== 'isFork')
        .map((name): [string, Ci] => [
          `${group}.${name}`,
          { ...ci, [group]: { ...facts, [name]: none } },
        ]),
  );
  const swapped: [string, Ci][] = [
    [
      'isFork',
      { ...ci, pullRequest: { ...pullRequest, isFork: (get) => !pullRequest.isFork(get) } },
    ],
    ['clone', { ...ci, clone: none }],
    ...(ci.defaultBranch === undefined
      ? []
      : [['defaultBranch', { ...ci, defaultBranch: none }] as [string, Ci]]),
  ];
  return [...groups, ...swapped];
}

test.each(
  cis.flatMap((ci, index) =>
    withoutEach(ci).map(([fact, without]) => ({ ci, index, fact, without })),
  ),
)('$ci.name tells $fact ($index)', async ({ ci, index, without }) => {
  const reads = () =>
    Promise.all(
      cases.map(([, environment]) =>
        readBuild(environment, repository, {}, false)
          .then(({ ci: _, ...build }) => build)
          .catch(String),
      ),
    );
  const before = await reads();
  const table = cis as Ci[];
  table[index] = without;
  const after = await reads().finally(() => {
    table[index] = ci;
  });
  expect(isDeepStrictEqual(before, after)).toBe(false);
});

describe('it is not clear what is built:', () => {
  const cantTell =
    'It isn\'t clear whether this build is of a pull request. Add --pull-request with your CI\'s variable for it, such as --pull-request "$TRAVIS_PULL_REQUEST", or --pull-request none if it is of none.';

  test.each<[string, Record<string, string>]>([
    [
      'Woodpecker, an event about a pull request',
      { ...jobs.woodpeckerPullRequest, CI_PIPELINE_EVENT: 'pull_request_metadata' },
    ],
    [
      'Woodpecker, a deployment of a pull request',
      { ...jobs.woodpeckerPullRequest, CI_PIPELINE_EVENT: 'deployment' },
    ],
    ['Woodpecker, no event', { ...jobs.woodpeckerPush, CI_PIPELINE_EVENT: '' }],
    ['Drone, a promoted pull request', { ...jobs.dronePullRequest, DRONE_BUILD_EVENT: 'promote' }],
    ['Drone, a new event', { ...jobs.dronePush, DRONE_BUILD_EVENT: 'other' }],
    [
      'Azure, a pull request by hand',
      { ...jobs.azurePush, BUILD_REASON: 'Manual', BUILD_SOURCEBRANCH: 'refs/pull/12/merge' },
    ],
    ['Azure, a check-in of TFVC', { ...jobs.azurePush, BUILD_REASON: 'CheckInShelveset' }],
    ['Azure, a folder of TFVC', { ...jobs.azurePush, BUILD_SOURCEBRANCH: '$/site/main' }],
    ['Azure, no reason', { ...jobs.azurePush, BUILD_REASON: '' }],
    [
      'GitLab, a child of nobody knows what',
      { ...jobs.gitlabPush, CI_PIPELINE_SOURCE: 'parent_pipeline' },
    ],
    ['GitLab, no source', { ...jobs.gitlabPush, CI_PIPELINE_SOURCE: '' }],
    ['Buildkite, where nothing is said', { ...jobs.buildkitePush, BUILDKITE_PULL_REQUEST: '' }],
    [
      'Buildkite, a merge queue',
      { ...jobs.buildkitePush, BUILDKITE_MERGE_QUEUE_BASE_BRANCH: 'main' },
    ],
    [
      "GitHub's merge queue, on its branch",
      {
        ...jobs.jenkinsBranch,
        BRANCH_NAME: 'gh-readonly-queue/main/pr-12-abc',
        JOB_NAME: 'site/gh-readonly-queue%2Fmain%2Fpr-12-abc',
      },
    ],
    [
      'Buildkite, a comment on an issue',
      { ...jobs.buildkitePush, BUILDKITE_GITHUB_EVENT: 'issue_comment' },
    ],
    [
      'Buildkite, triggered by another build',
      { ...jobs.buildkitePush, BUILDKITE_SOURCE: 'trigger_job' },
    ],
    [
      'Buildkite, by its API, which takes any commit',
      { ...jobs.buildkitePush, BUILDKITE_SOURCE: 'api' },
    ],
    [
      'Buildkite, built again after another build triggered it',
      {
        ...jobs.buildkitePush,
        BUILDKITE_SOURCE: 'ui',
        BUILDKITE_TRIGGERED_FROM_BUILD_ID: '4735ba57',
      },
    ],
    [
      'Buildkite, another reference than its branch',
      { ...jobs.buildkitePush, BUILDKITE_REFSPEC: 'refs/pull/12/head' },
    ],
    [
      'Azure, a branch with the name of a pull request',
      { ...jobs.azurePush, BUILD_SOURCEBRANCH: 'refs/heads/pull/12/head' },
    ],
    ["Mergify's merge queue", { ...jobs.gitlabPush, CI_COMMIT_BRANCH: 'mergify/merge-queue/0f1e' }],
    ["Trunk's merge queue", { ...jobs.gitlabPush, CI_COMMIT_BRANCH: 'trunk-merge/pr-12/0f1e' }],
    ["Graphite's merge queue", { ...jobs.gitlabPush, CI_COMMIT_BRANCH: 'gtmq_12_0f1e' }],
    ['Concourse', { ATC_EXTERNAL_URL: 'https://ci.example.com' }],
    ['GoCD', { GO_PIPELINE_COUNTER: '7' }],
    ['sourcehut', { JOB_ID: '1234', JOB_URL: 'https://builds.example.com/job/1234' }],
    [
      'Buildkite, a pull request by hand',
      { ...jobs.buildkitePush, BUILDKITE_SOURCE: 'ui', BUILDKITE_BRANCH: 'pull/12/head' },
    ],
    [
      'Jenkins, a change whose number its plugin does not support',
      { ...jobs.jenkinsChange, CHANGE_ID: '' },
    ],
    [
      "Jenkins, a change of Gerrit's plugin",
      {
        ...jobs.jenkinsBranch,
        BRANCH_NAME: '12/12/3',
        JOB_NAME: 'site/12%2F12%2F3',
        GERRIT_CHANGE_NUMBER: '12',
      },
    ],
    [
      'Jenkins, a job with the name of a pull request',
      { ...jobs.jenkinsBranch, BRANCH_NAME: 'PR-12', JOB_NAME: 'site/PR-12' },
    ],
    [
      "Jenkins, a change of Gerrit's plugin as an older one gave it",
      { ...jobs.jenkinsBranch, BRANCH_NAME: '12/12/3', JOB_NAME: 'site/12%2F12%2F3' },
    ],
    ['Bitbucket, neither branch nor tag', { ...jobs.bitbucketPush, BITBUCKET_BRANCH: '' }],
    ['Jenkins, one branch alone', jobs.jenkinsClassic],
    [
      'Jenkins, a parameter of that name',
      { ...jobs.jenkinsClassic, BRANCH_NAME: 'main', JOB_NAME: 'deploy' },
    ],
    ["Jenkins, GitLab's plugin", jobs.jenkinsGitlabPlugin],
    ['Jenkins, the pull request builder', jobs.jenkinsPullRequestBuilder],
    [
      'Buildkite, a branch of a fork by hand',
      { ...jobs.buildkitePush, BUILDKITE_SOURCE: 'ui', BUILDKITE_BRANCH: 'stranger:topic' },
    ],
    [
      'Buildkite, the reference of a pull request as the commit',
      { ...jobs.buildkitePush, BUILDKITE_SOURCE: 'ui', BUILDKITE_COMMIT: 'refs/pull/12/head' },
    ],
    [
      'Drone, by its API, which takes any commit',
      { ...jobs.dronePush, DRONE_BUILD_EVENT: 'custom' },
    ],
    [
      'Harness, on a branch with the name of a pull request',
      { ...jobs.dronePush, DRONE_BRANCH: 'pullreq/12/head' },
    ],
    [
      'Jenkins, the pull request builder in a job with the name of a parameter',
      { ...jobs.jenkinsPullRequestBuilder, BRANCH_NAME: 'main', JOB_NAME: 'site/main' },
    ],
    [
      "Jenkins, GitLab's plugin in a job with the name of a parameter",
      { ...jobs.jenkinsGitlabPlugin, BRANCH_NAME: 'main', JOB_NAME: 'site/main' },
    ],
    ['two CIs at once', { ...jobs.gitlabPush, ...jobs.jenkinsBranch }],
    ['an unknown CI', { CI: 'true' }],
    ['cron', {}],
  ])('%s', async (name, environment) => {
    await expect(ciContext(environment)).rejects.toThrow(cantTell);
    // A terminal is no person where there is a CI.
    if (name !== 'cron') await expect(ciContext(environment, {}, true)).rejects.toThrow(cantTell);
  });
});

const clone = 'https://git.example.com/local.git';
const here: CiContext = { service: 'git', commitSha: local, branch: 'local', cloneUrl: clone };

describe('a person at a terminal', () => {
  test('deploys what is checked out, as merged code', async () => {
    expect(await ciContext({}, {}, true)).toEqual(here);
  });

  test.each<[string, Record<string, string>]>([
    ['of Render', { IS_PULL_REQUEST: 'true' }],
    ['of any', { BUILT_REF: 'refs/pull/12/merge' }],
  ])('is none where a variable is set as in a build of a pull request %s', async (_, signs) => {
    await expect(ciContext(signs, {}, true)).rejects.toThrow("It isn't clear");
  });

  test('vouches for a pull request by its number', async () => {
    const { commitSha, ...rest } = here;
    expect(await ciContext({}, { pullRequest: '7' }, true)).toEqual({
      ...rest,
      commitSha,
      pullRequest: 7,
      fromFork: false,
    });
  });
});

describe('--pull-request', () => {
  test.each(['none', 'false', 'False', 'NONE'])('%s is none', async (pullRequest) => {
    expect(await ciContext({}, { pullRequest })).toEqual(here);
    expect(await ciContext(jobs.travisPush, { pullRequest })).toEqual(here);
  });

  test.each(['', ' '])('that is empty (%j) is an error', async (pullRequest) => {
    for (const environment of [{}, jobs.gitlabPush, jobs.gitlabMergeRequest, jobs.vercelPush]) {
      await expect(ciContext(environment, { pullRequest }, true)).rejects.toThrow('is empty');
    }
  });

  test.each(['true', '12abc', '-1', '1.5', 'refs/pull/12', '0', 'no', 'null'])(
    '%s is an error',
    async (pullRequest) => {
      await expect(ciContext(jobs.renderPullRequest, { pullRequest })).rejects.toThrow(
        'must be a number, or none',
      );
    },
  );

  test('of an unknown CI counts as a fork, whose commit is to be given', async () => {
    const fork = { service: 'git', pullRequest: 12, fromFork: true, cloneUrl: clone };
    for (const environment of [jobs.travisFork, jobs.circlePullRequest, {}]) {
      expect(await ciContext(environment, { pullRequest: '12' })).toEqual(fork);
      const given = { pullRequest: '12', commitSha: head };
      expect(await ciContext(environment, given)).toEqual({ ...fork, commitSha: head });
    }
  });

  test('of a known CI counts where that reports no number', async () => {
    const given = { pullRequest: '13' };
    expect(await ciContext(jobs.gitlabFork, given)).toMatchObject({
      commitSha: head,
      pullRequest: 12,
      fromFork: true,
    });
    expect(await ciContext({ ...jobs.gitlabFork, CI_MERGE_REQUEST_IID: '' }, given)).toMatchObject({
      pullRequest: 13,
      fromFork: true,
    });
    // As a scheduled job ends a preview.
    expect(await ciContext(jobs.gitlabPush, given)).toMatchObject({
      commitSha: head,
      pullRequest: 13,
      fromFork: false,
    });
  });

  test('of an event that is not known of a known CI counts as a fork', async () => {
    const event = { ...jobs.woodpeckerPullRequest, CI_PIPELINE_EVENT: 'pull_request_metadata' };
    const { commitSha: _, ...rest } = woodpecker;
    expect(await ciContext(event, { pullRequest: '12' })).toEqual({
      ...rest,
      pullRequest: 12,
      fromFork: true,
    });
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'Woodpecker, metadata',
      { ...jobs.woodpeckerPullRequest, CI_PIPELINE_EVENT: 'pull_request_metadata' },
      'CI_COMMIT_REF',
    ],
    [
      'Drone, promoted',
      { ...jobs.dronePullRequest, DRONE_BUILD_EVENT: 'promote' },
      'DRONE_COMMIT_REF',
    ],
    ['Jenkins, the pull request builder', jobs.jenkinsPullRequestBuilder, 'ghprbPullId'],
    ["Jenkins, GitLab's plugin", jobs.jenkinsGitlabPlugin, 'gitlabMergeRequestId'],
    [
      'Bamboo, by the branch of one alone',
      { ...jobs.bambooPullRequest, bamboo_repository_pr_key: '' },
      'bamboo_repository_pr_sourceBranch',
    ],
    [
      'Prow, by its commit alone',
      { ...jobs.prowPullRequest, PULL_NUMBER: '', PULL_REFS: '' },
      'PULL_PULL_SHA',
    ],
    ['Prow, several at once', jobs.prowBatch, 'PULL_REFS'],
    ['Harness', { CI: 'true', DRONE_COMMIT_REF: 'refs/pullreq/12/head' }, 'DRONE_COMMIT_REF'],
    ['a revision of Phabricator', { CI: 'true', DIFF_ID: '12' }, 'DIFF_ID'],
    ['a merge queue', { CI: 'true', BRANCH: 'gh-readonly-queue/main/pr-12-abc' }, 'BRANCH'],
  ])('none is beaten by a sign of one: %s', async (_name, environment, sign) => {
    await expect(ciContext(environment, { pullRequest: 'none' })).rejects.toThrow(
      `is none, but ${sign} is set as in a build of a pull request`,
    );
  });

  test.each<[string, Record<string, string>]>([
    [
      'a build before it',
      {
        CI: 'true',
        CI_PREV_COMMIT_REF: 'refs/pull/11/head',
        CI_PREV_PIPELINE_EVENT: 'pull_request',
      },
    ],
    ['how images are pulled', { CI: 'true', DOCKER_PULL: 'true' }],
    ['a token of a bot', { CI: 'true', PR_BOT_TOKEN: 'fake-token' }],
    ['our own inputs', { SITE_PREVIEW_DOMAIN: 'pr-{number}.example.com', SITE_CONTENT: 'pr/12' }],
  ])('none is taken where there is no sign: %s', async (_name, environment) => {
    expect(await ciContext(environment, { pullRequest: 'none' })).toEqual(here);
  });

  test('none is beaten by a CI that reports one', async () => {
    for (const environment of [jobs.gitlabFork, jobs.azurePullRequest, jobs.jenkinsChange]) {
      const context = await ciContext(environment, { pullRequest: 'none' });
      expect(context).toMatchObject({ pullRequest: 12 });
    }
  });
});

test.each<[string, Record<string, string>]>([
  [
    'Buildkite, the merge commit of a pull request whose head is not told',
    {
      ...jobs.buildkitePullRequest,
      BUILDKITE_COMMIT: merge,
      BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC: 'true',
    },
  ],
  ['Azure', { ...jobs.azurePullRequest, SYSTEM_PULLREQUEST_SOURCECOMMITID: '' }],
  ['Drone', { ...jobs.dronePullRequest, DRONE_COMMIT_SHA: '' }],
])('a head that is not told is unknown, never a merge commit: %s', async (_name, environment) => {
  const context = await ciContext(environment);
  expect(context).toMatchObject({ pullRequest: 12 });
  expect(context.commitSha).toBeUndefined();
});

test.each(['0', '-1', '1.5', '12abc', '1e3', '9'.repeat(30), '../../12'])(
  'the number %j is none',
  async (number) => {
    const environment = { ...jobs.gitlabMergeRequest, CI_MERGE_REQUEST_IID: number };
    await expect(ciContext(environment)).rejects.toThrow('without a number');
    expect(await ciContext(environment, { pullRequest: '12' })).toMatchObject({ pullRequest: 12 });
  },
);

test('Bitbucket, a pull request whose number is not reported is no merged code', async () => {
  const environment = { ...jobs.bitbucketPullRequest, BITBUCKET_PR_ID: '' };
  for (const pullRequest of [undefined, 'none']) {
    await expect(ciContext(environment, { pullRequest })).rejects.toThrow('without a number');
  }
});

test('GitLab, neither branch nor tag: a pipeline of a merge request, whatever it is called', async () => {
  // The child of one has had no variable of it.
  const child = { ...jobs.gitlabPush, CI_PIPELINE_SOURCE: 'parent_pipeline', CI_COMMIT_BRANCH: '' };
  for (const environment of [child, { ...jobs.gitlabPush, CI_COMMIT_BRANCH: '' }]) {
    for (const pullRequest of [undefined, 'none']) {
      await expect(ciContext(environment, { pullRequest })).rejects.toThrow('without a number');
    }
    expect(await ciContext(environment, { pullRequest: '12' })).toMatchObject({
      pullRequest: 12,
      fromFork: true,
    });
  }
});

test.each<[string, Record<string, string>]>([
  ['whose plugin tells no origin', { CHANGE_BRANCH: '' }],
  ["of Gerrit's plugin, which gives its target as its branch", { CHANGE_BRANCH: 'main' }],
])('Jenkins, a change %s, counts as of a fork', async (_name, variables) => {
  expect(await ciContext({ ...jobs.jenkinsChange, ...variables })).toMatchObject({
    pullRequest: 12,
    fromFork: true,
  });
});

test('an address that is none is left out', async () => {
  const environment = { ...jobs.gitlabPush, CI_JOB_URL: 'javascript:alert(1)' };
  expect((await ciContext(environment)).runUrl).toBeUndefined();
});

test('no program is run, wherever the current folder is', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-deploy-ci-'));
  const isWindows = process.platform === 'win32';
  const program = join(folder.path, isWindows ? 'git.cmd' : 'git');
  const mark = join(folder.path, 'ran');
  await writeFile(program, isWindows ? `echo > "${mark}"` : `#!/bin/sh\n: > '${mark}'\n`);
  await chmod(program, 0o755);
  const path = [folder.path, process.env['PATH']].join(delimiter);
  for (const [, environment] of cases) {
    await ciContext({ ...environment, PATH: path });
  }
  await ciContext({ PATH: path }, {}, true);
  expect(await readdir(folder.path)).not.toContain('ran');
});
