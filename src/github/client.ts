import { setImmediate as nextTurn } from 'node:timers/promises';
import { openPool, type Pool } from '../http/pool.ts';
import type { PullRequest } from '../kernel/event.ts';
import { asObject } from '../kernel/json.ts';
import type { CommentServer } from '../platform.ts';
import { NoAnswer, StrangeAnswer } from './errors.ts';
import { readPullRequest } from './model/pull-request.ts';

/** The GitHub API, and the repository of the requests. */
export interface GitHubAccess {
  /** `GITHUB_API_URL`. */
  apiUrl: string;
  token: string;
  /** `owner/name`. */
  repository: string;
  /** Where the run's comments are, if not on GitHub. */
  comments?: CommentServer | undefined;
}

/** The time limit for one request, in milliseconds. */
const longestRequest = 10_000;

/**
 * The version of GitHub's REST API that is requested: every GitHub Enterprise Server that has versions has this one,
 * and GitHub supports it until March 2028.
 */
const apiVersion = '2022-11-28';

/** GitHub's maximum page size. */
const pageSize = 100;

/**
 * How long an idle connection to GitHub is kept, in milliseconds, so that the end of a run can reuse the first ones. TCP
 * keepalives keep them open.
 */
const keepAliveTimeout = 300_000;

/** The prefix of an installation token, the workflow's own included. */
const appToken = 'ghs_';

/** The connections of this process to GitHub, by URL. They end with the process. */
const pools = new Map<string, Pool>();

function poolFor(apiUrl: string): Pool {
  const pool = pools.get(apiUrl) ?? openPool(new URL(apiUrl), { keepAliveTimeout, allowH2: true });
  pools.set(apiUrl, pool);
  return pool;
}

/**
 * GitHub's client and the repository. Each request has its own time limit of 10 s besides the signal, if any; if one of
 * them aborts it, it throws {@link NoAnswer}. The module is large, so it is loaded when needed.
 */
export async function openOctokit(
  { apiUrl, token, repository }: Pick<GitHubAccess, 'apiUrl' | 'token' | 'repository'>,
  signal?: AbortSignal,
) {
  const [{ getOctokit }, { fetchOver }] = await Promise.all([
    import('@actions/github'),
    import('../http/fetch.ts'),
  ]);
  const request = { fetch: fetchOver(poolFor(apiUrl)) };
  const { rest, hook } = getOctokit(token, { baseUrl: apiUrl, request });
  hook.wrap('request', async (send, options) => {
    const ownLimit = AbortSignal.timeout(longestRequest);
    const limit = signal === undefined ? ownLimit : AbortSignal.any([signal, ownLimit]);
    // In place: the client's other hooks already have a reference to these options.
    Object.assign(options, {
      request: { ...options.request, signal: limit },
      headers: { ...options.headers, 'x-github-api-version': apiVersion },
    });
    try {
      const answer = await send(options);
      // The client treats a truncated body as an empty one.
      if (limit.aborted) throw new NoAnswer();
      // Then the next request can reuse the connection.
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

/** The limit of pages of a list. A server may return pages without end. */
const maxPages = 100;

interface Page<Item> {
  data: readonly Item[];
  headers: { link?: string | undefined };
}

/** Whether another page follows. A server without links shows that by a full page. */
const hasNext = ({ data, headers: { link } }: Page<unknown>): boolean =>
  link === undefined ? data.length >= pageSize : /;\s*rel="?next"?/.test(link);

/**
 * The pages of a list. The client's own paging takes no signal, and sends the token to any linked address. Other servers
 * may have shorter pages with links, or return the same page for each number: the list ends with a page without new items.
 *
 * @param read reads one page, counted from 1
 * @throws StrangeAnswer if a page is not a list, such as an error page with status 200, or if the list does not end
 */
export async function* pagesOf<Item extends { id: number }>(
  read: (page: { per_page: number; page: number }) => Promise<Page<Item>>,
  server = 'GitHub',
): AsyncGenerator<Item[]> {
  const known = new Set<number>();
  for (let number = 1; number <= maxPages; number += 1) {
    const page = await read({ per_page: pageSize, page: number });
    if (!Array.isArray(page.data)) {
      throw new StrangeAnswer(`${server}'s response is not a list`);
    }
    const items = page.data.filter(({ id }) => !known.has(id));
    for (const { id } of items) known.add(id);
    yield items;
    if (items.length === 0 || !hasNext(page)) return;
  }
  throw new StrangeAnswer(`${server}'s list has more than ${maxPages * pageSize} items`);
}

/** All items of a list; see {@link pagesOf}. */
export async function* readPages<Item extends { id: number }>(
  ...list: Parameters<typeof pagesOf<Item>>
): AsyncGenerator<Item> {
  for await (const page of pagesOf(...list)) yield* page;
}

/** What decides whether a preview is kept, and when that was read: by GitHub's clock, in milliseconds since the epoch. */
export type PullState = Pick<PullRequest, 'isOpen'> & { labels: readonly string[]; at: number };

/** `GET /repos/{owner}/{repo}/pulls/{number}`; undefined if it has no readable head. */
export async function getPullRequest(
  { rest, owner, repo }: Octokit,
  number: number,
): Promise<(PullRequest & PullState) | undefined> {
  const { data, headers } = await rest.pulls.get({ owner, repo, pull_number: number });
  const pull = readPullRequest(data);
  const labels = [data.labels].flat().map((label) => String(asObject(label)?.['name']));
  return pull && { ...pull, labels, at: Date.parse(headers.date ?? '') };
}

/**
 * `GET /repos/{owner}/{repo}/pulls?state=all&head=…`: the accepted pull request of a branch; an open one before a
 * closed one, a newer one before an older one. The filter contains the owner of the branch's repository, not its name.
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
