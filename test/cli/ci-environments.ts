/** The variables of jobs, by the documentation of each CI. Only those that may be read are listed. */

export const head = 'a'.repeat(40);
/** A merge commit of a pull request, which is on no branch. */
export const merge = 'b'.repeat(40);

type Variables = Record<string, string>;

// https://docs.github.com/actions/reference/workflows-and-actions/variables
export const github: Variables = {
  CI: 'true',
  GITHUB_ACTIONS: 'true',
  GITHUB_REF: 'refs/heads/main',
  GITHUB_REF_NAME: 'main',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_REPOSITORY: 'acme/site',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_RUN_ID: '1',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: merge,
};

// https://docs.gitlab.com/ci/variables/predefined_variables/
const gitlab: Variables = {
  CI: 'true',
  GITLAB_CI: 'true',
  CI_API_V4_URL: 'https://gitlab.example.com/api/v4',
  CI_COMMIT_SHA: head,
  CI_DEFAULT_BRANCH: 'main',
  CI_JOB_ID: '9001',
  CI_JOB_TOKEN: 'fake-job-token',
  CI_JOB_URL: 'https://gitlab.example.com/acme/site/-/jobs/9001',
  CI_PIPELINE_ID: '5005',
  CI_PIPELINE_URL: 'https://gitlab.example.com/acme/site/-/pipelines/5005',
  CI_PROJECT_DIR: '/builds/acme/site',
  CI_PROJECT_ID: '5',
  CI_PROJECT_PATH: 'acme/site',
  CI_PROJECT_URL: 'https://gitlab.example.com/acme/site',
  CI_REPOSITORY_URL: 'https://gitlab-ci-token:fake-job-token@gitlab.example.com/acme/site.git',
  CI_SERVER_URL: 'https://gitlab.example.com',
};

export const gitlabPush: Variables = {
  ...gitlab,
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_BRANCH: 'main',
  CI_COMMIT_REF_NAME: 'main',
};

export const gitlabTag: Variables = {
  ...gitlab,
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_TAG: 'v1.0',
  CI_COMMIT_REF_NAME: 'v1.0',
};

export const gitlabSchedule: Variables = { ...gitlabPush, CI_PIPELINE_SOURCE: 'schedule' };

export const gitlabMergeRequest: Variables = {
  ...gitlab,
  CI_PIPELINE_SOURCE: 'merge_request_event',
  CI_COMMIT_REF_NAME: 'topic',
  CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
  CI_MERGE_REQUEST_ID: '70012',
  CI_MERGE_REQUEST_IID: '12',
  CI_MERGE_REQUEST_PROJECT_ID: '5',
  CI_MERGE_REQUEST_PROJECT_PATH: 'acme/site',
  CI_MERGE_REQUEST_PROJECT_URL: 'https://gitlab.example.com/acme/site',
  CI_MERGE_REQUEST_REF_PATH: 'refs/merge-requests/12/head',
  CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: '',
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '5',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'acme/site',
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: 'main',
  CI_MERGE_REQUEST_TARGET_BRANCH_SHA: '',
};

export const gitlabMergedResults: Variables = {
  ...gitlabMergeRequest,
  CI_MERGE_REQUEST_EVENT_TYPE: 'merged_result',
  CI_COMMIT_SHA: merge,
  CI_MERGE_REQUEST_REF_PATH: 'refs/merge-requests/12/merge',
  CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head,
  CI_MERGE_REQUEST_TARGET_BRANCH_SHA: 'd'.repeat(40),
};

/** Run by a member of the project for a merge request of a fork. */
export const gitlabFork: Variables = {
  ...gitlabMergeRequest,
  CI_MERGE_REQUEST_SOURCE_PROJECT_ID: '77',
  CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: 'stranger/site',
};

/** A job with `action: stop`, which has no checkout. */
export const gitlabStop: Variables = {
  ...gitlabMergeRequest,
  GIT_STRATEGY: 'none',
  CI_ENVIRONMENT_NAME: 'preview/12',
  CI_ENVIRONMENT_ACTION: 'stop',
};

export const gitlabExternal: Variables = {
  ...gitlab,
  CI_PIPELINE_SOURCE: 'external_pull_request_event',
  CI_COMMIT_SHA: merge,
  CI_COMMIT_REF_NAME: 'topic',
  CI_EXTERNAL_PULL_REQUEST_IID: '12',
  CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY: 'acme/site',
  CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY: 'acme/site',
  CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME: 'topic',
  CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA: head,
  CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME: 'main',
};

