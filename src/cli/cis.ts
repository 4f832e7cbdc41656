import { decoded } from '../push/model/git-url.ts';

/** The value of a variable; undefined if it is not set, or blank. */
export type Variable = (name: string) => string | undefined;

/** The name of a variable, or how several are read. */
export type Fact = string | ((get: Variable) => string | undefined);

/** What a CI calls a pull request, and what stands before its number. */
export interface RequestWords {
  name: 'merge request' | 'pull request';
  sign: '!' | '#';
}

/** How a CI tells of its builds, by its documentation. What an entry does not allow is not known here. */
export interface Ci {
  /** As people write it. */
  name: string;
  /** True in its builds alone. */
  isHere: (get: Variable) => boolean;
  /** What a build is of; `closed` ends a preview. Undefined: not told, or an event that is not known here. */
  kind: (get: Variable) => 'merged' | 'pull-request' | 'closed' | undefined;
  /** The commit and branch of merged code. */
  merged: { commit: Fact; branch: Fact };
  pullRequest: {
    number: Fact;
    /** The commit at its head, never a merge commit. */
    head: Fact;
    /** A reference of the clone that is at the head, where a variable is not; it counts first. */
    headReference?: Fact;
    branch: Fact;
    /** True unless the CI tells that its branch is one of the repository itself. */
    isFork: (get: Variable) => boolean;
  };
  defaultBranch?: Fact;
  run: { id: Fact; page: Fact };
  /** Where the repository is cloned from, perhaps with credentials. */
  clone: Fact;
  /** What a pull request is called, if not that. */
  request?: RequestWords;
}

const isOneOf = (words: string, value: string | undefined): boolean =>
  value !== undefined && words.split(' ').includes(value);

/** A branch or a tag of the repository, by its whole name. */
const isOwnRef = (ref: string | undefined): boolean => /^refs\/(heads|tags)\//.test(ref ?? '');

/** What `host/path` a clone URL names, so that two forms of one repository are equal. */
function repositoryIn(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/)(.+)$/.exec(url);
  const parsed = scp === null ? URL.parse(url) : undefined;
  const [host, path] = [scp?.[1] ?? parsed?.hostname ?? '', scp?.[2] ?? parsed?.pathname ?? url];
  return `${host}/${path.replace(/^\/+|(?<!\/)(\.git)?\/*$/g, '')}`.toLowerCase();
}

/** True if two texts are there, and name the same. */
const areSame = (
  one: string | undefined,
  other: string | undefined,
  name = (text: string) => text,
): boolean => one !== undefined && other !== undefined && name(one) === name(other);

// https://docs.gitlab.com/ci/variables/predefined_variables/
const gitLab: Ci = {
  name: 'GitLab CI/CD',
  isHere: (get) => get('GITLAB_CI') !== undefined,
  kind: (get) => {
    const source = get('CI_PIPELINE_SOURCE');
    // Only a pipeline of a merge request has neither; a child of one may have none of its variables.
    const isOwn = (get('CI_COMMIT_BRANCH') ?? get('CI_COMMIT_TAG')) !== undefined;
    if (!isOwn || source === 'merge_request_event' || get('CI_MERGE_REQUEST_IID') !== undefined) {
      return get('CI_ENVIRONMENT_ACTION') === 'stop' ? 'closed' : 'pull-request';
    }
    // Not `parent_pipeline`, whose parent may be one of a merge request, nor what scans and policies start.
    const merged = 'api chat pipeline push schedule trigger web webide';
    return isOneOf(merged, source) ? 'merged' : undefined;
  },
  merged: { commit: 'CI_COMMIT_SHA', branch: 'CI_COMMIT_BRANCH' },
  pullRequest: {
    // CI_MERGE_REQUEST_ID is unique on the whole server: people, links and the API know the IID.
    number: 'CI_MERGE_REQUEST_IID',
    // On merged results and in merge trains, CI_COMMIT_SHA is a merge commit; else the other one is empty.
    head: (get) => get('CI_MERGE_REQUEST_SOURCE_BRANCH_SHA') ?? get('CI_COMMIT_SHA'),
    branch: 'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
    isFork: (get) =>
      !areSame(get('CI_MERGE_REQUEST_SOURCE_PROJECT_ID'), get('CI_MERGE_REQUEST_PROJECT_ID')),
  },
  defaultBranch: 'CI_DEFAULT_BRANCH',
  run: { id: 'CI_PIPELINE_ID', page: (get) => get('CI_JOB_URL') ?? get('CI_PIPELINE_URL') },
  clone: 'CI_REPOSITORY_URL',
  request: { name: 'merge request', sign: '!' },
};

