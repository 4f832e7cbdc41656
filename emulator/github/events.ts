import { user } from './objects/actors.ts';
import { type PullRequest, wholePullRequest } from './objects/pull-request.ts';
import { repository as repositoryObject } from './objects/repository.ts';
import type { World } from './state/world.ts';

/** A branch or a tag that a push changed. An id of zeros: there is none. */
export type RefChange = { ref: string; before: string; after: string };

/** The id that stands for no commit. */
export const noCommit: string = '0'.repeat(40);

/** A commit as a push tells it. */
export type PushedCommit = {
  id: string;
  tree: string;
  message: string;
  author: string;
  at: string;
};

/** What every event tells: where it happened, and who did it. */
export function commonPayload(world: World, repository: string, actor: string) {
  const default_branch = world.defaultBranches.get(repository) ?? 'main';
  return {
    repository: { ...repositoryObject(world.api, repository), default_branch },
    sender: user(world.api, actor),
  };
}

/** The payload of a push. */
export function pushPayload(
  world: World,
  repository: string,
  change: RefChange & { commits: readonly PushedCommit[]; isForced: boolean },
  actor: string,
) {
  const { ref, before, after, isForced } = change;
  const email = `${actor}@users.noreply.github.com`;
  const commits = change.commits.map(({ id, tree, message, author, at }) => ({
    id,
    tree_id: tree,
    distinct: true,
    message,
    timestamp: at,
    url: `https://github.com/${repository}/commit/${id}`,
    author: { name: author, email },
    committer: { name: author, email },
    added: [],
    removed: [],
    modified: [],
  }));
  return {
    ref,
    before,
    after,
    created: before === noCommit,
    deleted: after === noCommit,
    forced: isForced,
    base_ref: null,
    compare: `https://github.com/${repository}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    pusher: { name: actor, email },
    ...commonPayload(world, repository, actor),
  };
}

/** The payload of what happened to a pull request. */
export function pullRequestPayload(
  world: World,
  repository: string,
  pull: PullRequest,
  actor: string,
  more: { action: string; before?: string; after?: string },
) {
  const comments = world.comments.of(repository, pull.number).length;
  return {
    ...more,
    number: pull.number,
    pull_request: wholePullRequest(world.api, repository, pull, comments),
    ...commonPayload(world, repository, actor),
  };
}