// https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables, env-vars.html of a server
const jenkins: Variables = {
  JENKINS_URL: 'https://jenkins.example.com/',
  BUILD_NUMBER: '153',
  BUILD_ID: '153',
  BUILD_URL: 'https://jenkins.example.com/job/site/153/',
  JOB_NAME: 'site/main',
  WORKSPACE: '/var/jenkins_home/workspace/site',
  // Of the git plugin.
  GIT_COMMIT: head,
  GIT_URL: 'https://git.example.com/acme/site.git',
};

export const jenkinsBranch: Variables = {
  ...jenkins,
  BRANCH_NAME: 'main',
  BRANCH_IS_PRIMARY: 'true',
  GIT_BRANCH: 'origin/main',
};

/** A job of one branch, without the plugins for many. */
export const jenkinsClassic: Variables = { ...jenkins, GIT_BRANCH: 'origin/main' };

export const jenkinsChange: Variables = {
  ...jenkins,
  JOB_NAME: 'site/PR-12',
  BRANCH_NAME: 'PR-12',
  GIT_BRANCH: 'PR-12',
  GIT_COMMIT: merge,
  CHANGE_ID: '12',
  CHANGE_BRANCH: 'topic',
  CHANGE_TARGET: 'main',
  CHANGE_URL: 'https://git.example.com/acme/site/pull/12',
};

// https://plugins.jenkins.io/gitlab-plugin/
export const jenkinsGitlabPlugin: Variables = {
  ...jenkins,
  GIT_BRANCH: 'origin/topic',
  GIT_COMMIT: merge,
  gitlabBranch: 'topic',
  gitlabSourceBranch: 'topic',
  gitlabTargetBranch: 'main',
  gitlabSourceRepoHttpUrl: 'https://git.example.com/acme/site.git',
  gitlabTargetRepoHttpUrl: 'https://git.example.com/acme/site.git',
  gitlabMergeRequestId: '70012',
  gitlabMergeRequestIid: '12',
  gitlabMergeRequestLastCommit: head,
};

// https://plugins.jenkins.io/ghprb/
export const jenkinsPullRequestBuilder: Variables = {
  ...jenkins,
  GIT_COMMIT: merge,
  ghprbPullId: '12',
  ghprbActualCommit: head,
  ghprbSourceBranch: 'topic',
  ghprbTargetBranch: 'main',
  ghprbGhRepository: 'acme/site',
  ghprbAuthorRepoGitUrl: 'https://github.com/stranger/site.git',
};

// https://buildkite.com/docs/pipelines/configure/environment-variables
export const buildkitePush: Variables = {
  CI: 'true',
  BUILDKITE: 'true',
  BUILDKITE_BRANCH: 'main',
  BUILDKITE_BUILD_ID: '4735ba57-80d0-46e2-8fa0-b28223a86586',
  BUILDKITE_BUILD_NUMBER: '1514',
  BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/site/builds/1514',
  BUILDKITE_COMMIT: head,
  BUILDKITE_PIPELINE_DEFAULT_BRANCH: 'main',
  BUILDKITE_PULL_REQUEST: 'false',
  BUILDKITE_PULL_REQUEST_BASE_BRANCH: '',
  BUILDKITE_PULL_REQUEST_REPO: '',
  BUILDKITE_REPO: 'git@github.com:acme/site.git',
  BUILDKITE_SOURCE: 'webhook',
  BUILDKITE_TAG: '',
};

export const buildkitePullRequest: Variables = {
  ...buildkitePush,
  BUILDKITE_BRANCH: 'topic',
  BUILDKITE_PULL_REQUEST: '12',
  BUILDKITE_PULL_REQUEST_BASE_BRANCH: 'main',
  BUILDKITE_PULL_REQUEST_REPO: 'https://github.com/acme/site.git',
};

export const buildkiteFork: Variables = {
  ...buildkitePullRequest,
  BUILDKITE_BRANCH: 'stranger:topic',
  BUILDKITE_PULL_REQUEST_REPO: 'https://github.com/stranger/site.git',
};

