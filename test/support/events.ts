import { sha } from '../../src/contract/commit.ts';
import { readWebhook, type Webhook } from '../../src/github/runner/webhook.ts';
import type { CommitSource, PullRequestSource, RunEvent, Trust } from '../../src/kernel/event.ts';

/** The commit that every event here is about. */
export const head = sha('a'.repeat(40));
/** The commit of `GITHUB_SHA`: for a pull request, the merge that GitHub makes. */
export const merge = 'b'.repeat(40);
/** Where the branch, or the base, was before. */
export const before = 'c'.repeat(40);
/** What GitHub writes where there is no commit. */
export const zeros = '0'.repeat(40);

/** An event of GitHub's, started by somebody. */
export function event(
  name: string,
  payload: Webhook['payload'],
  rest: Partial<Webhook> = {},
): Webhook {
  return {
    name,
    payload,
    sha: merge,
    refName: 'main',
    refType: 'branch',
    actor: 'octocat',
    ...rest,
  };
}

const repository = { id: 1, name: 'site', full_name: 'octo-org/site', fork: false };

/** Somebody else's copy of the repository. */
export const fork = { id: 2, name: 'site', full_name: 'somebody/site', fork: true };

/** The fields of a pull request that GitHub's payloads share; a deleted fork is null. */
export function pullRequest(headRepo: object | null = repository) {
  return {
    number: 7,
    state: 'open',
    merge_commit_sha: merge,
    head: { ref: 'feature', sha: head, repo: headRepo },
    base: { ref: 'main', sha: before, repo: repository },
  };
}

/** A push to the default branch. */
export function push(fields: object = {}): Webhook {
  return event('push', {
    ref: 'refs/heads/main',
    before,
    after: head,
    created: false,
    deleted: false,
    forced: false,
    head_commit: { id: head },
    repository,
    ...fields,
  });
}

/** An event as the core has it. */
export const read = (...given: Parameters<typeof event>): RunEvent => readWebhook(event(...given));

/** What is read of an event, each by itself. */
export const trustIn = (given: Webhook): Trust => readWebhook(given).trust;
export const commitOf = (given: Webhook): CommitSource => readWebhook(given).commit;
export const pullRequestOf = (given: Webhook): PullRequestSource | undefined =>
  readWebhook(given).pullRequest;
