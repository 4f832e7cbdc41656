import type { RunEvent, Trust } from '../kernel/event.ts';
import { safe } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { decoded } from '../push/model/git-url.ts';
import type { Build } from './ci.ts';

/** A clone URL in its parts, as far as they are known. */
interface Clone {
  /** Without credentials and path, such as `https://gitlab.com`. */
  serverUrl: string;
  /** The path, such as `group/project`. */
  repository: string;
  /** The same as the URL has it, perhaps with `.git`. */
  path: string;
  username: string;
  /** Empty: there is none. */
  token: string;
}

const noClone: Clone = { serverUrl: '', repository: '', path: '', username: '', token: '' };

/** Reads a clone URL: `https://user:token@host/path.git`, `ssh://git@host/path.git` or `git@host:path.git`. */
export function readCloneUrl(text: string | undefined): Clone {
  const [, user, host, path] = /^(?:([\w.-]+)@)?([\w.-]{2,}):(?!\/\/)(.+)$/.exec(text ?? '') ?? [];
  const whole = host === undefined ? (text ?? '') : `ssh://${user ?? 'git'}@${host}/${path}`;
  const url = URL.parse(whole);
  if (url === null || !/^(https?|ssh):$/.test(url.protocol)) return noClone;
  const wholePath = url.pathname.replace(/^\/+/, '');
  const repository = decoded(wholePath).replace(/(?<!\/)(\.git)?\/*$/, '');
  const isSsh = url.protocol === 'ssh:';
  const username = decoded(url.username);
  return {
    serverUrl: `${url.protocol}//${isSsh && username !== '' ? `${url.username}@` : ''}${url.host}`,
    repository,
    path: wholePath,
    username,
    token: decoded(url.password),
  };
}

/** What the page of a commit begins with, where that is not the repository's page and `/commit/`; empty if unknown. */
function commitsUrlOf({ serverUrl, repository }: Clone, ci: Build['ci']): string | undefined {
  const page = `${serverUrl}/${repository}`;
  if (ci?.name === 'GitLab CI/CD' || /^https?:\/\/gitlab\./.test(page)) return `${page}/-/commit/`;
  if (page.startsWith('https://bitbucket.org/')) return `${page}/commits/`;
  // Bitbucket Data Center clones from another path than its pages have.
  return /^(.+\/)?scm\//.test(repository) ? '' : undefined;
}

/** Who started a build: a writer, or who proposed its code. Who may push to the repository is trusted as a member is. */
function trustOf(pullRequest: Build['pullRequest']): Trust {
  const trusted = { withheld: undefined, isOfWriters: true };
  if (pullRequest === undefined) return { ...trusted, starter: { kind: 'writer' }, code: 'merged' };
  const starter = (association: string) => ({ kind: 'proposer', association }) as const;
  return pullRequest.isFork
    ? { starter: starter('NONE'), code: 'unknown', withheld: 'fork', isOfWriters: false }
    : { ...trusted, starter: starter('MEMBER'), code: 'own-branch' };
}

/** What started the run. */
function eventOf(
  { ci, commitSha, branch, pullRequest, defaultBranch }: Build,
  noCommit: string,
): RunEvent {
  const name = pullRequest === undefined ? '' : 'pull_request';
  const built =
    ci === undefined ? safe`the commit that is checked out` : safe`the commit that the CI reports`;
  const place =
    pullRequest === undefined ? built : safe`the head of the pull request, not a merge commit`;
  const common: RunEvent = {
    kind: 'other',
    name,
    action: undefined,
    label: 'this build',
    trust: trustOf(pullRequest),
    commit: commitSha
      ? { kind: 'commit', sha: commitSha, place, isOfEvent: true }
      : { kind: 'unknown', message: noCommit },
    reported: undefined,
    branch,
    isTag: false,
    pullRequest: undefined,
    ofBranch: undefined,
    thread: undefined,
    defaultBranch,
  };
  if (pullRequest === undefined) return common;
  const { number, isFork, isClosed } = pullRequest;
  return {
    ...common,
    action: isClosed ? 'closed' : 'synchronize',
    commit: isClosed ? { kind: 'skip', reason: 'pull-request-closed' } : common.commit,
    pullRequest: {
      kind: 'known',
      pullRequest: {
        number,
        branch: branch ?? '',
        // The end of a preview needs no commit; for anything else, an unknown one is reported as missing.
        sha: commitSha,
        isOpen: !isClosed,
        isFork,
        headRepository: undefined,
        baseRepository: undefined,
      },
    },
    thread: { number, isPullRequest: true, commentId: undefined },
  };
}

/** What started a run of the command line, and where. */
export interface CommandLine {
  command: string;
  /** The current folder: the paths of inputs are relative to it. */
  folder: string;
  /** The folder of the git repository; undefined if there is none. */
  checkout: string | undefined;
  /** A folder for temporary files. */
  temp: string;
  /** What is said if the commit of the build is not known. */
  noCommit: string;
}

/** Describes a run outside GitHub. */
export function runContext(
  build: Build,
  { command, folder, checkout, temp, noCommit }: CommandLine,
): RunContext {
  const clone = readCloneUrl(build.cloneUrl);
  const { serverUrl, repository, path, username, token } = clone;
  const commitsUrl = commitsUrlOf(clone, build.ci);
  return {
    repository,
    serverUrl,
    // Never requested: see `can`.
    apiUrl: '',
    can: { recordsDeployments: false, readsPullRequests: false },
    sign: build.ci?.request?.sign ?? '#',
    ...(commitsUrl !== undefined && { commitsUrl }),
    clone: { username, token, path },
    workspace: folder,
    ...(checkout !== undefined && { checkout }),
    temp,
    runUrl: build.runUrl ?? '',
    event: eventOf(build, noCommit),
    identity: {
      repository,
      runId: build.runId ?? '',
      runAttempt: '',
      job: build.ci?.name ?? 'git',
      step: command,
      nonce: crypto.randomUUID(),
    },
  };
}