// https://circleci.com/docs/variables/
export const circlePush: Variables = {
  CI: 'true',
  CIRCLECI: 'true',
  CIRCLE_BRANCH: 'main',
  CIRCLE_BUILD_NUM: '42',
  CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/site/42',
  CIRCLE_PROJECT_REPONAME: 'site',
  CIRCLE_PROJECT_USERNAME: 'acme',
  CIRCLE_REPOSITORY_URL: 'https://github.com/acme/site',
  CIRCLE_SHA1: head,
};

export const circlePullRequest: Variables = {
  ...circlePush,
  CIRCLE_BRANCH: 'topic',
  CIRCLE_PULL_REQUEST: 'https://github.com/acme/site/pull/12',
  CIRCLE_PULL_REQUESTS: 'https://github.com/acme/site/pull/12',
};

export const circleFork: Variables = {
  ...circlePullRequest,
  CIRCLE_BRANCH: 'pull/12',
  CIRCLE_PR_NUMBER: '12',
  CIRCLE_PR_REPONAME: 'site',
  CIRCLE_PR_USERNAME: 'stranger',
};

// https://learn.microsoft.com/azure/devops/pipelines/build/variables
export const azurePush: Variables = {
  TF_BUILD: 'True',
  BUILD_BUILDID: '17',
  BUILD_BUILDNUMBER: '20261125.1',
  BUILD_BUILDURI: 'vstfs:///Build/Build/17',
  BUILD_REASON: 'IndividualCI',
  BUILD_REPOSITORY_LOCALPATH: '/home/vsts/work/1/s',
  BUILD_REPOSITORY_URI: 'https://dev.azure.com/acme/site/_git/site',
  BUILD_SOURCEBRANCH: 'refs/heads/main',
  BUILD_SOURCEVERSION: head,
  SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/',
  SYSTEM_TEAMFOUNDATIONCOLLECTIONURI: 'https://dev.azure.com/acme/',
  SYSTEM_TEAMPROJECT: 'The site',
};

export const azurePullRequest: Variables = {
  ...azurePush,
  BUILD_REASON: 'PullRequest',
  BUILD_SOURCEBRANCH: 'refs/pull/12/merge',
  BUILD_SOURCEVERSION: merge,
  SYSTEM_PULLREQUEST_ISFORK: 'False',
  SYSTEM_PULLREQUEST_PULLREQUESTID: '987654321',
  SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '12',
  SYSTEM_PULLREQUEST_SOURCEBRANCH: 'topic',
  SYSTEM_PULLREQUEST_SOURCECOMMITID: head,
  SYSTEM_PULLREQUEST_TARGETBRANCH: 'main',
};

export const azureFork: Variables = {
  ...azurePullRequest,
  SYSTEM_PULLREQUEST_ISFORK: 'True',
  SYSTEM_PULLREQUEST_PULLREQUESTID: '12',
  SYSTEM_PULLREQUEST_PULLREQUESTNUMBER: '',
  SYSTEM_PULLREQUEST_SOURCEBRANCH: 'refs/heads/topic',
};

// https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
export const bitbucketPush: Variables = {
  CI: 'true',
  BITBUCKET_BRANCH: 'main',
  BITBUCKET_BUILD_NUMBER: '8',
  BITBUCKET_CLONE_DIR: '/opt/atlassian/pipelines/agent/build',
  BITBUCKET_COMMIT: head,
  BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/acme/site',
  BITBUCKET_REPO_FULL_NAME: 'acme/site',
};

export const bitbucketPullRequest: Variables = {
  ...bitbucketPush,
  BITBUCKET_BRANCH: 'topic',
  BITBUCKET_PR_ID: '12',
  BITBUCKET_PR_DESTINATION_BRANCH: 'main',
};

// https://docs.travis-ci.com/user/environment-variables/#default-environment-variables
export const travisPush: Variables = {
  CI: 'true',
  TRAVIS: 'true',
  TRAVIS_BRANCH: 'main',
  TRAVIS_BUILD_NUMBER: '60',
  TRAVIS_BUILD_WEB_URL: 'https://app.travis-ci.com/github/acme/site/builds/60',
  TRAVIS_COMMIT: head,
  TRAVIS_PULL_REQUEST: 'false',
  TRAVIS_PULL_REQUEST_BRANCH: '',
  TRAVIS_PULL_REQUEST_SHA: '',
  TRAVIS_PULL_REQUEST_SLUG: '',
  TRAVIS_REPO_SLUG: 'acme/site',
  TRAVIS_TAG: '',
};