// https://docs.gitlab.com/ci/ci_cd_for_external_repos/#pipelines-for-external-pull-requests
const isExternal = (get: Variable): boolean =>
  get('CI_PIPELINE_SOURCE') === 'external_pull_request_event' ||
  get('CI_EXTERNAL_PULL_REQUEST_IID') !== undefined;

/** GitLab, for a pull request on GitHub. */
const gitLabExternal: Ci = {
  ...gitLab,
  request: { name: 'pull request', sign: '#' },
  isHere: (get) => gitLab.isHere(get) && isExternal(get),
  kind: () => 'pull-request',
  pullRequest: {
    number: 'CI_EXTERNAL_PULL_REQUEST_IID',
    head: 'CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_SHA',
    branch: 'CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME',
    isFork: (get) =>
      !areSame(
        get('CI_EXTERNAL_PULL_REQUEST_SOURCE_REPOSITORY'),
        get('CI_EXTERNAL_PULL_REQUEST_TARGET_REPOSITORY'),
      ),
  },
};

// https://buildkite.com/docs/pipelines/configure/environment-variables
const buildkite: Ci = {
  name: 'Buildkite',
  isHere: (get) => get('BUILDKITE') !== undefined,
  kind: (get) => {
    const number = get('BUILDKITE_PULL_REQUEST');
    if (number !== 'false') return number === undefined ? undefined : 'pull-request';
    // Not `api`, which builds any commit as of any branch, nor `trigger_job` after a build that may be of a pull request.
    const isOwn = isOneOf('schedule ui webhook', get('BUILDKITE_SOURCE'));
    // Not GitHub's events of comments and queues.
    const isPushed = isOneOf('push release', get('BUILDKITE_GITHUB_EVENT') ?? 'push');
    // A build again, by hand, of one that another build triggered; a merge queue; another reference than the branch.
    const others = ['TRIGGERED_FROM_BUILD_ID', 'MERGE_QUEUE_BASE_BRANCH', 'REFSPEC'];
    const isPlain = others.every((name) => get(`BUILDKITE_${name}`) === undefined);
    // "owner:branch" is one of a fork.
    const isOfFork = get('BUILDKITE_BRANCH')?.includes(':') === true;
    return isOwn && isPushed && isPlain && !isOfFork ? 'merged' : undefined;
  },
  merged: {
    commit: 'BUILDKITE_COMMIT',
    // The branch of a tag is the tag.
    branch: (get) => (get('BUILDKITE_TAG') === undefined ? get('BUILDKITE_BRANCH') : undefined),
  },
  pullRequest: {
    number: 'BUILDKITE_PULL_REQUEST',
    head: (get) => {
      const isMerge = get('BUILDKITE_PULL_REQUEST_USING_MERGE_REFSPEC') === 'true';
      const built = isMerge ? undefined : get('BUILDKITE_COMMIT');
      return get('BUILDKITE_PULL_REQUEST_HEAD_COMMIT') ?? built;
    },
    // That of a fork may be given as "owner:branch".
    branch: (get) => get('BUILDKITE_BRANCH')?.replace(/^[^:]*:/, ''),
    isFork: (get) =>
      !areSame(get('BUILDKITE_PULL_REQUEST_REPO'), get('BUILDKITE_REPO'), repositoryIn),
  },
  defaultBranch: 'BUILDKITE_PIPELINE_DEFAULT_BRANCH',
  run: { id: 'BUILDKITE_BUILD_NUMBER', page: 'BUILDKITE_BUILD_URL' },
  clone: 'BUILDKITE_REPO',
};

