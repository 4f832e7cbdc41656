import { noCommit, pullRequestPayload, type RefChange } from './events.ts';
import { writePullRefs } from './history.ts';
import type { PullRequest } from './objects/pull-request.ts';
import { invalid, notFound } from './refusal.ts';
import type { GitHubEvent } from './state/event.ts';
import type { World } from './state/world.ts';

/** A pull request to open. */
export type NewPullRequest = {
  title: string;
  /** The branch that has the changes; `owner:branch` for this repository's owner too. */
  head: string;
  /** The branch that they are for. */
  base: string;
  body?: string | null;
  draft?: boolean;
};

/** What may change of a pull request. */
export type PullRequestChange = {
  title?: string | undefined;
  body?: string | undefined;
  state?: 'open' | 'closed' | undefined;
};

const resource = 'PullRequest';

/** Opens, changes and closes pull requests as GitHub does, and tells of each such event. */
export class PullRequestChanges {
  readonly #world: World;
  readonly #folderOf: (repository: string) => Promise<string> | undefined;

  constructor(world: World, folderOf: (repository: string) => Promise<string> | undefined) {
    this.#world = world;
    this.#folderOf = folderOf;
  }

  /** @throws a Refusal if a branch is missing, has nothing new, or has an open pull request already */
  async open(repository: string, given: NewPullRequest, actor: string): Promise<PullRequest> {
    const world = this.#world;
    const ref = given.head.replace(`${repository.split('/')[0]}:`, '');
    const head = this.#tipOf(repository, ref, 'head');
    const base = this.#tipOf(repository, given.base, 'base');
    const all = world.pullRequestsOf(repository);
    const isThere = all.some(
      (one) => one.state === 'open' && one.head.ref === ref && one.base.ref === given.base,
    );
    if (isThere) {
      throw custom(`A pull request already exists for ${repository.split('/')[0]}:${ref}.`);
    }
    if (world.ancestryOf(repository, base)?.has(head)) {
      throw custom(`No commits between ${given.base} and ${ref}`);
    }
    const at = world.now();
    const pull: PullRequest = {
      number: world.nextNumber(repository),
      state: 'open',
      title: given.title,
      body: given.body ?? null,
      draft: given.draft ?? false,
      head: { ref, sha: head, repo: { full_name: repository, fork: false } },
      base: { ref: given.base, sha: base },
      user: { login: actor },
      author_association: 'OWNER',
      created_at: at,
      updated_at: at,
    };
    world.pullRequests.set(`${repository}#${pull.number}`, pull);
    await this.#tell(repository, pull, actor, { action: 'opened' });
    return pull;
  }

  /** @throws a Refusal if there is no such pull request, or it cannot be reopened */
  async update(
    repository: string,
    number: number,
    { title, body, state }: PullRequestChange,
    actor: string,
  ): Promise<PullRequest> {
    const pull = this.#world.pullRequests.get(`${repository}#${number}`);
    if (pull === undefined) throw notFound();
    const isMoved = state !== undefined && state !== pull.state;
    if (isMoved && state === 'open' && typeof pull.merged_at === 'string') {
      throw custom('Cannot reopen a merged pull request', 'state');
    }
    if (isMoved && state === 'open') pull.head.sha = this.#tipOf(repository, pull.head.ref, 'head');
    const isEdited = title !== undefined || body !== undefined;
    Object.assign(pull, {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      updated_at: this.#world.now(),
    });
    if (isEdited) await this.#tell(repository, pull, actor, { action: 'edited' });
    if (isMoved && state === 'closed') await this.#close(repository, pull, actor);
    else if (isMoved) {
      Object.assign(pull, { state, closed_at: null });
      await this.#tell(repository, pull, actor, { action: 'reopened' });
    }
    return pull;
  }

  /** Does to pull requests what a push to a branch does: new commits, a merge, or the end of a head. */
  async follow(
    repository: string,
    { ref, before, after }: RefChange,
    actor: string,
  ): Promise<void> {
    const branch = ref.replace(/^refs\/heads\//, '');
    const open = this.#world.pullRequestsOf(repository).filter(({ state }) => state === 'open');
    for (const pull of open) {
      if (pull.head.ref === branch && after === noCommit)
        await this.#close(repository, pull, actor);
      else if (pull.head.ref === branch) {
        pull.head.sha = after;
        await this.#tell(repository, pull, actor, { action: 'synchronize', before, after });
      } else if (pull.base.ref === branch) await this.#moveBase(repository, pull, after, actor);
    }
  }

  async #moveBase(
    repository: string,
    pull: PullRequest,
    after: string,
    actor: string,
  ): Promise<void> {
    if (after === noCommit) return await this.#close(repository, pull, actor);
    const isMerged = this.#world.ancestryOf(repository, after)?.has(pull.head.sha) === true;
    if (!isMerged) {
      pull.base.sha = after;
      return;
    }
    Object.assign(pull, { merged_at: this.#world.now(), merge_commit_sha: after });
    await this.#close(repository, pull, actor);
  }

  async #close(repository: string, pull: PullRequest, actor: string): Promise<void> {
    Object.assign(pull, { state: 'closed', closed_at: this.#world.now() });
    await this.#tell(repository, pull, actor, { action: 'closed' });
  }

  async #tell(
    repository: string,
    pull: PullRequest,
    actor: string,
    more: { action: string; before?: string; after?: string },
  ): Promise<void> {
    const folder = await this.#folderOf(repository);
    const isOpen = pull.state === 'open';
    const tips = { number: pull.number, base: pull.base.sha, head: pull.head.sha };
    if (isOpen && folder !== undefined) {
      pull.merge_commit_sha = await writePullRefs(folder, tips);
    }
    // A pull request that conflicts has no merge, and GitHub runs nothing for it.
    if (isOpen && pull.merge_commit_sha === null) return;
    const event: GitHubEvent = {
      name: 'pull_request',
      repository,
      payload: pullRequestPayload(this.#world, repository, pull, actor, more),
      ref: `refs/pull/${pull.number}/merge`,
      sha: pull.merge_commit_sha ?? pull.head.sha,
      actor,
    };
    this.#world.tell(event);
  }

  #tipOf(repository: string, branch: string, field: 'head' | 'base'): string {
    const found = this.#world.refs.get(`${repository}@${branch}`);
    if (found === undefined) throw invalid({ resource, code: 'invalid', field });
    return found;
  }
}

const custom = (message: string, field = 'head') =>
  invalid({ resource, code: 'custom', field, message });
