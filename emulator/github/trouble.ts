import type { OperationId } from './description.ts';
import type { GitHubRequest, Reply } from './exchange.ts';
import { failure } from './refusal.ts';

/**
 * What can go wrong with GitHub: `forbidden` is a missing `permissions:` line, `html` an error page of its
 * front servers, `locked` a locked conversation, `rate-limit` the hourly limit, `secondary-rate-limit` the one on bursts, `not-found` also what
 * a token gets that may not see a repository. `reset` cuts the connection before the request has an effect,
 * `lost-answer` after it, and `late` before an effect that comes once the next request is answered. After `twice`
 * it had its effect two times, and an `empty-answer` has a good status, the effect, and no body.
 */
export type Trouble =
  | 'empty-answer'
  | 'forbidden'
  | 'html'
  | 'late'
  | 'locked'
  | 'lost-answer'
  | 'not-found'
  | 'rate-limit'
  | 'reset'
  | 'secondary-rate-limit'
  | 'server-error'
  | 'twice'
  | 'unavailable';

/** Trouble in which GitHub carries the request out nevertheless. */
export type Effective = 'empty-answer' | 'late' | 'lost-answer' | 'twice';

/** An answer of a test's own, which is not validated. */
export type OwnReply = Reply & {
  /** True: the request has its effect beside it. */
  effect?: boolean;
};

/** Operations that share a permission; `git` is none of the API, but what git asks the repositories. */
export type OperationGroup =
  | 'actions'
  | 'comments'
  | 'commits'
  | 'deployments'
  | 'git'
  | 'issues'
  | 'pulls'
  | 'user';

/**
 * Trouble for every request; for those of some operations or groups, of which an operation's own counts more;
 * or what a function names for a request. It may also give an answer of its own.
 */
export type TroubleRule =
  | Trouble
  | Partial<Record<OperationId | OperationGroup, Trouble>>
  | ((request: GitHubRequest) => Trouble | OwnReply | undefined);

/** The group of each operation. */
export const operationGroups: Readonly<Record<OperationId, Exclude<OperationGroup, 'git'>>> = {
  'actions/create-workflow-dispatch': 'actions',
  'git/get-commit': 'commits',
  'issues/create': 'issues',
  'issues/create-comment': 'comments',
  'issues/delete-comment': 'comments',
  'issues/get-comment': 'comments',
  'issues/list-comments': 'comments',
  'issues/list-for-repo': 'issues',
  'issues/update': 'issues',
  'issues/update-comment': 'comments',
  'pulls/create': 'pulls',
  'pulls/get': 'pulls',
  'pulls/list': 'pulls',
  'pulls/update': 'pulls',
  'repos/compare-commits-with-basehead': 'commits',
  'repos/get-commit': 'commits',
  'repos/create-deployment': 'deployments',
  'repos/create-deployment-status': 'deployments',
  'repos/list-deployment-statuses': 'deployments',
  'repos/list-deployments': 'deployments',
  'repos/list-pull-requests-associated-with-commit': 'pulls',
  'users/get-authenticated': 'user',
};

/** The answers to a request that meets trouble. */
export const troubleReplies: Record<Exclude<Trouble, Effective | 'reset'>, () => Reply> = {
  forbidden: () => failure({ status: 403, message: 'Resource not accessible by integration' }),
  html: () => ({
    status: 502,
    body: '<!DOCTYPE html><html><head><title>Unicorn! &middot; GitHub</title></head></html>',
  }),
  locked: () =>
    failure({ status: 403, message: 'Unable to create comment because issue is locked.' }),
  'not-found': () => failure({ status: 404, message: 'Not Found' }),
  'rate-limit': () => ({
    ...failure({ status: 403, message: 'API rate limit exceeded for installation ID 1.' }),
    headers: {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
    },
  }),
  'secondary-rate-limit': () => ({
    ...failure({
      status: 403,
      message: 'You have exceeded a secondary rate limit. Please wait a few minutes.',
    }),
    headers: { 'retry-after': '60' },
  }),
  'server-error': () => failure({ status: 500, message: 'Server Error' }),
  unavailable: () => failure({ status: 503, message: 'Service unavailable' }),
};

/** The trouble that a request meets; undefined if it meets none. */
export function troubleFor(
  rule: TroubleRule | undefined,
  request: GitHubRequest,
): Trouble | OwnReply | undefined {
  if (typeof rule === 'function') return rule(request);
  if (typeof rule !== 'object') return rule;
  const { operationId } = request;
  return operationId && (rule[operationId] ?? rule[operationGroups[operationId]]);
}

/** What git is answered in trouble; null cuts the connection, undefined if there is none. */
export function gitTroubleFor(
  rule: TroubleRule | undefined,
  request: GitHubRequest,
): Reply | null | undefined {
  const group = typeof rule === 'object' ? rule.git : rule;
  const trouble = typeof group === 'function' ? group(request) : group;
  if (trouble === undefined || typeof trouble === 'object') return trouble;
  // Reading has no effect that could be late, lost or twice.
  return trouble in troubleReplies
    ? troubleReplies[trouble as keyof typeof troubleReplies]()
    : null;
}