// https://woodpecker-ci.org/docs/usage/environment
const woodpecker: Ci = {
  name: 'Woodpecker CI',
  isHere: (get) => get('CI') === 'woodpecker',
  kind: (get) => {
    const event = get('CI_PIPELINE_EVENT');
    if (event === 'pull_request') return 'pull-request';
    if (event === 'pull_request_closed') return 'closed';
    const isMerged = isOneOf('push tag release cron manual deployment', event);
    return isMerged && isOwnRef(get('CI_COMMIT_REF')) ? 'merged' : undefined;
  },
  merged: {
    commit: 'CI_COMMIT_SHA',
    branch: (get) => (get('CI_COMMIT_TAG') === undefined ? get('CI_COMMIT_BRANCH') : undefined),
  },
  pullRequest: {
    number: 'CI_COMMIT_PULL_REQUEST',
    head: 'CI_COMMIT_SHA',
    branch: 'CI_COMMIT_SOURCE_BRANCH',
    // Its repository is not told.
    isFork: () => true,
  },
  defaultBranch: 'CI_REPO_DEFAULT_BRANCH',
  run: { id: 'CI_PIPELINE_NUMBER', page: 'CI_PIPELINE_URL' },
  clone: 'CI_REPO_CLONE_URL',
};

// https://docs.drone.io/pipeline/environment/reference/
const drone: Ci = {
  name: 'Drone',
  isHere: (get) => get('DRONE') !== undefined,
  kind: (get) => {
    const event = get('DRONE_BUILD_EVENT');
    if (event === 'pull_request') return 'pull-request';
    // Not `custom`, which builds any commit as of any branch. A promoted build may be one of a pull request: its reference
    // tells.
    const isMerged = isOneOf('push tag cron promote rollback', event);
    return isMerged && isOwnRef(get('DRONE_COMMIT_REF')) ? 'merged' : undefined;
  },
  merged: {
    commit: 'DRONE_COMMIT_SHA',
    branch: (get) => (get('DRONE_TAG') === undefined ? get('DRONE_BRANCH') : undefined),
  },
  pullRequest: {
    number: 'DRONE_PULL_REQUEST',
    head: 'DRONE_COMMIT_SHA',
    branch: 'DRONE_SOURCE_BRANCH',
    // Its repository is not told.
    isFork: () => true,
  },
  defaultBranch: 'DRONE_REPO_BRANCH',
  run: { id: 'DRONE_BUILD_NUMBER', page: 'DRONE_BUILD_LINK' },
  clone: 'DRONE_GIT_HTTP_URL',
};

// https://learn.microsoft.com/azure/devops/pipelines/build/variables
const azure: Ci = {
  name: 'Azure Pipelines',
  isHere: (get) => get('TF_BUILD') !== undefined,
  kind: (get) => {
    const reason = get('BUILD_REASON');
    if (reason === 'PullRequest') return 'pull-request';
    const merged = 'Manual IndividualCI BatchedCI Schedule BuildCompletion ResourceTrigger';
    // Somebody may run refs/pull/12/merge by hand.
    return isOneOf(merged, reason) && isOwnRef(get('BUILD_SOURCEBRANCH')) ? 'merged' : undefined;
  },
  merged: { commit: 'BUILD_SOURCEVERSION', branch: 'BUILD_SOURCEBRANCH' },
  pullRequest: {
    // A pull request on GitHub has an id that is not its number.
    number: (get) =>
      get('SYSTEM_PULLREQUEST_PULLREQUESTNUMBER') ?? get('SYSTEM_PULLREQUEST_PULLREQUESTID'),
    head: 'SYSTEM_PULLREQUEST_SOURCECOMMITID',
    branch: 'SYSTEM_PULLREQUEST_SOURCEBRANCH',
    // Azure writes True and False.
    isFork: (get) => get('SYSTEM_PULLREQUEST_ISFORK')?.toLowerCase() !== 'false',
  },
  run: {
    // BUILD_BUILDNUMBER is a name that people configure.
    id: 'BUILD_BUILDID',
    page: (get) => {
      const server = get('SYSTEM_COLLECTIONURI') ?? get('SYSTEM_TEAMFOUNDATIONCOLLECTIONURI');
      const [project, id] = [get('SYSTEM_TEAMPROJECT'), get('BUILD_BUILDID')];
      if (server === undefined || project === undefined || id === undefined) return undefined;
      const page = `${encodeURIComponent(project)}/_build/results?buildId=${id}`;
      return `${server.replace(/\/*$/, '/')}${page}`;
    },
  },
  clone: 'BUILD_REPOSITORY_URI',
};

