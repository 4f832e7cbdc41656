import { describe, expect, test } from 'vitest';
import { event, fork, head, pullRequest, push } from '../../test/support/events.ts';
import { readWebhook, type Webhook } from '../github/runner/webhook.ts';
import type { RunContext } from '../platform.ts';
import { missingKey } from './skip.ts';

/** Why a run of this event is skipped without a key; undefined if it goes on, and so fails. */
function reasonFor(given: Webhook, key = '') {
  const context = { event: readWebhook(given) } as RunContext;
  const inputs = { get: (name: string) => (name === 'api-key' ? key : []) } as never;
  return missingKey({ inputs, context })?.reason;
}

const dependabot = { actor: 'dependabot[bot]' };
const proposed = (name: string, repository?: object | null) =>
  event(name, { pull_request: pullRequest(repository) });
const endedAfter = (cause: string) =>
  event('workflow_run', {
    workflow_run: { event: cause, head_sha: head, head_branch: 'topic', pull_requests: [] },
  });

describe('without a key', () => {
  test.each<[string, Webhook, string]>([
    ['a pull request of a fork', proposed('pull_request', fork), 'fork'],
    ['a pull request of a deleted fork', proposed('pull_request', null), 'fork'],
    ['a review of it', proposed('pull_request_review', fork), 'fork'],
    ['a comment in that review', proposed('pull_request_review_comment', fork), 'fork'],
    ['a pull request of Dependabot', { ...proposed('pull_request'), ...dependabot }, 'dependabot'],
    [
      "a pull request of Dependabot, in its base's context",
      { ...proposed('pull_request_target'), ...dependabot },
      'dependabot',
    ],
    [
      'a run after one of Dependabot',
      { ...endedAfter('pull_request'), ...dependabot },
      'dependabot',
    ],
  ])('%s is skipped', (_name, given, reason) => {
    expect(reasonFor(given)).toBe(reason);
    expect(reasonFor(given, 'key')).toBeUndefined();
  });

  const byDependabot = [
    ...['', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'release', 'merge_group'],
    ...['create', 'deployment', 'deployment_status', 'check_suite', 'status', 'registry_package'],
  ];

  test.each<[string, Webhook]>([
    ['a push', push()],
    ['a push that Dependabot merged', { ...push(), ...dependabot }],
    ['a tag that Dependabot pushed', { ...push({ ref: 'refs/tags/v1' }), ...dependabot }],
    ['a run after a push that Dependabot merged', { ...endedAfter('push'), ...dependabot }],
    ['a run after a schedule of Dependabot', { ...endedAfter('schedule'), ...dependabot }],
    ...byDependabot.map((name): [string, Webhook] => [
      `"${name}" by Dependabot`,
      event(name, {}, dependabot),
    ]),
    ['a pull request of the repository', proposed('pull_request')],
    ['a pull request of a fork that gets secrets', proposed('pull_request_target', fork)],
    ['a run after a pull request', endedAfter('pull_request')],
  ])('%s is not skipped', (_name, given) => {
    expect(reasonFor(given)).toBeUndefined();
  });
});
