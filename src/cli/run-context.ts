import { tmpdir } from 'node:os';
import type { WorkflowEvent } from '../kernel/event.ts';
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

/** Stands for the repository where nothing names it. */
const anyRepository = 'this/repository';

const noCommit = '0'.repeat(40);

/** The run as GitHub would describe it: a pull request, or else a run that a writer started by hand. */
function eventOf(ci: CiContext, repository: string): WorkflowEvent {
  const { commitSha, pullRequest: number, branch, fromFork = false, stop = false } = ci;
  // The end of a preview needs no commit; for anything else, an unknown one is reported as missing.
  const sha = commitSha ?? (number === undefined ? '' : noCommit);
  if (number === undefined) return { name: '', payload: {}, sha, actor: '' };
  const repo = { full_name: repository || anyRepository };
  return {
    name: 'pull_request',
    sha,
    actor: '',
    payload: {
      action: stop ? 'closed' : 'synchronize',
      pull_request: {
        number,
        state: stop ? 'closed' : 'open',
        // Who may push to the project itself is trusted as a member is; others are strangers.
        author_association: fromFork ? 'NONE' : 'MEMBER',
        head: { ref: branch ?? `pr-${number}`, sha, repo: fromFork ? null : repo },
        base: { repo },
      },
    },
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
    apiUrl: '',
    ...(commitsUrl !== undefined && { commitsUrl }),
    clone: { username, token, path },
    workspace: folder,
    ...(checkout !== undefined && { checkout }),
    temp,
    runUrl: ci.runUrl ?? '',
    refName: ci.branch ?? '',
    event: eventOf(ci, repository),
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