// https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/
const bitbucket: Ci = {
  name: 'Bitbucket Pipelines',
  isHere: (get) => get('BITBUCKET_BUILD_NUMBER') !== undefined,
  kind: (get) => {
    const isProposed =
      (get('BITBUCKET_PR_ID') ?? get('BITBUCKET_PR_DESTINATION_BRANCH')) !== undefined;
    if (isProposed) return 'pull-request';
    const isOwn = (get('BITBUCKET_BRANCH') ?? get('BITBUCKET_TAG')) !== undefined;
    return isOwn ? 'merged' : undefined;
  },
  merged: { commit: 'BITBUCKET_COMMIT', branch: 'BITBUCKET_BRANCH' },
  pullRequest: {
    number: 'BITBUCKET_PR_ID',
    head: 'BITBUCKET_COMMIT',
    branch: 'BITBUCKET_BRANCH',
    // Bitbucket runs pull requests of the repository itself alone.
    isFork: () => false,
  },
  run: {
    id: 'BITBUCKET_BUILD_NUMBER',
    page: (get) =>
      `https://bitbucket.org/${get('BITBUCKET_REPO_FULL_NAME')}/addon/pipelines/home#!/results/${get('BITBUCKET_BUILD_NUMBER')}`,
  },
  clone: 'BITBUCKET_GIT_HTTP_ORIGIN',
};

/** True of a job that a multibranch project made: it has the name of its branch, and that is no parameter of a job. */
const isOfBranch = (get: Variable): boolean =>
  get('BRANCH_NAME') !== undefined &&
  get('BRANCH_NAME') === decoded(get('JOB_NAME')?.split('/').at(-1) ?? '');

/** What plugins call a job of a proposal: `PR-12`, `MR-12-merge`, or, by Gerrit's, `45/12345/6`. */
const proposedJob = /^(PR|MR)-\d|^\d\d\/\d+\/\d+$/;

// https://www.jenkins.io/doc/book/pipeline/multibranch/, and env-vars.html of a server
const jenkins: Ci = {
  name: 'Jenkins',
  isHere: (get) => (get('JENKINS_URL') ?? get('JENKINS_HOME')) !== undefined,
  kind: (get) => {
    if (!isOfBranch(get)) return undefined;
    if (get('CHANGE_ID') !== undefined) return 'pull-request';
    // CHANGE_ID is set "if supported", and plugins for jobs of one branch have variables of their own.
    const ofChange =
      'CHANGE_URL CHANGE_TARGET CHANGE_BRANCH GERRIT_CHANGE_NUMBER ghprbPullId gitlabMergeRequestIid';
    const isChange =
      ofChange.split(' ').some((name) => get(name) !== undefined) ||
      proposedJob.test(get('BRANCH_NAME') ?? '');
    return isChange ? undefined : 'merged';
  },
  merged: {
    commit: 'GIT_COMMIT',
    branch: (get) => (get('TAG_NAME') === undefined ? get('BRANCH_NAME') : undefined),
  },
  pullRequest: {
    number: 'CHANGE_ID',
    // It may be a merge that exists in this clone alone.
    head: 'GIT_COMMIT',
    headReference: (get) => `refs/remotes/origin/${get('BRANCH_NAME')}`,
    branch: 'CHANGE_BRANCH',
    // Where a plugin knows no forks, it gives no branch, or, as Gerrit's does, the target as the branch.
    isFork: (get) =>
      get('CHANGE_FORK') !== undefined ||
      get('CHANGE_BRANCH') === undefined ||
      get('CHANGE_BRANCH') === get('CHANGE_TARGET'),
  },
  defaultBranch: (get) => (get('BRANCH_IS_PRIMARY') === 'true' ? get('BRANCH_NAME') : undefined),
  run: { id: 'BUILD_NUMBER', page: 'BUILD_URL' },
  clone: 'GIT_URL',
};

/** The CIs whose builds are known. */
export const cis: readonly Ci[] = [
  gitLabExternal,
  { ...gitLab, isHere: (get) => gitLab.isHere(get) && !isExternal(get) },
  buildkite,
  woodpecker,
  drone,
  azure,
  bitbucket,
  jenkins,
];

/** The CI of a build; undefined if none is known, or several are. */
export function ciOf(get: Variable): Ci | undefined {
  const [ci, ...others] = cis.filter(({ isHere }) => isHere(get));
  return others.length === 0 ? ci : undefined;
}
