import { describe, expect, test } from 'vitest';
import { isPullRequest, mayRemember, trustOf, type WorkflowEvent } from '../../src/core/event.ts';
import { event, fork, pullRequest, push } from './events.ts';

test.each([
  ['pull_request', true],
  ['pull_request_target', true],
  ['pull_request_review', true],
  ['pull_request_review_comment', true],
  ['push', false],
  ['issue_comment', false],
  ['workflow_run', false],
])('%s is an event of a pull request: %s', (name, is) => {
  expect(isPullRequest(event(name, {}))).toBe(is);
});

describe('who started it', () => {
  const dependabot = { actor: 'dependabot[bot]' };

  test.each<[string, WorkflowEvent, string]>([
    ['a push', push(), 'trusted'],
    [
      'a pull request of the repository',
      event('pull_request', { pull_request: pullRequest() }),
      'trusted',
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
      'trusted',
    ],
    [
      'a review of a pull request of the repository',
      event('pull_request_review', { pull_request: pullRequest() }),
      'trusted',
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
      'trusted',
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
    ['somebody who is only called so', { ...push(), actor: 'dependabot' }, 'trusted'],
    ['a run without a payload', event('pull_request', {}), 'trusted'],
  ])('%s', (_name, given, trust) => {
    expect(trustOf(given)).toBe(trust);
  });
});

describe('may later runs rely on what a run remembers', () => {
  const ofPullRequest = (name: string, headRepo?: object | null) =>
    event(name, { pull_request: pullRequest(headRepo) });
  const workflowRun = (cause: string, pullRequests: object[] = []) =>
    event('workflow_run', { workflow_run: { event: cause, pull_requests: pullRequests } });

  test.each<[string, WorkflowEvent, boolean]>([
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
    [
      'a workflow run after a push that is in a pull request',
      workflowRun('push', [{ number: 7 }]),
      false,
    ],
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
    expect(mayRemember(given)).toBe(may);
  });
});
