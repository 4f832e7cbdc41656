import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  failure,
  type GitHubRequest,
  type JournalEntry,
  type Reply,
  readRequest,
  send,
} from './exchange.ts';
import { type PullRequests, pullRequestRoutes } from './pulls.ts';
import { createRouter } from './router.ts';
import { type TroubleRule, troubleFor } from './trouble.ts';

export type { GitHubRequest, JournalEntry } from './exchange.ts';
export type { PullRequest, PullRequests } from './pulls.ts';
export type { Trouble, TroubleRule } from './trouble.ts';

/** A local server that stands for api.github.com, as far as is needed here. */
export type GitHubStandIn = AsyncDisposable & {
  /** The base URL, without a slash at its end: what `GITHUB_API_URL` has to be. */
  url: string;
  /** The only token that is accepted. */
  token: string;
  /** What `GET /repos/{owner}/{repo}/pulls/{number}` answers; to be filled by tests. */
  pullRequests: PullRequests;
  /** Every request so far, in the order of the answers. */
  journal: readonly JournalEntry[];
  /** Trouble from the next request on; undefined for none. */
  trouble: TroubleRule | undefined;
};

/**
 * Starts the stand-in on a free port of the loopback interface. Disposing of it stops it.
 * @param options `token`: the token to accept, default a fake one.
 */
export async function startGitHub(options: { token?: string } = {}): Promise<GitHubStandIn> {
  const token = options.token ?? 'fake-github-token';
  const journal: JournalEntry[] = [];
  const pullRequests: PullRequests = new Map();
  const route = createRouter([...pullRequestRoutes(pullRequests)]);
  const answer = (request: GitHubRequest): Reply =>
    refusal(request, token) ?? troubleFor(standIn.trouble, request) ?? route(request);

  const server = createServer((incoming, response) => {
    readRequest(incoming).then(
      (request) => {
        const reply = answer(request);
        journal.push({ ...request, status: reply.status });
        send(response, reply);
      },
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port');

  const standIn: GitHubStandIn = {
    url: `http://127.0.0.1:${address.port}`,
    token,
    pullRequests,
    journal,
    trouble: undefined,
    [Symbol.asyncDispose]: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return standIn;
}

/** GitHub's answer to a request that does not say who sends it. */
function refusal({ headers }: GitHubRequest, token: string): Reply | undefined {
  if (headers['user-agent'] === undefined) {
    return { status: 403, body: 'Request forbidden by administrative rules.' };
  }
  const [, given] = /^(?:token|bearer) (.+)$/i.exec(headers.authorization ?? '') ?? [];
  if (given === undefined) return failure(401, 'Requires authentication');
  return given === token ? undefined : failure(401, 'Bad credentials');
}
