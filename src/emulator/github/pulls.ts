import { failure } from './exchange.ts';
import type { Route } from './router.ts';

/** A pull request as far as somebody here needs it; further fields are answered as they are. */
export type PullRequest = {
  number: number;
  state: 'open' | 'closed';
  head: { ref: string; sha: string; repo: { full_name: string; fork: boolean } | null };
  base: { ref: string; sha: string };
  [field: string]: unknown;
};

/** Pull requests by repository and number: `octo-org/octo-site#7`. */
export type PullRequests = Map<string, PullRequest>;

/** The operations on pull requests. */
export function pullRequestRoutes(pullRequests: PullRequests): Route[] {
  return [
    {
      method: 'GET',
      path: '/repos/:owner/:repo/pulls/:number',
      handle: ({ owner = '', repo = '', number = '' }) => {
        const body = pullRequests.get(`${owner}/${repo}#${number}`);
        return body === undefined
          ? failure(404, 'Not Found', '/pulls/pulls#get-a-pull-request')
          : { status: 200, body };
      },
    },
  ];
}
