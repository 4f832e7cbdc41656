import { asObject, firstString } from '../core/json.ts';
import { clean } from '../core/text/clean.ts';

/** Who should be allowed what, when GitHub refuses it. */
export type Permission =
  | 'issues: write'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'deployments: write';

/** Thrown for a request that GitHub had not answered when its time, or the run's, was over. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(options?: ErrorOptions) {
    super('GitHub did not answer in time', options);
  }
}

/** GitHub's answer inside an error of its client; undefined if there was none, as when nobody could be reached. */
function answerOf(error: unknown) {
  const response = asObject(asObject(error)?.['response']);
  if (response === undefined) return undefined;
  return {
    status: Number(response['status']),
    headers: asObject(response['headers']),
    message: firstString(asObject(response['data']), ['message']),
  };
}

/** The status of GitHub's answer; undefined if there was no answer. */
export function statusOf(error: unknown): number | undefined {
  return answerOf(error)?.status;
}

/**
 * Whether GitHub refused a request because there were too many of them: 403 or 429, with `retry-after` or with
 * nothing left of the hour's limit.
 *
 * @returns when it ends, in milliseconds since the epoch (NaN if GitHub does not say); undefined if it is none
 */
export function rateLimitEnd(error: unknown): number | undefined {
  const { status, headers } = answerOf(error) ?? {};
  if (status !== 403 && status !== 429) return undefined;
  const pause = headers?.['retry-after'];
  if (pause !== undefined) return Date.now() + Number(pause) * 1000;
  if (headers?.['x-ratelimit-remaining'] === '0') {
    return Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  }
  return status === 429 ? Number.NaN : undefined;
}

/** GitHub counts by the hour: a limit that has ended, or that ends after a day, is no time to tell. */
const longestLimit = 24 * 3_600_000;

function describeRateLimit(end: number): string {
  const left = end - Date.now();
  const known = left > 0 && left <= longestLimit;
  const until = known ? ` until ${new Date(end).toISOString().replace(/\.\d+/, '')}` : '';
  return `GitHub's rate limit for this token is used up${until}`;
}

/**
 * What went wrong with GitHub, in one line: no answer in time, the rate limit and its end, or GitHub's own
 * words, with the line of `permissions:` that is missing if that is it.
 *
 * @param doing what was tried, such as "write the comment"
 */
export function describeTrouble(doing: string, error: unknown, permission: Permission): string {
  const end = rateLimitEnd(error);
  if (end !== undefined) return `Could not ${doing}: ${describeRateLimit(end)}.`;
  const { status, message } = answerOf(error) ?? {};
  const words = clean(
    message ?? (error instanceof Error ? error.message : String(error)),
    200,
  ).replace(/\.$/, '');
  const answered = status === undefined ? '' : ` (GitHub answered ${status})`;
  const isRefused = status === 403 || status === 404;
  const advice = isRefused ? ` Give the job the line "${permission}" under permissions:.` : '';
  return `Could not ${doing}${answered}: ${words}.${advice}`;
}
