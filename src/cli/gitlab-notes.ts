import { readPages } from '../github/client.ts';
import { NoAnswer, NotShown, StrangeAnswer, unlessGone } from '../github/errors.ts';
import { classifyNetworkError } from '../http/faults.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { asObject, firstString } from '../kernel/json.ts';
import { asSentence } from '../kernel/text/format.ts';
import { printable } from '../kernel/text/safe.ts';
import type { CommentServer, CommentThread, ListedComment, StepEnvironment } from '../platform.ts';
import { GitLabError, openGitLab, type SendToGitLab } from './gitlab-api.ts';

/** The project of a merge request on GitLab. */
export interface GitLabProject {
  /** `CI_API_V4_URL`. */
  apiUrl: string;
  /** Of the project that the merge request goes to, which a pipeline of a fork is not in. */
  id: string;
  /** Its page. */
  url: string;
}

/** The project whose merge request a job is for; undefined if it is for none, or not on GitLab. */
export function gitLabProject(environment: StepEnvironment): GitLabProject | undefined {
  const {
    GITLAB_CI: isGitLab = '',
    CI_API_V4_URL: apiUrl = '',
    CI_MERGE_REQUEST_IID: number = '',
    CI_MERGE_REQUEST_PROJECT_ID: id = '',
    CI_MERGE_REQUEST_PROJECT_URL: url = '',
  } = environment;
  const isWeb = /^https?:$/.test(URL.parse(apiUrl)?.protocol ?? '');
  return isGitLab !== '' && isWeb && number !== '' && /^\d+$/.test(id)
    ? { apiUrl, id, url }
    : undefined;
}

/**
 * A text in which no line begins with a slash: GitLab would carry it out as a quick action, such as `/merge`, with the
 * rights of our token. Markdown does not show the space.
 */
const withoutQuickActions = (body: string): string => body.replace(/(^|\n)(\r*)\//g, '$1$2 /');

/** Reads a note; undefined if a field is missing. */
function readNote(value: unknown, page: string): ListedComment | undefined {
  const note = asObject(value);
  const { id, body } = note ?? {};
  if (typeof id !== 'number' || typeof body !== 'string') return undefined;
  const author = firstString(asObject(note?.['author']), ['username']);
  return { id, body, url: page === '' ? '' : `${page}#note_${id}`, author };
}

/** True of what GitLab itself wrote about a change that a user made. */
const isOfSystem = (value: unknown): boolean => asObject(value)?.['system'] === true;

/** The notes on a merge request of a project, by its IID. */
function noteThread(
  send: SendToGitLab,
  { id: project, url }: GitLabProject,
  number: number,
  signal: AbortSignal,
): CommentThread {
  const notes = `/projects/${project}/merge_requests/${number}/notes`;
  const place = url === '' ? '' : `${url}/-/merge_requests/${number}`;
  /** Sends a request whose answer is a note. */
  const request = async (method: 'GET' | 'POST' | 'PUT', path: string, text?: string) => {
    const body = text === undefined ? undefined : { body: withoutQuickActions(text) };
    const { data } = await send({ method, path: `${notes}${path}`, body, signal });
    const note = readNote(data, place);
    if (note === undefined) throw new StrangeAnswer("GitLab's response is not a note");
    return note;
  };
  return {
    async *list() {
      const read = async ({ per_page, page }: { per_page: number; page: number }) => {
        const query = `sort=asc&order_by=created_at&per_page=${per_page}&page=${page}`;
        const { data, link } = await send({ method: 'GET', path: `${notes}?${query}`, signal });
        return { data: data as { id: number }[], headers: { link } };
      };
      for await (const value of readPages(read, 'GitLab')) {
        const note = isOfSystem(value) ? undefined : readNote(value, place);
        if (note !== undefined) yield note;
      }
    },
    async readAuthor() {
      const { data } = await send({ method: 'GET', path: '/user', signal });
      const username = firstString(asObject(data), ['username']);
      if (username === undefined) throw new StrangeAnswer("GitLab's response has no username");
      return username;
    },
    read: (id) => unlessGone(() => request('GET', `/${id}`)),
    create: (body) => request('POST', '', body),
    async edit(id, body) {
      return (await unlessGone(() => request('PUT', `/${id}`, body))) !== undefined;
    },
    async delete(id) {
      await unlessGone(() => send({ method: 'DELETE', path: `${notes}/${id}`, signal }));
    },
  };
}

/** What to do about a refusal, by its status. */
const advice: Readonly<Record<number, string>> = {
  401: "Set SITE_GITLAB_TOKEN to a valid access token of this server, with the scope api: a job token can't write comments.",
  403: 'Give SITE_GITLAB_TOKEN the scope api and at least the role Reporter.',
  404: 'Give SITE_GITLAB_TOKEN access to the project of the merge request.',
  429: "GitLab's rate limit is exceeded.",
};

const checkServer = 'Check its address in CI_API_V4_URL, and whether the runner can reach it.';

/** Why there is no usable response from GitLab at this host. */
function describeNoResponse(error: unknown, host: string): string {
  const server = `GitLab at ${host}`;
  if (error instanceof NoAnswer) return `${server} did not respond in time`;
  if (error instanceof NotShown) return `${server} reported success, but the change is not visible`;
  if (error instanceof StrangeAnswer) return `${error.message} (${host})`;
  const { detail, advice = checkServer } = classifyNetworkError(error);
  return `${server} is unreachable: ${detail}. ${advice}`;
}

/** What went wrong with a request to GitLab at this host. */
function describeTrouble(doing: string, error: unknown, host: string): Diagnostic<string> {
  if (!(error instanceof GitLabError)) {
    return diagnose('SD8010', `Could not ${doing}: ${describeNoResponse(error, host)}`);
  }
  const { status, data } = error.response;
  // GitLab repeats the status: "401 Unauthorized".
  const reason = printable(data.message).replace(/^\d{3} /, '') || 'no reason given';
  const failure = asSentence(
    `Could not ${doing} (GitLab at ${host} returned ${status}): ${reason}`,
  );
  // GitLab adds a reason that no scope and no role changes, such as a blocked account.
  const hasReason = reason.startsWith('Forbidden - ');
  return diagnose('SD8010', hasReason ? failure : `${failure} ${advice[status] ?? ''}`.trim());
}

/** The notes on the merge requests of a project, written with a token. */
export function gitLabComments(project: GitLabProject, token: string): CommentServer {
  const send = openGitLab(project.apiUrl, token);
  const { host } = new URL(project.apiUrl);
  return {
    runName: 'Job',
    isClosed: async (number, signal) => {
      const path = `/projects/${project.id}/merge_requests/${number}`;
      const { data } = await send({ method: 'GET', path, signal });
      const state = firstString(asObject(data), ['state']);
      return state === 'closed' || state === 'merged';
    },
    open: (number, signal) => noteThread(send, project, number, signal),
    describeTrouble: (doing, error) => describeTrouble(doing, error, host),
  };
}
