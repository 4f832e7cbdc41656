import { describe, expect, test } from 'vitest';
import { isPullRequest, trustOf, type WorkflowEvent } from '../../src/core/event.ts';
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
