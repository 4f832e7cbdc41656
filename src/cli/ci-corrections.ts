/** What a CI says of a run, as texts. */
export interface CiTexts {
  isForPullRequest: boolean;
  /** Of a pull or merge request its head. */
  commit?: string | undefined;
  /** Of that commit. */
  branch?: string | undefined;
  number?: string | undefined;
  fromFork?: boolean | undefined;
  runId?: string | undefined;
  runUrl?: string | undefined;
  cloneUrl?: string | undefined;
  stop?: boolean | undefined;
  /** A reference of the clone that is at the head, if the CI makes one; it counts before the commit. */
  headReference?: string | undefined;
}

/** The value of a variable; undefined if it is not set, or empty. */
export type Variable = (name: string) => string | undefined;

/** What is wrong or missing in `env-ci`'s reading of a CI, and why; and what is right instead. */
interface Correction {
  because: string;
  correct(get: Variable, read: CiTexts): Partial<CiTexts>;
}

/** What `host/path` a clone URL names, so that two forms of one repository are equal. */
function repositoryPathOf(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/)(.+)$/.exec(url);
  const parsed = scp === null ? URL.parse(url) : undefined;
  const [host, path] = [scp?.[1] ?? parsed?.hostname ?? '', scp?.[2] ?? parsed?.pathname ?? url];
  return `${host}/${path.replace(/^\/+|(\.git)?\/*$/g, '')}`.toLowerCase();
}

/** True if two clone URLs are of different repositories; undefined if one is missing. */
const differ = (one: string | undefined, other: string | undefined): boolean | undefined =>
  one === undefined || other === undefined
    ? undefined
    : repositoryPathOf(one) !== repositoryPathOf(other);

/** The same for two names. */
const areOther = (one: string | undefined, other: string | undefined): boolean | undefined =>
  one === undefined || other === undefined ? undefined : one !== other;

const gitlab: readonly Correction[] = [
  {
    because:
      'CI_MERGE_REQUEST_ID is unique on the whole server: people, links and the API know a merge request by its IID',
    correct: (get) => ({ number: get('CI_MERGE_REQUEST_IID') }),
  },
  {
    because:
      'a job without CI_MERGE_REQUEST_ID, which is the one variable that is read, would count as merged code',
    correct: (get, { isForPullRequest, branch }) => {
      const isOne =
        get('CI_MERGE_REQUEST_IID') !== undefined ||
        get('CI_PIPELINE_SOURCE') === 'merge_request_event';
      if (isForPullRequest || !isOne) return {};
      return {
        isForPullRequest: true,
        branch: get('CI_MERGE_REQUEST_SOURCE_BRANCH_NAME') ?? branch,
      };
    },
  },
  {
    because:
      'on merged results and in merge trains, CI_COMMIT_SHA is a merge commit that is on no branch',
    correct: (get) => ({
      commit: get('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA') ?? get('CI_COMMIT_SHA'),
    }),
  },
  {
    because: 'CI_COMMIT_REF_NAME is also the name of a tag',
    correct: (get, { isForPullRequest, branch }) => ({
      branch: isForPullRequest ? branch : get('CI_COMMIT_BRANCH'),
    }),
  },
  {
    because:
      'a merge request comes from another project if its source project is not its own project, or is gone',
    correct: (get, { isForPullRequest }) => {
      const source = get('CI_MERGE_REQUEST_SOURCE_PROJECT_ID');
      const isOwn = source !== undefined && source === get('CI_MERGE_REQUEST_PROJECT_ID');
      return { fromFork: isForPullRequest && !isOwn };
    },
  },
  {
    because: 'a pipeline for a pull request on GitHub has variables of its own',
    correct: (get) => {
      const number = get('CI_EXTERNAL_PULL_REQUEST_IID');
      if (number === undefined) return {};
      return {
        isForPullRequest: true,
        number,
        commit: get('CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA'),
        branch: get('CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME'),
        fromFork: areOther(
          get('CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY'),
          get('CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY'),
        ),
      };
    },
  },
  {
    because: "the job's page has the log, and its documented address",
    correct: (get) => ({ runUrl: get('CI_JOB_URL') ?? get('CI_PIPELINE_URL') }),
  },
  {
    because: 'a job that stops an environment is the end of a preview',
    correct: (get) => ({ stop: get('CI_ENVIRONMENT_ACTION') === 'stop' }),
  },
];

