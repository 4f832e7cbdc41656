import {
  headLabel,
  listedPullRequest,
  type PullRequest,
  wholePullRequest,
} from '../objects/pull-request.ts';
import type { Call, Handler } from '../operation.ts';
import { pageOf } from '../pages.ts';
import { notFound } from '../refusal.ts';
import type { World } from '../state/world.ts';

/** What the query of `pulls/list` lets through. A head without an owner is no filter, as on GitHub. */
function selects({ state = 'open', head, base }: Call['query'], one: PullRequest): boolean {
  if (state !== 'all' && one.state !== state) return false;
  if (head?.includes(':') && headLabel(one) !== head) return false;
  return base === undefined || one.base.ref === base;
}

/** True for a pull request that GitHub connects with a commit, or with a branch by its name. */
function concerns(commit: string | undefined, one: PullRequest): boolean {
  if (one.state === 'closed' && typeof one.merged_at !== 'string') return false;
  return [one.head.sha, one.head.ref, one.merge_commit_sha].includes(commit);
}

/** The operations on pull requests. */
export function pullOperations(world: World) {
  const list = (call: Call, pullRequests: readonly PullRequest[]) =>
    pageOf(
      world,
      call,
      pullRequests.map((one) => listedPullRequest(world.api, call.repository, one)),
    );

  return {
    'pulls/get': ({ repository, parameters }) => {
      const number = parameters['pull_number'];
      const found = world.pullRequests.get(`${repository}#${number}`);
      if (found === undefined) throw notFound();
      const comments = world.comments.of(repository, Number(number)).length;
      return { status: 200, body: wholePullRequest(world.api, repository, found, comments) };
    },
    'pulls/list': (call) => {
      const { sort = 'created', direction = 'desc' } = call.query;
      if (sort !== 'created') throw new Error(`the emulator has no sort=${sort}`);
      const chosen = world
        .pullRequestsOf(call.repository)
        .filter((one) => selects(call.query, one));
      return list(call, direction === 'desc' ? chosen.reverse() : chosen);
    },
    'repos/list-pull-requests-associated-with-commit': (call) => {
      const commit = call.parameters['commit_sha'];
      return list(
        call,
        world.pullRequestsOf(call.repository).filter((one) => concerns(commit, one)),
      );
    },
  } satisfies Record<string, Handler>;
}
