import { NoAnswer, StrangeAnswer } from '../github/errors.ts';
import { fetchOver } from '../http/fetch.ts';
import { openPool } from '../http/pool.ts';
import { asObject, firstString, parseJson } from '../kernel/json.ts';

/** The time limit for one request, in milliseconds. */
const longestRequest = 10_000;

/** An answer with an error. Its shape is that of GitHub's client, which the code for comments reads. */
export class GitLabError extends Error {
  override readonly name = 'GitLabError';
  readonly response: {
    status: number;
    headers: Readonly<Record<string, string>>;
    data: { message: string };
  };

  constructor(
    { status, headers }: { status: number; headers: ReadonlyMap<string, string> },
    message: string,
  ) {
    super(`GitLab returned ${status}`);
    this.response = { status, headers: Object.fromEntries(headers), data: { message } };
  }
}

/** GitLab's reason for an error: a text, or one or several for each field; or the form of OAuth. */
function reasonIn(body: unknown): string {
  const object = asObject(body);
  const message = object?.['message'];
  if (typeof message === 'string') return message;
  if (message !== undefined) return JSON.stringify(message);
  return firstString(object, ['error_description', 'error']) ?? '';
}

/** Sends a request. Each has a time limit of 10 s besides its signal; if one of them aborts it, it throws NoAnswer. */
export type SendToGitLab = (request: {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** From the API's root: `/user`. */
  path: string;
  body?: object | undefined;
  signal: AbortSignal;
}) => Promise<{ data: unknown; link: string | undefined }>;

/**
 * Opens GitLab's REST API. The token is sent as OAuth does, so that a redirect does not take it to another server.
 *
 * @param apiUrl `CI_API_V4_URL`
 */
export function openGitLab(apiUrl: string, token: string): SendToGitLab {
  const fetch = fetchOver(openPool(new URL(apiUrl), { keepAliveTimeout: 300_000 }));
  const root = apiUrl.replace(/\/+$/, '');
  return async ({ method, path, body, signal }) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(longestRequest)]);
    const headers: Record<string, string> = {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': 'site-deploy',
    };
    if (body !== undefined) headers['content-type'] = 'application/json';
    try {
      const answer = await fetch(`${root}${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
        signal: limit,
      });
      const text = await answer.text();
      const data = parseJson(text);
      if (answer.status >= 400) throw new GitLabError(answer, reasonIn(data));
      if (data === undefined && text !== '') throw new StrangeAnswer('the response is not JSON');
      return { data, link: answer.headers.get('link') };
    } catch (error) {
      throw limit.aborted ? new NoAnswer({ cause: error }) : error;
    }
  };
}