export const travisFork: Variables = {
  ...travisPush,
  TRAVIS_COMMIT: merge,
  TRAVIS_PULL_REQUEST: '12',
  TRAVIS_PULL_REQUEST_BRANCH: 'topic',
  TRAVIS_PULL_REQUEST_SHA: head,
  TRAVIS_PULL_REQUEST_SLUG: 'stranger/site',
};

/** Of a branch of the repository itself. */
export const travisPullRequest: Variables = {
  ...travisFork,
  TRAVIS_PULL_REQUEST_SLUG: 'acme/site',
};

// https://www.appveyor.com/docs/environment-variables/
export const appveyorPush: Variables = {
  CI: 'True',
  APPVEYOR: 'True',
  APPVEYOR_BUILD_NUMBER: '7',
  APPVEYOR_BUILD_VERSION: '1.0.7',
  APPVEYOR_PROJECT_SLUG: 'site',
  APPVEYOR_REPO_BRANCH: 'main',
  APPVEYOR_REPO_COMMIT: head,
  APPVEYOR_REPO_NAME: 'acme/site',
};

export const appveyorPullRequest: Variables = {
  ...appveyorPush,
  APPVEYOR_REPO_COMMIT: merge,
  APPVEYOR_PULL_REQUEST_HEAD_COMMIT: head,
  APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH: 'topic',
  APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME: 'acme/site',
  APPVEYOR_PULL_REQUEST_NUMBER: '12',
};

export const appveyorFork: Variables = {
  ...appveyorPullRequest,
  APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME: 'stranger/site',
};

// https://docs.semaphore.io/reference/env-vars
export const semaphorePush: Variables = {
  CI: 'true',
  SEMAPHORE: 'true',
  SEMAPHORE_GIT_BRANCH: 'main',
  SEMAPHORE_GIT_REF_TYPE: 'branch',
  SEMAPHORE_GIT_REPO_SLUG: 'acme/site',
  SEMAPHORE_GIT_SHA: head,
  SEMAPHORE_GIT_URL: 'git@github.com:acme/site.git',
  SEMAPHORE_JOB_ID: 'a26d42cf-89ac-4c3f-9e2d-51bb231897bf',
  SEMAPHORE_ORGANIZATION_URL: 'https://acme.semaphoreci.com',
  SEMAPHORE_WORKFLOW_ID: '65c398bb-57ab-4459-90b5-1abc92aaba2a',
};

export const semaphorePullRequest: Variables = {
  ...semaphorePush,
  SEMAPHORE_GIT_REF_TYPE: 'pull-request',
  SEMAPHORE_GIT_SHA: merge,
  SEMAPHORE_GIT_PR_BRANCH: 'topic',
  SEMAPHORE_GIT_PR_NUMBER: '12',
  SEMAPHORE_GIT_PR_SHA: head,
  SEMAPHORE_GIT_PR_SLUG: 'acme/site',
};

export const semaphoreFork: Variables = {
  ...semaphorePullRequest,
  SEMAPHORE_GIT_PR_SLUG: 'stranger/site',
};

// https://woodpecker-ci.org/docs/usage/environment
export const woodpeckerPush: Variables = {
  CI: 'woodpecker',
  CI_COMMIT_BRANCH: 'main',
  CI_COMMIT_REF: 'refs/heads/main',
  CI_COMMIT_SHA: head,
  CI_PIPELINE_EVENT: 'push',
  CI_PIPELINE_NUMBER: '6',
  CI_PIPELINE_URL: 'https://ci.example.com/repos/7/pipeline/6',
  CI_REPO_CLONE_URL: 'https://git.example.com/acme/site.git',
  CI_REPO_DEFAULT_BRANCH: 'main',
  CI_REPO_OWNER: 'acme',
  CI_REPO_NAME: 'site',
};

export const woodpeckerPullRequest: Variables = {
  ...woodpeckerPush,
  CI_COMMIT_REF: 'refs/pull/12/head',
  CI_PIPELINE_EVENT: 'pull_request',
  CI_COMMIT_PULL_REQUEST: '12',
  CI_COMMIT_SOURCE_BRANCH: 'topic',
  CI_COMMIT_TARGET_BRANCH: 'main',
};

