import { describe, expect, test } from 'vitest';
import { before, event, head, pullRequestOf, trustIn } from '../../../test/support/events.ts';
import { isQueried } from '../../kernel/event.ts';
import { readPullRequest } from '../model/pull-request.ts';

const own = 1;
const fork = 2;
const otherFork = 3;

/** A pull request as `workflow_run` lists it: repositories have numbers, and no full names. */
const listed = (fields: { number?: number; sha?: string; from?: number; to?: number } = {}) => {
  const { number = 7, sha = head, from = own, to = own } = fields;
  return {
    number,
    head: { ref: 'topic', sha, repo: { id: from } },
    base: { ref: 'main', sha: before, repo: { id: to } },
  };
};

/** A pull request as GitHub's API answers it. */
const answered = (fields: Parameters<typeof listed>[0] = {}, state = 'open') => {
  const pullRequest = readPullRequest({ ...listed(fields), state });
  if (pullRequest === undefined) throw new Error('it cannot be read');
  return pullRequest;
};

const runAfter = (cause: string, fields: object = {}, repository: object = {}) =>
  event('workflow_run', {
    repository: { id: own, default_branch: 'main', ...repository },
    workflow_run: {
      event: cause,
      head_sha: head,
      head_branch: 'topic',
      head_repository: { id: own, full_name: 'octo-org/site' },
      repository: { id: own },
      pull_requests: [],
      ...fields,
    },
  });

describe('the pull request of a workflow_run', () => {
  test.each<[string, unknown, 'by-number' | 'by-branch']>([
    ['the one that ran', [listed()], 'by-number'],
    [
      'the one that ran, after others',
      [null, 1, { number: 3 }, listed({ number: 9, from: fork }), listed()],
      'by-number',
    ],
    ['none', [], 'by-branch'],
    ['no list', {}, 'by-branch'],
    ['one with another head', [listed({ sha: before })], 'by-branch'],
    ['one whose head is elsewhere', [listed({ from: fork })], 'by-branch'],
    ['one whose base is elsewhere', [listed({ to: fork })], 'by-branch'],
    ['a number alone', [{ number: 7 }], 'by-branch'],
  ])('where GitHub lists %s', (_name, pull_requests, kind) => {
    const source = pullRequestOf(runAfter('pull_request', { pull_requests }));
    expect(source).toMatchObject(
      kind === 'by-number' ? { kind, number: 7 } : { kind, head: { sha: head } },
    );
  });

  const ofFork = { head_repository: { id: fork, full_name: 'stranger/site' } };

  test.each<[string, object, ReturnType<typeof answered>, boolean]>([
    ['the same', {}, answered(), true],
    ['the same of a fork', ofFork, answered({ from: fork }), true],
    ['one whose head has moved on', {}, answered({ sha: before }), false],
    ['another fork with that commit', ofFork, answered({ from: otherFork }), false],
    ['our own with that commit', ofFork, answered(), false],
    ['one of another base', ofFork, answered({ from: fork, to: otherFork }), false],
    ['one of another branch', { head_branch: 'other' }, answered(), false],
    ['the same, closed', ofFork, answered({ from: fork }, 'closed'), true],
  ])('of what GitHub answers it is %s: %j', (_name, fields, pullRequest, is) => {
    for (const pull_requests of [[], [listed()]]) {
      const source = pullRequestOf(runAfter('pull_request', { ...fields, pull_requests }));
      if (source?.kind !== 'by-number' && source?.kind !== 'by-branch')
        throw new Error('not asked');
      expect(isQueried(source, pullRequest)).toBe(is);
    }
  });

  test('of a fork is asked for by the owner and the branch', () => {
    const source = pullRequestOf(runAfter('pull_request', ofFork));
    expect(source).toMatchObject({ kind: 'by-branch', owner: 'stranger', branch: 'topic' });
  });

  test.each<[string, object]>([
    ['its repository', { head_repository: null }],
    ['the name of its repository', { head_repository: { id: fork } }],
    ['its branch', { head_branch: null }],
  ])('cannot be asked for without %s', (_name, fields) => {
    expect(pullRequestOf(runAfter('pull_request', fields))).toEqual({ kind: 'gone' });
  });

  test.each(['push', 'schedule', 'check_run'])('is none after %s', (cause) => {
    expect(pullRequestOf(runAfter(cause, { pull_requests: [listed()] }))).toBeUndefined();
  });
});

describe('whose code a workflow_run is about', () => {
  const onMain = { head_branch: 'main' };

  test.each<[string, string, object, string]>([
    ['of nothing that is proposed', 'push', {}, 'merged'],
    ['on main', 'push', onMain, 'merged'],
    [
      'on main, although that is proposed',
      'push',
      { ...onMain, pull_requests: [listed()] },
      'merged',
    ],
    ['of a branch that is proposed', 'push', { pull_requests: [listed()] }, 'own-branch'],
    [
      'of one that is proposed elsewhere',
      'push',
      { pull_requests: [listed({ to: fork })] },
      'merged',
    ],
    ['of a schedule', 'schedule', onMain, 'merged'],
    ['of a branch of the repository', 'pull_request', {}, 'own-branch'],
    ['of a fork', 'pull_request', { head_repository: { id: fork } }, 'unknown'],
    [
      'of a fork that calls its branch main',
      'pull_request',
      { ...onMain, head_repository: { id: fork } },
      'unknown',
    ],
    ['of a fork that is gone', 'pull_request', { head_repository: null }, 'unknown'],
    [
      'of nobody knows what repository',
      'pull_request',
      { repository: undefined, head_repository: undefined },
      'unknown',
    ],
    ['of a merge queue', 'merge_group', {}, 'unknown'],
    ['of a check', 'check_suite', onMain, 'unknown'],
    ['of yet another run', 'workflow_run', onMain, 'unknown'],
    ['of no event', '', onMain, 'unknown'],
  ])('%s (%s)', (_name, cause, fields, code) => {
    expect(trustIn(runAfter(cause, fields)).code).toBe(code);
  });

  test('a default branch that is not told is none', () => {
    const fields = { head_branch: undefined, pull_requests: [listed()] };
    const given = runAfter('push', fields, { default_branch: undefined });
    expect(trustIn(given).code).toBe('own-branch');
  });
});
