import type { GitLabRequest, Operation, Reply } from './exchange.ts';

/**
 * What can go wrong with GitLab: `unauthorized` is a token that is wrong or has ended, `forbidden` one that lacks a scope.
 * `reset` cuts the connection before the request has an effect, `lost-answer` after it.
 */
export type Trouble =
  | 'forbidden'
  | 'html'
  | 'lost-answer'
  | 'not-found'
  | 'rate-limit'
  | 'reset'
  | 'server-error'
  | 'unauthorized';

/** Trouble for every request, for those of some operations, or what a function names or answers. */
export type TroubleRule =
  | Trouble
  | Partial<Record<Operation, Trouble>>
  | ((request: GitLabRequest) => Trouble | Reply | undefined);

/** The answers to a request that meets trouble. */
export const troubleReplies: Record<Exclude<Trouble, 'lost-answer' | 'reset'>, Reply> = {
  forbidden: {
    status: 403,
    body: {
      error: 'insufficient_scope',
      error_description:
        'The request requires higher privileges than provided by the access token.',
      scope: 'api',
    },
  },
  html: { status: 502, body: '<!DOCTYPE html><title>GitLab is not responding (502)</title>' },
  'not-found': { status: 404, body: { message: '404 Project Not Found' } },
  'rate-limit': { status: 429, headers: { 'retry-after': '60' }, body: 'Retry later\n' },
  'server-error': { status: 500, body: { message: '500 Internal Server Error' } },
  unauthorized: { status: 401, body: { message: '401 Unauthorized' } },
};

/** The trouble that a request meets; undefined if it meets none. */
export function troubleFor(
  rule: TroubleRule | undefined,
  request: GitLabRequest,
): Trouble | Reply | undefined {
  if (typeof rule === 'function') return rule(request);
  if (typeof rule !== 'object') return rule;
  return request.operation && rule[request.operation];
}