// https://docs.drone.io/pipeline/environment/reference/
export const dronePush: Variables = {
  CI: 'true',
  DRONE: 'true',
  DRONE_BRANCH: 'main',
  DRONE_BUILD_EVENT: 'push',
  DRONE_BUILD_LINK: 'https://drone.example.com/acme/site/42',
  DRONE_BUILD_NUMBER: '42',
  DRONE_COMMIT_REF: 'refs/heads/main',
  DRONE_COMMIT_SHA: head,
  DRONE_GIT_HTTP_URL: 'https://github.com/acme/site.git',
  DRONE_REPO_BRANCH: 'main',
  DRONE_REPO_NAME: 'site',
  DRONE_REPO_OWNER: 'acme',
};

export const dronePullRequest: Variables = {
  ...dronePush,
  DRONE_BUILD_EVENT: 'pull_request',
  DRONE_COMMIT_REF: 'refs/pull/12/head',
  DRONE_PULL_REQUEST: '12',
  DRONE_SOURCE_BRANCH: 'topic',
  DRONE_TARGET_BRANCH: 'main',
};

// https://docs.aws.amazon.com/codebuild/latest/userguide/build-env-ref-env-vars.html
export const codebuildPush: Variables = {
  CI: 'true',
  AWS_REGION: 'eu-west-1',
  CODEBUILD_BUILD_ID: 'site:b1e6661e-e4f2-4156-9ab9-82a19EXAMPLE',
  CODEBUILD_BUILD_URL:
    'https://eu-west-1.console.aws.amazon.com/codesuite/codebuild/1/projects/site',
  CODEBUILD_RESOLVED_SOURCE_VERSION: head,
  CODEBUILD_SOURCE_REPO_URL: 'https://github.com/acme/site.git',
  CODEBUILD_WEBHOOK_HEAD_REF: 'refs/heads/main',
  CODEBUILD_WEBHOOK_TRIGGER: 'branch/main',
};

export const codebuildPullRequest: Variables = {
  ...codebuildPush,
  CODEBUILD_WEBHOOK_HEAD_REF: 'refs/heads/topic',
  CODEBUILD_WEBHOOK_TRIGGER: 'pr/12',
};

// https://www.jetbrains.com/help/teamcity/predefined-build-parameters.html
/** A pull request is told in parameters alone, which are no variables. */
export const teamcity: Variables = {
  TEAMCITY_VERSION: '2025.11',
  TEAMCITY_BUILDCONF_NAME: 'Site',
  BUILD_NUMBER: '31',
  BUILD_VCS_NUMBER: head,
};

// https://confluence.atlassian.com/bamboo/bamboo-variables-289277087.html
export const bambooPush: Variables = {
  bamboo_buildKey: 'SITE-DEP-JOB1',
  bamboo_buildNumber: '9',
  bamboo_buildResultsUrl: 'https://bamboo.example.com/browse/SITE-DEP-9',
  bamboo_planRepository_branchName: 'main',
  bamboo_planRepository_revision: head,
};

export const bambooPullRequest: Variables = {
  ...bambooPush,
  bamboo_planRepository_branchName: 'topic',
  bamboo_repository_pr_key: '12',
  bamboo_repository_pr_sourceBranch: 'topic',
  bamboo_repository_pr_targetBranch: 'main',
};

// https://render.com/docs/environment-variables
export const renderPush: Variables = {
  RENDER: 'true',
  IS_PULL_REQUEST: 'false',
  RENDER_GIT_BRANCH: 'main',
  RENDER_GIT_COMMIT: head,
  RENDER_GIT_REPO_SLUG: 'acme/site',
};

export const renderPullRequest: Variables = {
  ...renderPush,
  IS_PULL_REQUEST: 'true',
  RENDER_GIT_BRANCH: 'topic',
};

// https://docs.netlify.com/build/configure-builds/environment-variables/
export const netlifyPush: Variables = {
  CI: 'true',
  NETLIFY: 'true',
  BRANCH: 'main',
  BUILD_ID: '5f2b',
  COMMIT_REF: head,
  CONTEXT: 'production',
  HEAD: 'main',
  PULL_REQUEST: 'false',
};

