import { expect, test } from 'vitest';
import { event } from '../../test/support/events.ts';
import { readWebhook } from '../github/runner/webhook.ts';
import type { RunEvent } from '../kernel/event.ts';

test.each<[string, object, RunEvent['thread']]>([
  [
    'a comment on an issue',
    { issue: { number: 7 }, comment: { id: 12 } },
    { number: 7, isPullRequest: false, commentId: '12' },
  ],
  [
    'a comment on a pull request',
    { issue: { number: 7, pull_request: {} }, comment: { id: 12 } },
    { number: 7, isPullRequest: true, commentId: '12' },
  ],
  [
    'a review',
    { pull_request: { number: 8 }, review: { id: 13 } },
    { number: 8, isPullRequest: true, commentId: '13' },
  ],
  ['an issue', { issue: { number: 7 } }, { number: 7, isPullRequest: false, commentId: undefined }],
  [
    'a pull request',
    { pull_request: { number: 8 } },
    { number: 8, isPullRequest: true, commentId: undefined },
  ],
  ['a push', { ref: 'refs/heads/main' }, undefined],
  ['a comment on a commit', { comment: { id: 12 } }, undefined],
])('%s belongs to this thread', (_name, payload, thread) => {
  expect(readWebhook(event('any', { ...payload })).thread).toEqual(thread);
});