const jenkins: readonly Correction[] = [
  {
    because:
      'BRANCH_NAME of a change is "PR-12", and GIT_BRANCH, which counts first, names the remote',
    correct: (get, { isForPullRequest }) => ({
      branch: isForPullRequest
        ? (get('CHANGE_BRANCH') ?? get('ghprbSourceBranch') ?? get('gitlabSourceBranch'))
        : (get('BRANCH_NAME') ??
          get('GIT_LOCAL_BRANCH') ??
          get('GIT_BRANCH')?.replace(/^origin\//, '') ??
          get('gitlabBranch')),
    }),
  },
  {
    because:
      'GIT_COMMIT of a change may be a merge that exists in this clone alone; the head is at origin/PR-12',
    correct: (get) =>
      get('CHANGE_ID') === undefined
        ? {}
        : { headReference: `refs/remotes/origin/${get('BRANCH_NAME')}` },
  },
  {
    because: 'a change from a fork has the name of the fork in CHANGE_FORK',
    correct: (get) =>
      get('CHANGE_ID') === undefined ? {} : { fromFork: get('CHANGE_FORK') !== undefined },
  },
  {
    because:
      "GitLab's plugin has the IID in gitlabMergeRequestIid; its head and its projects are not read",
    correct: (get) => {
      const number = get('gitlabMergeRequestIid');
      if (number === undefined) return {};
      return {
        isForPullRequest: true,
        number,
        commit: get('gitlabMergeRequestLastCommit'),
        fromFork: differ(get('gitlabSourceRepoHttpUrl'), get('gitlabTargetRepoHttpUrl')),
      };
    },
  },
  {
    because: "the pull request builder's repositories are not read",
    correct: (get) => {
      if (get('ghprbPullId') === undefined) return {};
      const author = get('ghprbAuthorRepoGitUrl');
      const target = get('ghprbGhRepository')?.toLowerCase();
      return {
        fromFork:
          author === undefined || target === undefined
            ? undefined
            : !repositoryPathOf(author).endsWith(`/${target}`),
      };
    },
  },
];

const buildkite: readonly Correction[] = [
  {
    because: 'a build of the merge commit has its head in a variable of its own',
    correct: (get, { isForPullRequest, commit }) => {
      if (!isForPullRequest) return {};
      const isMerge = get('BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC') === 'true';
      return {
        commit: get('BUILDKITE_PULL_REQUEST_HEAD_COMMIT') ?? (isMerge ? undefined : commit),
      };
    },
  },
  {
    because: 'the branch of a fork may be given as "owner:branch", and that of a tag is the tag',
    correct: (get, { branch }) => ({
      branch: get('BUILDKITE_TAG') === undefined ? branch?.replace(/^[^:]*:/, '') : undefined,
    }),
  },
  {
    because: 'the repository of the pull request is not read',
    correct: (get) => ({
      fromFork: differ(get('BUILDKITE_PULL_REQUEST_REPO'), get('BUILDKITE_REPO')),
    }),
  },
];

const circleci: readonly Correction[] = [
  {
    because: 'CIRCLE_PR_USERNAME is set for forks alone, whose branch is given as "pull/12"',
    correct: (get, { branch }) => {
      const [, number] = /^pull\/(\d+)/.exec(branch ?? '') ?? [];
      if (number === undefined) return { fromFork: get('CIRCLE_PR_USERNAME') !== undefined };
      return { isForPullRequest: true, number, fromFork: true, branch: undefined };
    },
  },
];

const azurePipelines: readonly Correction[] = [
  {
    because: 'BUILD_SOURCEVERSION of a pull request is a merge commit',
    correct: (get, { isForPullRequest, commit }) => ({
      commit: isForPullRequest ? get('SYSTEM_PULLREQUEST_SOURCECOMMITID') : commit,
    }),
  },
  {
    because: 'a pull request on GitHub has an id that is not its number',
    correct: (get, { number }) => ({
      number: get('SYSTEM_PULLREQUEST_PULLREQUESTNUMBER') ?? number,
    }),
  },
  {
    because: 'not read; Azure writes True and False',
    correct: (get) => {
      const isFork = get('SYSTEM_PULLREQUEST_ISFORK')?.toLowerCase();
      return { fromFork: isFork === undefined ? undefined : isFork !== 'false' };
    },
  },
  {
    because:
      'BUILD_BUILDNUMBER is a name that people configure, and the page of the run is not read',
    correct: (get) => {
      const [server, project, id] = [
        get('SYSTEM_COLLECTIONURI') ?? get('SYSTEM_TEAMFOUNDATIONCOLLECTIONURI'),
        get('SYSTEM_TEAMPROJECT'),
        get('BUILD_BUILDID'),
      ];
      const page = `${encodeURIComponent(project ?? '')}/_build/results?buildId=${id}`;
      const isKnown = server !== undefined && project !== undefined && id !== undefined;
      return { runId: id, ...(isKnown && { runUrl: `${server.replace(/\/*$/, '/')}${page}` }) };
    },
  },
];

const bitbucket: readonly Correction[] = [
  {
    because: 'pull requests are not read; Bitbucket runs those of the repository itself alone',
    correct: (get) => {
      const number = get('BITBUCKET_PR_ID');
      return number === undefined ? {} : { isForPullRequest: true, number, fromFork: false };
    },
  },
];

const travis: readonly Correction[] = [
  {
    because: 'TRAVIS_COMMIT of a pull request is a merge commit',
    correct: (get, { isForPullRequest, commit }) => ({
      commit: isForPullRequest ? get('TRAVIS_PULL_REQUEST_SHA') : commit,
    }),
  },
  {
    because: 'TRAVIS_BRANCH of a tag is the tag',
    correct: (get, { branch }) => ({
      branch: get('TRAVIS_TAG') === undefined ? branch : undefined,
    }),
  },
  {
    because: 'the repository of the pull request is not read',
    correct: (get) => ({
      fromFork: areOther(get('TRAVIS_PULL_REQUEST_SLUG'), get('TRAVIS_REPO_SLUG')),
    }),
  },
];

const appveyor: readonly Correction[] = [
  {
    because: 'APPVEYOR_REPO_COMMIT of a pull request is a merge commit',
    correct: (get, { isForPullRequest, commit }) => ({
      commit: isForPullRequest ? get('APPVEYOR_PULL_REQUEST_HEAD_COMMIT') : commit,
    }),
  },
  {
    because: 'the repository of the pull request is not read',
    correct: (get) => ({
      fromFork: areOther(get('APPVEYOR_PULL_REQUEST_HEAD_REPO_NAME'), get('APPVEYOR_REPO_NAME')),
    }),
  },
];

const semaphore: readonly Correction[] = [
  {
    because: 'SEMAPHORE_GIT_SHA of a pull request is a merge commit',
    correct: (get, { isForPullRequest, commit }) => ({
      commit: isForPullRequest ? get('SEMAPHORE_GIT_PR_SHA') : commit,
    }),
  },
  {
    because: 'the repository of the pull request is not read',
    correct: (get) => ({
      fromFork: areOther(get('SEMAPHORE_GIT_PR_SLUG'), get('SEMAPHORE_GIT_REPO_SLUG')),
    }),
  },
  {
    because: 'the page of the run is not read',
    correct: (get) => {
      const [server, id] = [get('SEMAPHORE_ORGANIZATION_URL'), get('SEMAPHORE_WORKFLOW_ID')];
      return server === undefined || id === undefined
        ? {}
        : { runUrl: `${server}/workflows/${id}` };
    },
  },
];

const woodpecker: readonly Correction[] = [
  {
    because: 'the close of a pull request is an event of its own, and not read',
    correct: (get) => {
      if (get('CI_PIPELINE_EVENT') !== 'pull_request_closed') return {};
      return { isForPullRequest: true, stop: true, branch: get('CI_COMMIT_SOURCE_BRANCH') };
    },
  },
];

const codebuild: readonly Correction[] = [
  {
    because: 'the commit and the branch are read by git, and what started the build is not read',
    correct: (get) => {
      const [, number] = /^pr\/(\d+)$/.exec(get('CODEBUILD_WEBHOOK_TRIGGER') ?? '') ?? [];
      return {
        isForPullRequest: number !== undefined,
        number,
        commit: get('CODEBUILD_RESOLVED_SOURCE_VERSION'),
        branch: get('CODEBUILD_WEBHOOK_HEAD_REF'),
        runUrl: get('CODEBUILD_BUILD_URL'),
      };
    },
  },
];

const teamcity: readonly Correction[] = [
  {
    because:
      'the branch of a pull request is given as "pull/12", and the default one as "<default>"',
    correct: (_, { branch = '' }) => {
      const [, number] =
        /^(?:refs\/)?(?:pull|pull-requests|merge-requests|changes)\/(\d+)/.exec(branch) ?? [];
      if (number !== undefined) return { isForPullRequest: true, number, branch: undefined };
      return { branch: branch === '<default>' ? undefined : branch };
    },
  },
];

/** The corrections of each CI, by `env-ci`'s name for it. Each sees what those before it made. */
export const corrections: Readonly<Record<string, readonly Correction[]>> = {
  appveyor,
  azurePipelines,
  bitbucket,
  buildkite,
  circleci,
  codebuild,
  gitlab,
  jenkins,
  semaphore,
  teamcity,
  travis,
  woodpecker,
};

/** The variables with the address to clone from, which `env-ci` does not read. */
export const cloneUrls: Readonly<Record<string, string>> = {
  azurePipelines: 'BUILD_REPOSITORY_URI',
  bitbucket: 'BITBUCKET_GIT_HTTP_ORIGIN',
  buildkite: 'BUILDKITE_REPO',
  circleci: 'CIRCLE_REPOSITORY_URL',
  codebuild: 'CODEBUILD_SOURCE_REPO_URL',
  drone: 'DRONE_GIT_HTTP_URL',
  gitlab: 'CI_REPOSITORY_URL',
  jenkins: 'GIT_URL',
  semaphore: 'SEMAPHORE_GIT_URL',
  woodpecker: 'CI_REPO_CLONE_URL',
};