export const netlifyPullRequest: Variables = {
  ...netlifyPush,
  BRANCH: 'pull/12/head',
  CONTEXT: 'deploy-preview',
  HEAD: 'topic',
  PULL_REQUEST: 'true',
  REVIEW_ID: '12',
};

// https://vercel.com/docs/environment-variables/system-environment-variables
export const vercelPush: Variables = {
  CI: '1',
  VERCEL: '1',
  VERCEL_ENV: 'production',
  VERCEL_GIT_COMMIT_REF: 'main',
  VERCEL_GIT_COMMIT_SHA: head,
  VERCEL_GIT_PULL_REQUEST_ID: '',
};

export const vercelPullRequest: Variables = {
  ...vercelPush,
  VERCEL_ENV: 'preview',
  VERCEL_GIT_COMMIT_REF: 'topic',
  VERCEL_GIT_PULL_REQUEST_ID: '12',
};

// https://developers.cloudflare.com/pages/configuration/build-configuration/
export const cloudflarePush: Variables = {
  CI: 'true',
  CF_PAGES: '1',
  CF_PAGES_BRANCH: 'main',
  CF_PAGES_COMMIT_SHA: head,
  CF_PAGES_URL: 'https://site.pages.dev',
};

/** A pull request is told by its branch alone; those of forks are not built. */
export const cloudflarePullRequest: Variables = { ...cloudflarePush, CF_PAGES_BRANCH: 'topic' };

// https://cirrus-ci.org/guide/writing-tasks/#environment-variables
export const cirrusPush: Variables = {
  CI: 'true',
  CIRRUS_CI: 'true',
  CIRRUS_BRANCH: 'main',
  CIRRUS_BUILD_ID: '5066',
  CIRRUS_CHANGE_IN_REPO: head,
  CIRRUS_REPO_CLONE_URL: 'https://github.com/acme/site.git',
};

export const cirrusPullRequest: Variables = {
  ...cirrusPush,
  CIRRUS_BASE_BRANCH: 'main',
  CIRRUS_BRANCH: 'pull/12',
  CIRRUS_PR: '12',
  CIRRUS_PR_DRAFT: 'false',
};

// https://codefresh.io/docs/docs/pipelines/variables/
export const codefreshPush: Variables = {
  CI: 'true',
  CF_BRANCH: 'main',
  CF_BUILD_ID: '5f3e',
  CF_REVISION: head,
  CF_REPO_NAME: 'site',
};

export const codefreshPullRequest: Variables = {
  ...codefreshPush,
  CF_BRANCH: 'topic',
  CF_PULL_REQUEST_ACTION: 'synchronize',
  CF_PULL_REQUEST_NUMBER: '12',
  CF_PULL_REQUEST_TARGET: 'main',
};

// https://docs.aws.amazon.com/amplify/latest/userguide/amplify-console-environment-variables.html
export const amplifyPush: Variables = {
  AWS_APP_ID: 'd1a2b3',
  AWS_BRANCH: 'main',
  AWS_COMMIT_ID: head,
  AWS_JOB_ID: '0000000001',
};

/** Those of forks are not built. */
export const amplifyPullRequest: Variables = {
  ...amplifyPush,
  AWS_BRANCH: 'pr-12',
  AWS_PULL_REQUEST_ID: '12',
  AWS_PULL_REQUEST_SOURCE_BRANCH: 'topic',
};

// https://docs.prow.k8s.io/docs/jobs/#job-environment-variables
export const prowPush: Variables = {
  CI: 'true',
  PROW_JOB_ID: '1ce07fa2',
  BUILD_ID: '1',
  JOB_TYPE: 'postsubmit',
  PULL_BASE_REF: 'main',
  PULL_BASE_SHA: head,
  PULL_REFS: `main:${head}`,
  REPO_NAME: 'site',
  REPO_OWNER: 'acme',
};

export const prowPullRequest: Variables = {
  ...prowPush,
  JOB_TYPE: 'presubmit',
  PULL_NUMBER: '12',
  PULL_PULL_SHA: head,
  PULL_REFS: `main:${merge},12:${head}`,
};

/** Of several pull requests that are merged together if it passes. */
export const prowBatch: Variables = {
  ...prowPush,
  JOB_TYPE: 'batch',
  PULL_REFS: `main:${merge},12:${head},13:${'c'.repeat(40)}`,
};
