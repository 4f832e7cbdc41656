// Attack (starting): A comment by a pull request's author counts as by a member
// Defense: The association of the comment or review itself counts

import { describe, expect, test } from 'vitest';
import { read as event } from '../../test/support/events.ts';
import { adjust, examplePayload } from '../../test/support/payloads.ts';
import { type Admission, whyNotAllowed } from './skip.ts';

/** Every word that GitHub has for somebody, and whether the default lets them start something. */
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
const standard: Admission = {
  allowed: ['OWNER', 'MEMBER', 'COLLABORATOR'],
  checksProposers: true,
};
const everybody: Admission = { ...standard, allowed: words.map(([word]) => word) };
const nobody: Admission = { ...standard, allowed: [] };

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
  const why = whyNotAllowed(event(name, payload), standard);
  expect(why === undefined).toBe(mayStart);
  if (why !== undefined) expect(why).toContain('OWNER, MEMBER, COLLABORATOR');
});

describe('somebody', () => {
  test.each<[string, object]>([
    ['of whom GitHub says nothing', { comment: { id: 1 } }],
    ['whose words are not there', {}],
    ['whose association is no text', { comment: { author_association: 1 } }],
  ])('%s is a stranger', (_name, payload) => {
    expect(whyNotAllowed(event('issue_comment', { ...payload }), standard)).toBeDefined();
  });

  test('who wrote the pull request is not who comments on it', () => {
    const payload = adjust(examplePayload('pull_request_review_comment'), {
      'comment.author_association': 'NONE',
      'pull_request.author_association': 'OWNER',
    });
    expect(whyNotAllowed(event('pull_request_review_comment', payload), standard)).toBeDefined();
  });

  test('is let in by a word, and by none if the list is empty', () => {
    const comment = event('issue_comment', { comment: { author_association: 'NONE' } });
    expect(whyNotAllowed(comment, { ...standard, allowed: ['NONE'] })).toBeUndefined();
    expect(whyNotAllowed(comment, nobody)).toBeDefined();
  });
});

test.each([
  '',
  'push',
  'schedule',
  'workflow_dispatch',
  'repository_dispatch',
  'release',
  'merge_group',
  'deployment',
  'deployment_status',
  'check_run',
  'check_suite',
  'status',
  'label',
  'milestone',
  'page_build',
  'public',
])('"%s" is held back for nobody, whatever stands in its payload', (name) => {
  const payload = { comment: { author_association: 'NONE' } };
  expect(whyNotAllowed(event(name, payload), nobody)).toBeUndefined();
});

test.each(['pull_request', 'pull_request_target'])(
  'whoever opens a pull request is held back where nothing else guards it: %s',
  (name) => {
    const proposed = event(name, { pull_request: { author_association: 'NONE' } });
    expect(whyNotAllowed(proposed, standard)).toBeDefined();
    expect(whyNotAllowed(proposed, { ...standard, checksProposers: false })).toBeUndefined();
  },
);

describe('what nobody vouches for is held back, whoever is allowed', () => {
  test.each(['gollum', 'fork', 'watch', 'star', 'no_such_event', 'toString', '__proto__'])(
    '%s',
    (name) => {
      expect(whyNotAllowed(event(name, {}), everybody)).toContain(name);
    },
  );

  const runAfter = (cause: string) => event('workflow_run', { workflow_run: { event: cause } });

  test.each([
    'issue_comment',
    'issues',
    'pull_request_review',
    'pull_request_review_comment',
    'discussion',
    'discussion_comment',
    'gollum',
    'fork',
    'watch',
    'workflow_run',
    'dynamic',
    'toString',
  ])('a workflow_run after %s', (cause) => {
    expect(whyNotAllowed(runAfter(cause), everybody)).toContain(
      `a workflow_run triggered by "${cause}"`,
    );
  });

  test('a workflow_run of nobody knows what', () => {
    expect(whyNotAllowed(event('workflow_run', {}), everybody)).toBeDefined();
    expect(whyNotAllowed(runAfter(''), everybody)).toBeDefined();
  });

  test.each([
    ['push', nobody],
    ['schedule', nobody],
    ['check_suite', nobody],
    ['pull_request', { ...nobody, checksProposers: false }],
    ['pull_request', { ...standard, allowed: ['NONE'] }],
  ])('and a workflow_run after %s is not', (cause, admission) => {
    expect(whyNotAllowed(runAfter(cause), admission)).toBeUndefined();
  });

  test('a cause cannot write into the log', () => {
    const why = whyNotAllowed(runAfter('\u001b[31m\n::error::x'), everybody);
    expect(why).not.toMatch(/\p{Cc}/u);
  });
});
