import { describe, expect, test } from 'vitest';
import {
  event,
  fork,
  head,
  pullRequest,
  pullRequestOf,
  push,
  trustIn,
} from '../../../test/support/events.ts';
import { maySaveLedger } from '../../kernel/event.ts';
import { readWebhook, type Webhook } from './webhook.ts';

test.each([
  ['pull_request', true],
  ['pull_request_target', true],
  ['pull_request_review', true],
  ['pull_request_review_comment', true],
  ['push', false],
  ['issue_comment', false],
  ['workflow_run', false],
])('%s is an event of a pull request: %s', (name, is) => {
  expect(pullRequestOf(event(name, {}))).toEqual(is ? { kind: 'missing' } : undefined);
});

describe('whether GitHub gives it secrets', () => {
  const dependabot = { actor: 'dependabot[bot]' };

  test.each<[string, Webhook, 'fork' | 'dependabot' | undefined]>([
    ['a push', push(), undefined],
    [
      'a pull request of the repository',
      event('pull_request', { pull_request: pullRequest() }),
      undefined,
    ],
    [
      'a pull request of a fork',
      event('pull_request', { pull_request: pullRequest(fork) }),
      'fork',
    ],
    [
      'a pull request of a deleted fork',
      event('pull_request', { pull_request: pullRequest(null) }),
      'fork',
    ],
    [
      "a pull request of a fork in its base's context, which has secrets",
      event('pull_request_target', { pull_request: pullRequest(fork) }),
      undefined,
    ],
    [
      'a review of a pull request of the repository',
      event('pull_request_review', { pull_request: pullRequest() }),
      undefined,
    ],
    [
      'a review of a pull request of a fork',
      event('pull_request_review', { pull_request: pullRequest(fork) }),
      'fork',
    ],
    [
      "a review's comment on a pull request of a fork",
      event('pull_request_review_comment', { pull_request: pullRequest(fork) }),
      'fork',
    ],
    [
      "a review's comment on a pull request of a deleted fork",
      event('pull_request_review_comment', { pull_request: pullRequest(null) }),
      'fork',
    ],
    [
      "a comment in a pull request's conversation, which has secrets",
      event('issue_comment', { issue: { number: 7, pull_request: {} } }),
      undefined,
    ],
    [
      'Dependabot, by a pull request',
      event('pull_request', { pull_request: pullRequest() }, dependabot),
      'dependabot',
    ],
    [
      "Dependabot, in its base's context",
      event('pull_request_target', { pull_request: pullRequest() }, dependabot),
      'dependabot',
    ],
    ['Dependabot, by a push', { ...push(), ...dependabot }, 'dependabot'],
    ['somebody who is only called so', { ...push(), actor: 'dependabot' }, undefined],
    ['a run without a payload', event('pull_request', {}), undefined],
  ])('%s', (_name, given, withheld) => {
    expect(trustIn(given).withheld).toBe(withheld);
  });
});

describe('may later runs rely on what a run remembers', () => {
  const ofPullRequest = (name: string, headRepo?: object | null) =>
    event(name, { pull_request: pullRequest(headRepo) });
  const workflowRun = (cause: string, pullRequests: object[] = []) =>
    event('workflow_run', { workflow_run: { event: cause, pull_requests: pullRequests } });

  test.each<[string, Webhook, boolean]>([
    ['a push', push(), true],
    ['a schedule', event('schedule', {}), true],
    ['a run by hand', event('workflow_dispatch', {}), true],
    ['a run by the API', event('repository_dispatch', {}), true],
    ['a release', event('release', {}), true],
    ['a run outside GitHub', event('', {}), true],
    ['a pull request of the repository', ofPullRequest('pull_request'), true],
    ['a pull request of a fork', ofPullRequest('pull_request', fork), false],
    ['a pull request of a deleted fork', ofPullRequest('pull_request', null), false],
    ['a pull request without a payload', event('pull_request', {}), false],
    [
      'a pull request whose two sides are not named',
      event('pull_request', { pull_request: {} }),
      false,
    ],
    [
      "a pull request of the repository, in its base's context",
      ofPullRequest('pull_request_target'),
      true,
    ],
    [
      "a pull request of a fork, in its base's context",
      ofPullRequest('pull_request_target', fork),
      false,
    ],
    [
      "a pull request of a deleted fork, in its base's context",
      ofPullRequest('pull_request_target', null),
      false,
    ],
    ['a review of a pull request of a fork', ofPullRequest('pull_request_review', fork), false],
    ['a workflow run after a push', workflowRun('push'), true],
    ['a workflow run after a schedule', workflowRun('schedule'), true],
    ['a workflow run of a pull request', workflowRun('pull_request', [{ number: 7 }]), false],
    [
      "a workflow run of a fork's pull request, which lists none",
      workflowRun('pull_request'),
      false,
    ],
    ['a workflow run of a check', workflowRun('check_suite'), false],
    ['a workflow run of nobody knows what', event('workflow_run', {}), false],
    [
      'a comment on a pull request',
      event('issue_comment', { issue: { number: 7, pull_request: {} } }),
      false,
    ],
    ['a comment on an issue', event('issue_comment', { issue: { number: 7 } }), false],
    ['a merge queue', event('merge_group', {}), false],
    ['an event that is not known', event('page_build', {}), false],
    ['Dependabot, by a push', { ...push(), actor: 'dependabot[bot]' }, false],
    [
      'Dependabot, by a pull request',
      { ...ofPullRequest('pull_request'), actor: 'dependabot[bot]' },
      false,
    ],
    ['Dependabot, by a workflow run', { ...workflowRun('push'), actor: 'dependabot[bot]' }, false],
  ])('%s', (_name, given, may) => {
    expect(maySaveLedger(trustIn(given))).toBe(may);
  });
});

