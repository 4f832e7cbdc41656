import { type PullRequest, readPullRequest } from '../core/pull-request.ts';

/** Where GitHub is, and for which repository it is asked. */
export interface GitHubAccess {
  /** `GITHUB_API_URL`. */
  apiUrl: string;
  token: string;
  /** `owner/name`. */
  repository: string;
}

/** GitHub's client, with the repository that each request is about. The module is large, so it is loaded when it is needed. */
export async function openOctokit({ apiUrl, token, repository }: GitHubAccess) {
  const { getOctokit } = await import('@actions/github');
  const [owner = '', repo = ''] = repository.split('/');
  return { rest: getOctokit(token, { baseUrl: apiUrl }), owner, repo };
}

/** What {@link openOctokit} gives. */
export type Octokit = Awaited<ReturnType<typeof openOctokit>>;

/** `GET /repos/{owner}/{repo}/pulls/{number}`; undefined if it has no head to read. */
export async function getPullRequest(
  { rest, owner, repo }: Octokit,
  number: number,
  signal: AbortSignal,
): Promise<PullRequest | undefined> {
  const { data } = await rest.rest.pulls.get({
    owner,
    repo,
    pull_number: number,
    request: { signal },
  });
  return readPullRequest(data);
}

/** `GET /repos/{owner}/{repo}/commits/{sha}/pulls`: the open pull request whose head a commit is. */
export async function findPullRequest(
  { rest, owner, repo }: Octokit,
  sha: string,
  signal: AbortSignal,
): Promise<PullRequest | undefined> {
  const { data } = await rest.rest.repos.listPullRequestsAssociatedWithCommit({
    owner,
    repo,
    commit_sha: sha,
    per_page: 100,
    request: { signal },
  });
  const pullRequests = data.map(readPullRequest).filter((one) => one !== undefined);
  return pullRequests.find((one) => one.isOpen && one.sha === sha);
}
