import { URLPattern } from 'node:url';
import { failure, type GitHubRequest, type Reply } from './exchange.ts';

/** An operation of GitHub's API. */
export type Route = {
  method: string;
  /** A pathname with named groups: `/repos/:owner/:repo/pulls/:number`. */
  path: string;
  /** @param groups what stands for each named group. */
  handle: (groups: Readonly<Record<string, string | undefined>>, request: GitHubRequest) => Reply;
};

/** Answers a request by the first route that fits; like GitHub, with 404 for a method that it does not know. */
export function createRouter(routes: readonly Route[]): (request: GitHubRequest) => Reply {
  const table = routes.map((route) => ({
    ...route,
    pattern: new URLPattern({ pathname: route.path }),
  }));
  return (request) => {
    for (const { method, pattern, handle } of table) {
      const match = pattern.exec({ pathname: request.path });
      if (match !== null && method === request.method)
        return handle(match.pathname.groups, request);
    }
    return failure(404, 'Not Found');
  };
}
