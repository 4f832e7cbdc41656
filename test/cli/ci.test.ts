import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { chmod, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { ciContext, type Repository } from '../../src/cli/ci.ts';
import type { CiContext } from '../../src/cli/ci-context.ts';
import { corrections } from '../../src/cli/ci-corrections.ts';
import * as jobs from './ci-environments.ts';

const { head, merge } = jobs;
const local = 'c'.repeat(40);

/** What the clone says of itself: another commit and branch than any CI here. */
const repository: Repository = {
  commitSha: local,
  branch: 'local',
  cloneUrl: 'https://git.example.com/local.git',
  readReference: async (name) => (name === 'refs/remotes/origin/PR-12' ? head : undefined),
};

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

const circleci: CiContext = {
  service: 'CircleCI',
  commitSha: head,
  runId: '42',
  runUrl: 'https://circleci.com/gh/acme/site/42',
  cloneUrl: 'https://github.com/acme/site',
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

const cloneOfHere = 'https://git.example.com/local.git';
const travis: CiContext = {
  service: 'Travis CI',
  commitSha: head,
  runId: '60',
  runUrl: 'https://app.travis-ci.com/github/acme/site/builds/60',
  cloneUrl: cloneOfHere,
};

const appveyor: CiContext = {
  service: 'Appveyor',
  commitSha: head,
  runId: '7',
  runUrl: 'https://ci.appveyor.com/project/site/build/1.0.7',
  cloneUrl: cloneOfHere,
};

const semaphore: CiContext = {
  service: 'Semaphore',
  commitSha: head,
  runId: 'a26d42cf-89ac-4c3f-9e2d-51bb231897bf',
  runUrl: 'https://acme.semaphoreci.com/workflows/65c398bb-57ab-4459-90b5-1abc92aaba2a',
  cloneUrl: 'git@github.com:acme/site.git',
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

const codebuild: CiContext = {
  service: 'AWS CodeBuild',
  commitSha: head,
  runId: 'site:b1e6661e-e4f2-4156-9ab9-82a19EXAMPLE',
  runUrl: 'https://eu-west-1.console.aws.amazon.com/codesuite/codebuild/1/projects/site',
  cloneUrl: 'https://github.com/acme/site.git',
};

const teamcity: CiContext = {
  service: 'TeamCity',
  commitSha: head,
  runId: '31',
  cloneUrl: cloneOfHere,
};

const files = mkdtempDisposableSync(join(tmpdir(), 'site-deploy-ci-'));
afterAll(() => files.remove());

/** TeamCity tells the branch in a file of properties alone. */
function teamcityOn(branch: string): Record<string, string> {
  const path = join(files.path, `${encodeURIComponent(branch)}.properties`);
  writeFileSync(path, `teamcity.build.branch=${branch}\n`);
  return { ...jobs.teamcity, TEAMCITY_BUILD_PROPERTIES_FILE: path };
}

const github: CiContext = {
  service: 'GitHub Actions',
  commitSha: head,
  runId: '1',
  runUrl: 'https://github.com/acme/site/actions/runs/1/attempts/1',
  cloneUrl: 'https://github.com/acme/site.git',
};

const { commitSha: _, ...withoutCommit } = github;

/** GitHub tells the head of a pull request in its event's file alone. */
function githubOn(event: string, payload: object): Record<string, string> {
  const path = join(files.path, `${event}.json`);
  writeFileSync(path, JSON.stringify(payload));
  return { ...jobs.github, GITHUB_EVENT_NAME: event, GITHUB_EVENT_PATH: path };
}

const pullRequestOf = (repository: string) => ({
  number: 12,
  state: 'open',
  head: { ref: 'topic', sha: head, repo: { full_name: repository } },
  base: { repo: { full_name: 'acme/site' } },
});

const cases: readonly [name: string, Record<string, string>, CiContext][] = [
  [
    'GitHub, a push',
    { ...githubOn('push', { ref: 'refs/heads/main', after: head }), GITHUB_SHA: head },
    { ...github, branch: 'main' },
  ],
  [
    'GitHub, a pull request: its head',
    githubOn('pull_request', { action: 'opened', pull_request: pullRequestOf('acme/site') }),
    { ...github, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  [
    'GitHub, the close of a pull request of a fork',
    githubOn('pull_request_target', {
      action: 'closed',
      pull_request: pullRequestOf('stranger/site'),
    }),
    { ...github, branch: 'topic', pullRequest: 12, fromFork: true, stop: true },
  ],
  [
    "GitHub, the end of a run for a fork's pull request",
    githubOn('workflow_run', {
      workflow_run: {
        event: 'pull_request',
        head_sha: head,
        head_branch: 'main',
        head_repository: { full_name: 'stranger/site', owner: { login: 'stranger' } },
        pull_requests: [],
      },
    }),
    { ...github, branch: 'main', fromFork: true },
  ],
  [
    'GitHub, a comment on a pull request',
    githubOn('issue_comment', { issue: { number: 12, pull_request: {} } }),
    { ...withoutCommit, pullRequest: 12, fromFork: true },
  ],
  [
    'GitHub, a pull request whose event is not told',
    { ...jobs.github, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: '' },
    { ...withoutCommit, fromFork: true },
  ],
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
    'Jenkins, one branch alone: the name without its remote',
    jobs.jenkinsClassic,
    { ...jenkins, branch: 'main' },
  ],
  [
    'Jenkins, PR-12: its head, not the merge in this clone',
    jobs.jenkinsChange,
    { ...jenkins, ...change, fromFork: false },
  ],
  [
    'Jenkins, PR-12 of a fork',
    { ...jobs.jenkinsChange, CHANGE_FORK: 'stranger' },
    { ...jenkins, ...change, fromFork: true },
  ],
  [
    "Jenkins, GitLab's plugin: the IID",
    jobs.jenkinsGitlabPlugin,
    { ...jenkins, ...change, fromFork: false },
  ],
  [
    'Jenkins, the pull request builder',
    jobs.jenkinsPullRequestBuilder,
    { ...jenkins, ...change, fromFork: true },
  ],
  [
    'Jenkins, the pull request builder, within the repository',
    {
      ...jobs.jenkinsPullRequestBuilder,
      ghprbAuthorRepoGitUrl: 'https://github.com/Acme/site.git',
    },
    { ...jenkins, ...change, fromFork: false },
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
  ['CircleCI, a push', jobs.circlePush, { ...circleci, branch: 'main' }],
  [
    'CircleCI, a pull request',
    jobs.circlePullRequest,
    { ...circleci, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  [
    'CircleCI, a pull request of a fork',
    jobs.circleFork,
    { ...circleci, pullRequest: 12, fromFork: true },
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
  ['Bitbucket, a push', jobs.bitbucketPush, { ...bitbucket, branch: 'main' }],
  [
    'Bitbucket, a pull request',
    jobs.bitbucketPullRequest,
    { ...bitbucket, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  ['Travis, a push', jobs.travisPush, { ...travis, branch: 'main' }],
  ['Travis, a tag', { ...jobs.travisPush, TRAVIS_TAG: 'v1.0', TRAVIS_BRANCH: 'v1.0' }, travis],
  [
    'Travis, a pull request of a fork: its head',
    jobs.travisFork,
    { ...travis, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  [
    'Travis, a pull request within the repository',
    { ...jobs.travisFork, TRAVIS_PULL_REQUEST_SLUG: 'acme/site' },
    { ...travis, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  ['AppVeyor, a push', jobs.appveyorPush, { ...appveyor, branch: 'main' }],
  [
    'AppVeyor, a pull request: its head',
    jobs.appveyorPullRequest,
    { ...appveyor, branch: 'topic', pullRequest: 12, fromFork: false },
  ],
  ['Semaphore, a push', jobs.semaphorePush, { ...semaphore, branch: 'main' }],
  [
    'Semaphore, a pull request: its head',
    jobs.semaphorePullRequest,
    { ...semaphore, branch: 'topic', pullRequest: 12, fromFork: false },
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
  ['CodeBuild, a push', jobs.codebuildPush, { ...codebuild, branch: 'main' }],
  [
    'CodeBuild, a pull request: its origin is not told',
    jobs.codebuildPullRequest,
    { ...codebuild, branch: 'topic', pullRequest: 12, fromFork: true },
  ],
  ['TeamCity', jobs.teamcity, teamcity],
  ['TeamCity, a branch', teamcityOn('main'), { ...teamcity, branch: 'main' }],
  ['TeamCity, its default branch', teamcityOn('<default>'), teamcity],
  [
    'TeamCity, a pull request: its origin is not told, nor its branch',
    teamcityOn('pull/12'),
    { ...teamcity, pullRequest: 12, fromFork: true },
  ],
  [
    'an unknown CI, and none: the repository of the folder',
    { CI: 'true' },
    { service: 'git', commitSha: local, branch: 'local', cloneUrl: cloneOfHere },
  ],
];

test('an event of GitHub that is not there is an error', async () => {
  const environment = { ...jobs.github, GITHUB_EVENT_PATH: join(files.path, 'nowhere') };
  await expect(ciContext(environment, repository)).rejects.toThrow(
    "GITHUB_EVENT_PATH can't be read (ENOENT)",
  );
});

test.each(cases)('%s', async (_name, environment, context) => {
  expect(await ciContext(environment, repository)).toEqual(context);
});

/** The cases of a CI, by `env-ci`'s name for it. */
const casesOf = (service: string) =>
  cases.filter(([name]) =>
    service.toLowerCase().startsWith(/^\w+/.exec(name)?.[0].toLowerCase() ?? ''),
  );

test.each(
  Object.entries(corrections).flatMap(([service, rows]) =>
    rows.map((row) => [service, row.because, row] as const),
  ),
)('of %s, env-ci reads a job here wrongly: %s', async (service, _, row) => {
  const { correct } = row;
  row.correct = () => ({});
  const isChanged = casesOf(service).map(
    async ([, environment, context]) =>
      !isDeepStrictEqual(await ciContext(environment, repository), context),
  );
  expect((await Promise.all(isChanged)).includes(true)).toBe(true);
  row.correct = correct;
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
  ['Travis', { ...jobs.travisFork, TRAVIS_PULL_REQUEST_SHA: '' }],
  ['Semaphore', { ...jobs.semaphorePullRequest, SEMAPHORE_GIT_PR_SHA: '' }],
  ['Drone', { ...jobs.dronePullRequest, DRONE_COMMIT_SHA: '' }],
])('a head that is not told is unknown, never a merge commit: %s', async (_name, environment) => {
  const context = await ciContext(environment, repository);
  expect(context).toMatchObject({ pullRequest: 12 });
  expect(context).not.toHaveProperty('commitSha');
});

test.each(['0', '-1', '1.5', '12abc', '1e3', '9'.repeat(30), '../../12'])(
  'the number %j is none',
  async (number) => {
    const environment = { ...jobs.gitlabMergeRequest, CI_MERGE_REQUEST_IID: number };
    const context = await ciContext(environment, repository);
    expect(context).toMatchObject({ fromFork: false });
    expect(context).not.toHaveProperty('pullRequest');
  },
);

test('an address that is none is left out', async () => {
  const environment = { ...jobs.gitlabPush, CI_JOB_URL: 'javascript:alert(1)' };
  expect(await ciContext(environment, repository)).not.toHaveProperty('runUrl');
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
    await ciContext({ ...environment, PATH: path }, repository);
  }
  await ciContext({ PATH: path }, repository);
  expect(await readdir(folder.path)).not.toContain('ran');
});
