import { describeNetworkError } from '../http/faults.ts';
import type { Code } from '../kernel/code.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { asObject, firstString } from '../kernel/json.ts';
import { asSentence } from '../kernel/text/format.ts';
import { printable } from '../kernel/text/safe.ts';

/** A line of a job's `permissions`. */
export type Permission =
  | 'issues: write'
  | 'pull-requests: write'
  | 'pull-requests: read'
  | 'deployments: read'
  | 'deployments: write'
  | 'contents: read';

/** Thrown when GitHub did not respond before the request's or the run's time limit. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(options?: ErrorOptions) {
    super('GitHub did not respond in time', options);
  }
}

/** Thrown when GitHub reported success for a write, and nothing confirms it. */
export class NotShown extends Error {
  override readonly name = 'NotShown';

  constructor() {
    super('GitHub reported success, but the change is not visible');
  }
}

/** Thrown for an unexpected response from GitHub. Its message follows a colon. */
export class StrangeAnswer extends Error {
  override readonly name = 'StrangeAnswer';
}

/** GitHub's response in an error of its client; undefined if there was none. */
function responseOf(error: unknown) {
  const response = asObject(asObject(error)?.['response']);
  if (response === undefined) return undefined;
  return {
    status: Number(response['status']),
    headers: asObject(response['headers']),
    message: firstString(asObject(response['data']), ['message']),
    page: firstString(asObject(response['data']), ['documentation_url']),
  };
}

/** The status of GitHub's response; undefined if there was none. */
export function statusOf(error: unknown): number | undefined {
  return responseOf(error)?.status;
}

/** The result of `work`; undefined if the server returns 404. */
export async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** GitHub's messages about its limits. A secondary one may come without headers, and with remaining requests. */
const limitMessage = /\brate limit\b|abuse detection/i;

/**
 * When GitHub's rate limit ends, if that is why it refused a request: 403 or 429, with `retry-after`, with no remaining
 * requests, or with a message about a limit.
 *
 * @returns milliseconds since the epoch, NaN if unknown; undefined if it is not a rate limit
 */
export function rateLimitEnd(error: unknown): number | undefined {
  const { status, headers, message = '' } = responseOf(error) ?? {};
  if (status !== 403 && status !== 429) return undefined;
  const pause = headers?.['retry-after'];
  if (pause !== undefined) return Date.now() + Number(pause) * 1000;
  if (headers?.['x-ratelimit-remaining'] === '0') {
    return Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000;
  }
  return status === 429 || limitMessage.test(message) ? Number.NaN : undefined;
}

/** GitHub's limits are hourly, so a time in the past or more than a day away is not shown. */
const longestLimit = 24 * 3_600_000;

function describeRateLimit(end: number): string {
  const left = end - Date.now();
  const known = left > 0 && left <= longestLimit;
  const until = known ? ` until ${new Date(end).toISOString().replace(/\.\d+/, '')}` : '';
  return `GitHub's rate limit for this token is exceeded${until}`;
}

/** The input that turns off what a permission is for, if there is one. */
const without: Readonly<Partial<Record<Permission, string>>> = {
  'issues: write': 'comment: false',
  'pull-requests: write': 'comment: false',
  'deployments: read': 'github-deployment: false',
  'deployments: write': 'github-deployment: false',
};

/** GitHub's errors link the operation's page; a server without the operation can't. */
const operationPage = /\/rest\/[\w-]/;

/** What to do about a refusal that no other permission changes; empty if GitHub's message says it all. */
const refusalAdvice = (message: string, setting = 'comment: false'): string =>
  /\bis locked\b/.test(message) ? ` Unlock the conversation, or set ${setting}.` : '';

