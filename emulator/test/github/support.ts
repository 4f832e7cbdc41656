import {
  type GitHubOptions,
  type GitHubStandIn,
  type PullRequest,
  startGitHub,
} from '../../github/index.ts';

export const repository = 'octo-org/octo-site';
export const headSha = '0123456789abcdef0123456789abcdef01234567';
export const baseSha = '89abcdef0123456789abcdef0123456789abcdef';
export const authorization = 'Bearer fake-github-token';

/** An open pull request within the repository; `changes` win. */
export function pullRequest(number: number, changes: Partial<PullRequest> = {}): PullRequest {
  return {
    number,
    state: 'open',
    head: { ref: `topic-${number}`, sha: headSha, repo: { full_name: repository, fork: false } },
    base: { ref: 'main', sha: baseSha },
    ...changes,
  };
}

/** Starts a stand-in that knows pull request 7. */
export async function start(options?: GitHubOptions): Promise<GitHubStandIn> {
  const github = await startGitHub(options);
  github.pullRequests.set(`${repository}#7`, pullRequest(7));
  return github;
}

/** An answer, its body parsed if it is JSON. */
export type Answer = { status: number; headers: Headers; body: unknown };

/** Sends a request with the stand-in's token. A path without a slash is below the repository's. */
export async function ask(
  github: GitHubStandIn,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  const url = path.startsWith('/') ? path : `/repos/${repository}/${path}`;
  const response = await fetch(url.startsWith('/') ? `${github.url}${url}` : url, {
    method,
    headers: { authorization },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.startsWith('application/json') === true;
  const { status, headers } = response;
  return { status, headers, body: json ? JSON.parse(text) : text };
}
