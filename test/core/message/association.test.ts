import { describe, expect, test } from 'vitest';
import { associationOf, isStranger, threadOf } from '../../../src/core/message/association.ts';
import { adjust, examplePayload } from '../../support/payloads.ts';
import { event } from '../events.ts';

/** Every word that GitHub has for somebody, and whether the default lets them start a turn. */
const words: readonly (readonly [string, boolean])[] = [
  ['OWNER', true],
  ['MEMBER', true],
  ['COLLABORATOR', true],
  ['CONTRIBUTOR', false],
  ['FIRST_TIME_CONTRIBUTOR', false],
  ['FIRST_TIMER', false],
  ['MANNEQUIN', false],
  ['NONE', false],
];
const allowed = ['OWNER', 'MEMBER', 'COLLABORATOR'];

/** Every event that somebody's words start, and the object that says who wrote them. */
const written: readonly (readonly [string, string])[] = [
  ['issue_comment', 'comment'],
  ['pull_request_review_comment', 'comment'],
  ['commit_comment', 'comment'],
  ['discussion_comment', 'comment'],
  ['pull_request_review', 'review'],
  ['issues', 'issue'],
  ['discussion', 'discussion'],
  ['pull_request', 'pull_request'],
];

const cases = written.flatMap(([name, object]) =>
  words.map(([word, mayStart]) => ({ name, object, word, mayStart })),
);

test.for(cases)('$name by $word: $mayStart', ({ name, object, word, mayStart }) => {
  const payload = adjust(examplePayload(name), { [`${object}.author_association`]: word });
  expect(associationOf(event(name, payload))).toBe(word);
  expect(isStranger(event(name, payload), allowed)).toBe(!mayStart);
});

describe('somebody', () => {
  test.each<[string, object]>([
    ['of whom GitHub says nothing', { comment: { id: 1 } }],
    ['whose words are not there', {}],
    ['whose association is no text', { comment: { author_association: 1 } }],
  ])('%s is a stranger', (_name, payload) => {
    expect(isStranger(event('issue_comment', { ...payload }), allowed)).toBe(true);
  });

  test('who wrote the pull request is not who comments on it', () => {
    const payload = adjust(examplePayload('pull_request_review_comment'), {
      'comment.author_association': 'NONE',
      'pull_request.author_association': 'OWNER',
    });
    expect(isStranger(event('pull_request_review_comment', payload), allowed)).toBe(true);
  });

  test('is let in by a word in any case, and by none if the list is empty', () => {
    const payload = { comment: { author_association: 'NONE' } };
    expect(isStranger(event('issue_comment', payload), ['none'])).toBe(false);
    expect(isStranger(event('issue_comment', payload), [])).toBe(true);
  });
});

test.each(['push', 'schedule', 'workflow_dispatch', 'workflow_run', 'release'])(
  "%s is started by nobody's words",
  (name) => {
    const payload = { comment: { author_association: 'NONE' } };
    expect(associationOf(event(name, payload))).toBeUndefined();
    expect(isStranger(event(name, payload), [])).toBe(false);
  },
);

test.each([
  ['pull_request', true],
  ['pull_request_target', true],
  ['issue_comment', true],
  ['push', false],
  ['schedule', false],
  ['toString', false],
])("a workflow_run set off by %s counts as a stranger's: %s", (cause, isStrange) => {
  const started = event('workflow_run', { workflow_run: { event: cause } });
  expect(isStranger(started, allowed)).toBe(isStrange);
  expect(isStranger(started, ['NONE'])).toBe(false);
});

test.each<[string, object, ReturnType<typeof threadOf>]>([
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
  expect(threadOf(event('any', { ...payload }))).toEqual(thread);
});