/** How the token gets a permission; undefined if GitHub refused the request for another reason. */
function permissionAdvice(
  { status, message = '' }: { status: number; message?: string | undefined },
  permission: Permission,
): string | undefined {
  // GitHub hides with a 404 what a token may not read.
  if (status === 404 || (status === 403 && message.includes('not accessible by integration'))) {
    return `Add "${permission}" to the job's permissions.`;
  }
  return status === 403 && message.includes('not accessible by personal access token')
    ? `Give the token in github-token the permission "${permission}".`
    : undefined;
}

/** True if similar requests will fail too: the token lacks the permission, or the server lacks the operation. */
export function isLasting(error: unknown): boolean {
  const status = statusOf(error);
  return rateLimitEnd(error) === undefined && (status === 403 || status === 404);
}

/** Why there is no usable response. */
function describeNoResponse(error: unknown): { code: Code; detail: string } {
  if (error instanceof NoAnswer) return { code: 'SD8003', detail: error.message };
  if (error instanceof NotShown) return { code: 'SD8006', detail: error.message };
  if (error instanceof StrangeAnswer) return { code: 'SD8004', detail: error.message };
  const url = firstString(asObject(asObject(error)?.['request']), ['url']) ?? '';
  const host = URL.parse(url)?.host;
  const server = host === undefined ? 'GitHub' : `GitHub at ${host}`;
  return { code: 'SD8005', detail: `${server} is unreachable: ${describeNetworkError(error)}` };
}

/**
 * What went wrong with a request to GitHub, with the missing line of `permissions`, or the input that turns off what the
 * server doesn't support.
 *
 * @param doing what failed, such as "write the comment"
 * @param setting the input that turns it off, if it is not the permission's own
 */
export function describeTrouble(
  doing: string,
  error: unknown,
  permission: Permission,
  setting = without[permission],
): Diagnostic<string> {
  const end = rateLimitEnd(error);
  if (end !== undefined) return diagnose('SD8001', `Could not ${doing}: ${describeRateLimit(end)}`);
  const { status, message = '', page = '' } = responseOf(error) ?? {};
  if (status === undefined || status < 400) {
    const { code, detail } = describeNoResponse(error);
    return diagnose(code, `Could not ${doing}: ${detail}`);
  }
  const detail = printable(message) || 'no reason given';
  const failure = asSentence(`Could not ${doing} (GitHub returned ${status}): ${detail}`);
  // Else the token may not use the operation.
  if (status === 404 && !operationPage.test(page)) {
    const advice = setting === undefined ? '' : ` Set ${setting}.`;
    return diagnose('SD8007', `${failure} This server does not support it.${advice}`);
  }
  const advice = permissionAdvice({ status, message }, permission);
  return advice === undefined
    ? diagnose('SD8004', `${failure}${refusalAdvice(message, setting)}`)
    : diagnose('SD8002', `${failure} ${advice}`);
}

/** True if a failed request may have had its effect. */
export function mayHaveReachedGitHub(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status === 408 || status >= 500;
}

/** A write to GitHub. Both functions return what confirms it, or undefined. */
interface ShownWrite<Shown> {
  /** Sends it, and reads the response. */
  send(): Promise<Shown | undefined>;
  /** Searches for what was written. */
  find(): Promise<Shown | undefined>;
}

/**
 * Writes once. If the response is lost, or is about something else, what was written is searched for.
 *
 * @throws the error of the request, or NotShown
 */
export async function writeShown<Shown>({ send, find }: ShownWrite<Shown>): Promise<Shown> {
  let lost: unknown = new NotShown();
  try {
    const shown = await send();
    if (shown !== undefined) return shown;
  } catch (error) {
    if (!mayHaveReachedGitHub(error)) throw error;
    lost = error;
  }
  const found = await find();
  if (found === undefined) throw lost;
  return found;
}

/** The same for a write that is safe to repeat: it is sent at most twice. */
export async function makeShown<Shown>(write: ShownWrite<Shown>): Promise<Shown> {
  try {
    return await writeShown(write);
  } catch (error) {
    if (!mayHaveReachedGitHub(error)) throw error;
    return await writeShown(write);
  }
}
