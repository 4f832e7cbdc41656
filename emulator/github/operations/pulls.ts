import { z } from 'zod';
import {
  headLabel,
  listedPullRequest,
  type PullRequest,
  wholePullRequest,
} from '../objects/pull-request.ts';
import type { Call, Handler } from '../operation.ts';
import { pageOf } from '../pages.ts';
import type { PullRequestChanges } from '../pull-requests.ts';
import { notFound } from '../refusal.ts';
import type { World } from '../state/world.ts';

const creation = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().nullable().default(null),
  draft: z.boolean().default(false),
});

const change = z.object({
  title: z.string().optional(),
  body: z.string().optional(),
  state: z.enum(['open', 'closed']).optional(),
});

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
export function pullOperations(world: World, changes: PullRequestChanges) {
  const whole = (repository: string, found: PullRequest) => {
    const comments = world.comments.of(repository, found.number).length;
    return wholePullRequest(world.api, repository, found, comments);
  };
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
      return { status: 200, body: whole(repository, found) };
    },
    'pulls/create': async ({ repository, body, login }) => {
      const opened = await changes.open(repository, creation.parse(body), login);
      return { status: 201, body: whole(repository, opened) };
    },
    'pulls/update': async ({ repository, parameters, body, login }) => {
      const number = Number(parameters['pull_number']);
      const changed = await changes.update(repository, number, change.parse(body), login);
      return { status: 200, body: whole(repository, changed) };
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
