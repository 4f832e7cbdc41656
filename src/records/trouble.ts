import { classifyNetworkError } from '../http/faults.ts';
import type { Code } from '../kernel/code.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { asObject, firstString } from '../kernel/json.ts';
import { clean } from '../kernel/text/clean.ts';
import { asSentence } from '../kernel/text/sentence.ts';

/** Who should be allowed what, when GitHub refuses it. */
export type Permission =
  | 'issues: write'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'deployments: read'
  | 'deployments: write'
  | 'contents: read';

/** Thrown for a request that GitHub had not answered when its time, or the run's, was over. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(options?: ErrorOptions) {
    super('GitHub did not answer in time', options);
  }
}

/** Thrown where GitHub answered a write with success, and nothing shows that it was carried out. */
export class NotShown extends Error {
  override readonly name = 'NotShown';

  constructor() {
    super('GitHub answered with success, and what was written does not show');
  }
}

/** Thrown for an answer of GitHub's that is not what was asked for. Its message follows a colon. */
export class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer';
}

/** GitHub's answer inside an error of its client; undefined if there was none, as when nobody could be reached. */
function answerOf(error: unknown) {
  const response = asObject(asObject(error)?.['response']);
  if (response === undefined) return undefined;
  return {
    status: Number(response['status']),
    headers: asObject(response['headers']),
    message: firstString(asObject(response['data']), ['message']),
    page: firstString(asObject(response['data']), ['documentation_url']),
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

/** The input that does without what a permission is for; undefined if there is none. */
const without: Readonly<Record<Permission, string | undefined>> = {
  'issues: write': 'comment: false',
  'pull-requests: write': 'comment: false',
  'pull-requests: read': undefined,
  'deployments: read': 'github-deployment: false',
  'deployments: write': 'github-deployment: false',
  'contents: read': undefined,
};

/** GitHub names the page of the operation where it knows that; a server that does not have it cannot. */
const operationPage = /\/rest\/[\w-]/;

/** True if a server answers that it has no such operation, and not that the token may not use it. */
const isUnknown = ({ status, page = '' }: { status: number; page?: string | undefined }): boolean =>
  status === 404 && !operationPage.test(page);

/** True if whatever else is asked of the same kind ends alike: the token may not, or the server has no such thing. */
export function isLasting(error: unknown): boolean {
  const status = statusOf(error);
  return rateLimitEnd(error) === undefined && (status === 403 || status === 404);
}

/** Why there is no answer: nobody could be reached, it came too late, or it is not to be read. */
function describeSilence(error: unknown): { code: Code; words: string } {
  if (error instanceof NoAnswer) return { code: 'SD8003', words: 'GitHub did not answer in time' };
  if (error instanceof NotShown) return { code: 'SD8006', words: error.message };
  if (error instanceof StrangeAnswer) return { code: 'SD8004', words: error.message };
  return {
    code: 'SD8005',
    words: `GitHub cannot be reached: ${classifyNetworkError(error).detail}`,
  };
}

/**
 * What went wrong with GitHub, in one line: no answer in time, the rate limit and its end, or GitHub's own
 * words, with the line of `permissions:` that is missing if that is it, or the input that does without what the
 * server does not have.
 *
 * @param doing what was tried, such as "write the comment"
 */
export function describeTrouble(
  doing: string,
  error: unknown,
  permission: Permission,
): Diagnostic<string> {
  const end = rateLimitEnd(error);
  if (end !== undefined) return diagnose('SD8001', `Could not ${doing}: ${describeRateLimit(end)}`);
  const { status, message = '', page = '' } = answerOf(error) ?? {};
  if (status === undefined || status < 400) {
    const { code, words } = describeSilence(error);
    return diagnose(code, `Could not ${doing}: ${words}`);
  }
  const words = clean(message, 200) || 'it gives no reason';
  const said = asSentence(`Could not ${doing} (GitHub answered ${status}): ${words}`);
  const setting = without[permission];
  if (isUnknown({ status, page })) {
    const advice = setting === undefined ? '' : `: set ${setting}`;
    return diagnose('SD8007', `${said} This server has no such thing${advice}.`);
  }
  if (status !== 403 && status !== 404) return diagnose('SD8004', said);
  return diagnose('SD8002', `${said} Give the job the line "${permission}" under permissions:.`);
}
