import { tmpdir } from 'node:os';
import { sha } from '../contract/commit.ts';
import { noCommitIn, type RunEvent, type Trust } from '../kernel/event.ts';
import { safe } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { decoded } from '../push/model/git-url.ts';
import type { CiContext } from './ci-context.ts';

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
  const repository = decoded(wholePath).replace(/(\.git)?\/*$/, '');
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
function commitsUrlOf({ serverUrl, repository }: Clone, service: string): string | undefined {
  const page = `${serverUrl}/${repository}`;
  if (service === 'GitLab CI/CD' || /^https?:\/\/gitlab\./.test(page)) return `${page}/-/commit/`;
  if (page.startsWith('https://bitbucket.org/')) return `${page}/commits/`;
  // Bitbucket Data Center clones from another path than its pages have.
  return /^(.+\/)?scm\//.test(repository) ? '' : undefined;
}

const noCommit = sha('0'.repeat(40));

/** Who started a run: a writer, or who proposed its code. Who may push to the repository is trusted as a member is. */
function trustOf({ pullRequest, fromFork = false }: CiContext): Trust {
  const trusted = { withheld: undefined, isOfWriters: true };
  if (pullRequest === undefined) return { ...trusted, starter: { kind: 'writer' }, code: 'merged' };
  const starter = (association: string) => ({ kind: 'proposer', association }) as const;
  return fromFork
    ? { starter: starter('NONE'), code: 'unknown', withheld: 'fork', isOfWriters: false }
    : { ...trusted, starter: starter('MEMBER'), code: 'own-branch' };
}

/** What started the run. */
function eventOf(ci: CiContext): RunEvent {
  const { pullRequest: number, branch, fromFork = false, stop = false } = ci;
  const commitSha = ci.commitSha === undefined ? undefined : sha(ci.commitSha);
  const name = number === undefined ? '' : 'pull_request';
  const place =
    number === undefined
      ? safe`the commit of the workflow run (GITHUB_SHA)`
      : safe`the head of the pull request, not GitHub's merge commit`;
  const common: RunEvent = {
    kind: 'other',
    name,
    action: undefined,
    label: 'this build',
    trust: trustOf(ci),
    commit: commitSha ? { kind: 'commit', sha: commitSha, place } : noCommitIn(name),
    pullRequest: undefined,
    thread: undefined,
    defaultBranch: undefined,
    tree: undefined,
  };
  if (number === undefined) return common;
  return {
    ...common,
    action: stop ? 'closed' : 'synchronize',
    commit: stop ? { kind: 'skip', reason: 'pull-request-closed' } : common.commit,
    pullRequest: {
      kind: 'known',
      pullRequest: {
        number,
        branch: branch ?? `pr-${number}`,
        // The end of a preview needs no commit; for anything else, an unknown one is reported as missing.
        sha: commitSha ?? noCommit,
        isOpen: !stop,
        isFork: fromFork,
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
  temp: string | undefined;
}

/** Describes a run outside GitHub. */
export function runContext(
  ci: CiContext,
  { command, folder, checkout, temp = tmpdir() }: CommandLine,
): RunContext {
  const clone = readCloneUrl(ci.cloneUrl);
  const { serverUrl, repository, path, username, token } = clone;
  const commitsUrl = commitsUrlOf(clone, ci.service);
  return {
    repository,
    serverUrl,
    // Never requested: see `can`.
    apiUrl: '',
    can: { recordsDeployments: false, readsPullRequests: false, hasWorkflow: false },
    ...(commitsUrl !== undefined && { commitsUrl }),
    clone: { username, token, path },
    workspace: folder,
    ...(checkout !== undefined && { checkout }),
    temp,
    runUrl: ci.runUrl ?? '',
    refName: ci.branch ?? '',
    event: eventOf(ci),
    identity: {
      repository,
      runId: ci.runId ?? '',
      runAttempt: '',
      job: ci.service,
      step: command,
      nonce: crypto.randomUUID(),
    },
  };
}
