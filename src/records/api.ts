import { setImmediate as nextTurn } from 'node:timers/promises';
import { openPool, type Pool } from '../http/pool.ts';
import { type PullRequest, readPullRequest } from '../kernel/pull-request.ts';
import { NoAnswer, StrangeAnswer } from './trouble.ts';

/** Where GitHub is, and for which repository it is asked. */
export interface GitHubAccess {
  /** `GITHUB_API_URL`. */
  apiUrl: string;
  token: string;
  /** `owner/name`. */
  repository: string;
}

/** How long GitHub may take for one request, in milliseconds. */
const longestRequest = 10_000;

/**
 * The version of GitHub's REST API that is requested: every GitHub Enterprise Server that has versions has this one,
 * and GitHub supports it until March 2028.
 */
const apiVersion = '2022-11-28';

/** The most that GitHub puts on one page of a list. */
const pageSize = 100;

/**
 * How long a connection to GitHub is kept without a request, in milliseconds: those that a run begins with are to
 * serve its end, too. Between two probes of TCP no network forgets them.
 */
const keepAliveTimeout = 300_000;

/** How the token of an app's installation begins, the workflow's own included. */
const appToken = 'ghs_';

/** The connections of this process to GitHub, by its address. They end with the process. */
const pools = new Map<string, Pool>();

function poolFor(apiUrl: string): Pool {
  const pool = pools.get(apiUrl) ?? openPool(new URL(apiUrl), { keepAliveTimeout, allowH2: true });
  pools.set(apiUrl, pool);
  return pool;
}

/**
 * GitHub's client, with the repository that each request is about. Every request has a limit of its own, 10 s,
 * beside the signal; one that is ended by either throws {@link NoAnswer}. The module is large, so it is loaded
 * when it is needed.
 */
export async function openOctokit(
  { apiUrl, token, repository }: GitHubAccess,
  signal: AbortSignal,
) {
  const [{ getOctokit }, { fetchOver }] = await Promise.all([
    import('@actions/github'),
    import('../http/fetch.ts'),
  ]);
  const request = { fetch: fetchOver(poolFor(apiUrl)) };
  const { rest, hook } = getOctokit(token, { baseUrl: apiUrl, request });
  hook.wrap('request', async (send, options) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestRequest)]);
    // In place: the client's other hooks hold these options already, and no others reach them.
    Object.assign(options, {
      request: { ...options.request, signal: limit },
      headers: { ...options.headers, 'x-github-api-version': apiVersion },
    });
    try {
      const answer = await send(options);
      // The client takes a body that is cut off for an empty one.
      if (limit.aborted) throw new NoAnswer();
      // Then its connection can be used again, and the next request needs no new one.
      await nextTurn();
      return answer;
    } catch (error) {
      throw limit.aborted ? new NoAnswer({ cause: error }) : error;
    }
  });
  const [owner = '', repo = ''] = repository.split('/');
  return { rest, owner, repo, isApp: token.startsWith(appToken) };
}

/** What {@link openOctokit} gives. */
export type Octokit = Awaited<ReturnType<typeof openOctokit>>;

/** The most pages of a list that are read. A server may answer the same page for ever. */
const maxPages = 100;

/** A page of a list, as GitHub's client gives it. */
interface Page<Item> {
  data: readonly Item[];
  headers: { link?: string | undefined };
}

/** Whether a page says that another follows. A server that links no pages says it by a full one. */
const hasNext = ({ data, headers: { link } }: Page<unknown>): boolean =>
  link === undefined ? data.length >= pageSize : /;\s*rel="?next"?/.test(link);

/**
 * All items of a list, page by page: the client's own way to page takes no signal, and goes wherever a link leads,
 * with the token. Other servers have shorter pages, which their links tell, or the same one whatever is asked: the
 * list ends with a page that brings nothing new.
 *
 * @param read reads one page, counted from 1
 * @throws Error if a page is no list, such as an error page with status 200, or if the list does not end
 */
export async function* readPages<Item extends { id: number }>(
  read: (page: { per_page: number; page: number }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  const seen = new Set<number>();
  for (let number = 1; number <= maxPages; number += 1) {
    const page = await read({ per_page: pageSize, page: number });
    if (!Array.isArray(page.data)) {
      throw new StrangeAnswer('GitHub answered something that is no list');
    }
    const items = page.data.filter(({ id }) => !seen.has(id));
    for (const { id } of items) seen.add(id);
    yield* items;
    if (items.length === 0 || !hasNext(page)) return;
  }
  throw new StrangeAnswer(`GitHub answered a list of more than ${maxPages * pageSize} items`);
}

/** `GET /repos/{owner}/{repo}/pulls/{number}`; undefined if it has no head to read. */
export async function getPullRequest(
  { rest, owner, repo }: Octokit,
  number: number,
): Promise<PullRequest | undefined> {
  const { data } = await rest.pulls.get({ owner, repo, pull_number: number });
  return readPullRequest(data);
}

/**
 * `GET /repos/{owner}/{repo}/pulls?state=all&head=…`: the pull request of a branch that is accepted; an open one before
 * a closed one, a newer one before an older one. The filter knows the owner of the branch's repository, not the
 * repository.
 */
export async function findPullRequestOfBranch(
  { rest, owner, repo }: Octokit,
  head: { owner: string; branch: string },
  accepts: (pullRequest: PullRequest) => boolean,
): Promise<PullRequest | undefined> {
  const filter = { state: 'all', head: `${head.owner}:${head.branch}` } as const;
  const listed = readPages((page) => rest.pulls.list({ owner, repo, ...filter, ...page }));
  let closed: PullRequest | undefined;
  for await (const one of listed) {
    const pullRequest = readPullRequest(one);
    if (pullRequest === undefined || !accepts(pullRequest)) continue;
    if (pullRequest.isOpen) return pullRequest;
    closed ??= pullRequest;
  }
  return closed;
}

/** `GET /repos/{owner}/{repo}/commits/{sha}/pulls`: the first pull request of a commit that is accepted. */
export async function findPullRequest(
  { rest, owner, repo }: Octokit,
  sha: string,
  accepts: (pullRequest: PullRequest) => boolean,
): Promise<PullRequest | undefined> {
  const listed = readPages((page) =>
    rest.repos.listPullRequestsAssociatedWithCommit({ owner, repo, commit_sha: sha, ...page }),
  );
  for await (const one of listed) {
    const pullRequest = readPullRequest(one);
    if (pullRequest !== undefined && accepts(pullRequest)) return pullRequest;
  }
  return undefined;
}
