import { asObject } from '../core/json.ts';
import { clean } from '../core/text/clean.ts';

/** Where to ask GitHub. */
export interface GitHubAccess {
  apiUrl: string;
  token: string;
  /** `owner/name`. */
  repository: string;
}

/** The head commit of a pull request, or why it cannot be had. */
export type PullRequestHead = { sha: string } | { problem: string };

/** Asks GitHub for a pull request's head: `GET /repos/{owner}/{repo}/pulls/{number}`. */
export async function readPullRequestHead(
  { apiUrl, token, repository }: GitHubAccess,
  number: number,
  signal: AbortSignal,
): Promise<PullRequestHead> {
  const [owner = '', repo = ''] = repository.split('/');
  if (token === '') return { problem: 'github-token is empty, so GitHub cannot be asked' };
  const { getOctokit } = await import('@actions/github');
  const octokit = getOctokit(token, { baseUrl: apiUrl });
  try {
    const { data } = await octokit.rest.pulls.get({
      owner,
      repo,
      pull_number: number,
      request: { signal },
    });
    const sha = asObject(asObject(data)?.['head'])?.['sha'];
    return typeof sha === 'string' ? { sha } : { problem: 'its answer names no head commit' };
  } catch (error) {
    const status = error instanceof Error && 'status' in error ? ` ${error.status}` : '';
    const words = error instanceof Error ? clean(error.message, 200) : '';
    const permission =
      status === ' 403' || status === ' 404'
        ? ': the job may need permissions: pull-requests: read'
        : '';
    return { problem: `GitHub answered${status}: ${words}${permission}` };
  }
}