describe('can only writers have caused it, and written its files', () => {
  const ofPullRequest = (name: string, headRepo?: object | null) =>
    event(name, { pull_request: pullRequest(headRepo) });
  const runAfter = (cause: string, from: number | null) =>
    event('workflow_run', {
      workflow_run: {
        event: cause,
        head_repository: from === null ? null : { id: from },
        repository: { id: 1 },
        pull_requests: [],
      },
    });

  test.each<[string, Webhook, boolean]>([
    ['a push', push(), true],
    ['a schedule', event('schedule', {}), true],
    ['a merge queue', event('merge_group', {}), true],
    ['a run outside GitHub', event('', {}), true],
    ['a pull request of the repository', ofPullRequest('pull_request'), true],
    ['a pull request of a fork', ofPullRequest('pull_request', fork), false],
    ['a pull request of a deleted fork', ofPullRequest('pull_request', null), false],
    ["a pull request in its base's context", ofPullRequest('pull_request_target'), false],
    [
      "a pull request of a fork in its base's context",
      ofPullRequest('pull_request_target', fork),
      false,
    ],
    ['a review', ofPullRequest('pull_request_review'), false],
    ['a comment', event('issue_comment', {}), false],
    ['an issue', event('issues', {}), false],
    ['a check', event('check_run', {}), false],
    ['a status', event('status', {}), false],
    ['a deployment', event('deployment', {}), false],
    ['an event that is not known', event('no_such_event', {}), false],
    ['a workflow run after a push', runAfter('push', 1), true],
    ['a workflow run of the repository', runAfter('pull_request', 1), true],
    ['a workflow run of a fork', runAfter('pull_request', 2), false],
    ['a workflow run of a fork that is gone', runAfter('pull_request', null), false],
    ["a workflow run in a base's context", runAfter('pull_request_target', 1), false],
    ['a workflow run after a check', runAfter('check_run', 1), false],
    ['a workflow run after another', runAfter('workflow_run', 1), false],
  ])('%s', (_name, given, is) => {
    expect(trustIn(given).isOfWriters).toBe(is);
  });
});

test.each([
  ["GitHub's", 'gh-readonly-queue/main/pr-12-0f1e'],
  ["Mergify's", 'mergify/merge-queue/0f1e'],
  ["Trunk's", 'trunk-merge/pr-12/0f1e'],
  ["Graphite's", 'gtmq_12_0f1e'],
])('a push of %s merge queue is of what it may merge', (_, branch) => {
  const ref = `refs/heads/${branch}`;
  const queued = readWebhook(push({ ref }));
  expect(queued).toMatchObject({ kind: 'merge-group', commit: { kind: 'commit', sha: head } });
  expect(queued.trust).toEqual({
    starter: { kind: 'writer' },
    code: 'unknown',
    withheld: undefined,
    isOfWriters: true,
  });
  const run = { event: 'push', head_branch: branch, head_sha: head };
  expect(trustIn(event('workflow_run', { workflow_run: run })).code).toBe('unknown');
});
