import { describe, expect, test } from 'vitest';
import {
  before,
  commitOf,
  event,
  fork,
  head,
  pullRequest,
  push,
  zeros,
} from '../../../test/support/events.ts';
import type { CommitSource } from '../../kernel/event.ts';
import type { Webhook } from './webhook.ts';

const ours: CommitSource = {
  kind: 'commit',
  sha: head,
  place: expect.any(String),
  isOfEvent: true,
};
/** The head of the default branch, for an event that is about no commit. */
const defaultHead: CommitSource = { ...ours, isOfEvent: false };

const withoutCommit = [
  ...['branch_protection_rule', 'commit_comment', 'discussion', 'discussion_comment', 'fork'],
  ...['gollum', 'image_version', 'issues', 'issue_comment', 'label', 'milestone', 'page_build'],
  ...['project', 'project_card', 'project_column', 'public', 'watch'],
];

describe('the commit of', () => {
  test.each<[string, Webhook, CommitSource]>([
    ['a push', push(), ours],
    ['a push, in capitals', push({ after: head.toUpperCase() }), ours],
    ['a new branch', push({ before: zeros, created: true }), ours],
    [
      'a SHA-256 repository',
      push({ after: head.padEnd(64, '0') }),
      { kind: 'unknown', message: expect.stringContaining('projects are SHA-1 repositories') },
    ],
    [
      'a deleted branch',
      push({ after: zeros, deleted: true, head_commit: null }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a deleted branch, by its zeros alone',
      push({ after: zeros }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a deleted branch, by its flag alone',
      push({ deleted: true }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a branch whose last commit the payload tells differently',
      push({ head_commit: { id: before } }),
      ours,
    ],
    [
      'an annotated tag: its commit, not the tag object',
      push({ ref: 'refs/tags/v1', before: zeros, after: before, created: true }),
      ours,
    ],
    ['a lightweight tag', push({ ref: 'refs/tags/v1', before: zeros, created: true }), ours],
    ['a tag without a head commit', push({ ref: 'refs/tags/v1', head_commit: null }), ours],
    [
      'a deleted tag',
      push({ ref: 'refs/tags/v1', after: zeros, deleted: true, head_commit: null }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a deleted tag, by its flag alone',
      push({ ref: 'refs/tags/v1', after: zeros, deleted: true }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a pull request: its head, not the merge commit',
      event('pull_request', {
        action: 'opened',
        number: 7,
        pull_request: pullRequest(),
      }),
      ours,
    ],
    [
      'a pull request that was pushed to',
      event('pull_request', {
        action: 'synchronize',
        before,
        after: head,
        pull_request: pullRequest(),
      }),
      ours,
    ],
    [
      'a pull request whose fork was deleted',
      event('pull_request', { action: 'synchronize', pull_request: pullRequest(null) }),
      ours,
    ],
    [
      'a pull request in the context of its base',
      event('pull_request_target', { action: 'opened', pull_request: pullRequest(fork) }),
      ours,
    ],
    [
      'a closed pull request',
      event('pull_request', { action: 'closed', pull_request: { ...pullRequest(), merged: true } }),
      { kind: 'skip', reason: 'pull-request-closed' },
    ],
    [
      'a closed pull request in the context of its base',
      event('pull_request_target', { action: 'closed', pull_request: pullRequest() }),
      { kind: 'skip', reason: 'pull-request-closed' },
    ],
    [
      'a review: the head of its pull request, not the commit that was reviewed',
      event('pull_request_review', {
        action: 'submitted',
        review: { state: 'approved', commit_id: before },
        pull_request: pullRequest(),
      }),
      ours,
    ],
    [
      "a review's comment, likewise",
      event('pull_request_review_comment', {
        action: 'created',
        comment: { commit_id: before, original_commit_id: before },
        pull_request: pullRequest(),
      }),
      ours,
    ],
    [
      'another workflow',
      event('workflow_run', {
        action: 'completed',
        workflow_run: {
          id: 9,
          event: 'pull_request',
          head_branch: 'feature',
          head_sha: head,
          pull_requests: [],
        },
        workflow: { name: 'CI' },
      }),
      ours,
    ],
    [
      'another workflow, in capitals',
      event('workflow_run', {
        workflow_run: { event: 'push', head_sha: head.toUpperCase(), pull_requests: [] },
      }),
      ours,
    ],
    [
      'a merge group',
      event('merge_group', {
        action: 'checks_requested',
        merge_group: {
          head_sha: head,
          head_ref: 'refs/heads/gh-readonly-queue/main/pr-7',
          base_sha: before,
        },
      }),
      ours,
    ],
    ['a deployment', event('deployment', { deployment: { id: 9, sha: head, ref: 'main' } }), ours],
    [
      "a deployment's status",
      event('deployment_status', {
        deployment_status: { state: 'success' },
        deployment: { sha: head },
      }),
      ours,
    ],
    [
      'a check suite',
      event('check_suite', { action: 'completed', check_suite: { head_sha: head } }),
      ours,
    ],
    [
      'a check run',
      event('check_run', {
        check_run: { name: 'test', head_sha: head, check_suite: { head_sha: before } },
      }),
      ours,
    ],
    [
      'a comment on a pull request: GitHub must be asked',
      event('issue_comment', {
        action: 'created',
        issue: {
          number: 7,
          pull_request: { url: 'https://api.github.com/repos/octo-org/site/pulls/7' },
        },
        comment: { body: 'deploy' },
      }),
      { kind: 'pull-request', number: 7 },
    ],
    [
      'a comment on an issue',
      event('issue_comment', { action: 'created', issue: { number: 7 } }, { sha: head }),
      defaultHead,
    ],
    ['a schedule', event('schedule', { schedule: '0 4 * * *' }, { sha: head }), ours],
    [
      'a run by hand',
      event('workflow_dispatch', { ref: 'refs/heads/main', inputs: {} }, { sha: head }),
      ours,
    ],
    [
      'a run by another program',
      event(
        'repository_dispatch',
        { action: 'deploy', client_payload: { sha: before } },
        { sha: head },
      ),
      ours,
    ],
    [
      'a release',
      event('release', { action: 'published', release: { tag_name: 'v1' } }, { sha: head }),
      ours,
    ],
    [
      'a release that was taken back',
      event('release', { action: 'unpublished', release: { tag_name: 'v1' } }, { sha: head }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a deleted release',
      event('release', { action: 'deleted', release: { tag_name: 'v1' } }, { sha: head }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a branch that was deleted, by its own event',
      event('delete', { ref: 'topic', ref_type: 'branch' }, { sha: head }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a tag that was deleted, by its own event',
      event('delete', { ref: 'v1', ref_type: 'tag' }, { sha: head }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a workflow after that',
      event('workflow_run', { workflow_run: { event: 'delete', head_sha: head } }),
      { kind: 'skip', reason: 'branch-deleted' },
    ],
    [
      'a branch or tag that was created: its head',
      event('create', { ref: 'v1', ref_type: 'tag' }, { sha: head }),
      ours,
    ],
    [
      'a package: the commit that it was published from',
      event('registry_package', { action: 'published' }, { sha: head }),
      ours,
    ],
    [
      'a status: its commit, not the head of the default branch',
      event('status', { sha: head, state: 'success', commit: { sha: head } }),
      ours,
    ],
    [
      'a workflow after an event without a commit',
      event('workflow_run', { workflow_run: { event: 'label', head_sha: head } }),
      defaultHead,
    ],
    ...withoutCommit.map((name): [string, Webhook, CommitSource] => [
      `"${name}", which is about no commit`,
      event(name, {}, { sha: head }),
      defaultHead,
    ]),
    ['an event of a kind that is not known', event('new_kind', {}, { sha: head }), ours],
  ])('%s', (_name, given, source) => {
    expect(commitOf(given)).toEqual(source);
  });

  test.each<[string, Webhook]>([
    ['an event outside a runner', event('', {}, { sha: '' })],
    ['a short commit', event('workflow_dispatch', {}, { sha: 'abc1234' })],
    ['zeros', event('schedule', {}, { sha: zeros })],
    ['a push without a commit', push({ after: undefined })],
    ['a pull request without a payload', event('pull_request', {})],
    [
      'a pull request whose head is no object',
      event('pull_request', { pull_request: { head: null } }),
    ],
    ['a review without a pull request', event('pull_request_review', {})],
    ['a workflow run without a commit', event('workflow_run', { workflow_run: {} })],
    ['a commit that is no string', event('deployment', { deployment: { sha: 7 } })],
  ])('%s is unknown', (_name, given) => {
    expect(commitOf(given).kind).toBe('unknown');
  });

  test('says which event names none, and what to do', () => {
    const source = commitOf(event('pull_request', {}));
    expect(source.kind === 'unknown' && source.message).toMatch(/"pull_request".*commit-sha.*HEAD/);
  });
});

test.each(['pull_request_review', 'pull_request', 'pull_request_target'])(
  'a closed pull request is not deployed, whatever happens to it: %s',
  (name) => {
    const payload = { action: 'labeled', pull_request: { state: 'closed', head: { sha: head } } };
    expect(commitOf(event(name, payload))).toEqual({ kind: 'skip', reason: 'pull-request-closed' });
  },
);
