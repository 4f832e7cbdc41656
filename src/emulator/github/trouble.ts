import { failure, type GitHubRequest, type Reply } from './exchange.ts';

/**
 * What can go wrong with GitHub: `forbidden` is a missing `permissions:` line, `html` an error page of its
 * front servers, `rate-limit` the hourly limit, `secondary-rate-limit` the one on bursts.
 */
export type Trouble = 'forbidden' | 'html' | 'rate-limit' | 'secondary-rate-limit';

/** Trouble for every request, or for those for which the function names one. */
export type TroubleRule = Trouble | ((request: GitHubRequest) => Trouble | undefined);

const replies: Record<Trouble, () => Reply> = {
  forbidden: () => failure(403, 'Resource not accessible by integration'),
  html: () => ({
    status: 502,
    body: '<!DOCTYPE html><html><head><title>Unicorn! &middot; GitHub</title></head></html>',
  }),
  'rate-limit': () => ({
    ...failure(403, 'API rate limit exceeded for installation ID 1.'),
    headers: {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 60),
    },
  }),
  'secondary-rate-limit': () => ({
    ...failure(403, 'You have exceeded a secondary rate limit. Please wait a few minutes.'),
    headers: { 'retry-after': '60' },
  }),
};

/** The answer to a request that meets trouble; undefined if it meets none. */
export function troubleFor(
  rule: TroubleRule | undefined,
  request: GitHubRequest,
): Reply | undefined {
  const trouble = typeof rule === 'function' ? rule(request) : rule;
  return trouble === undefined ? undefined : replies[trouble]();
}
