import type { GitHubAccess } from '../github/client.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { isQueried, type PullRequest, type QueriedSource } from '../kernel/event.ts';
import type { Abilities } from '../platform.ts';
import { accessOf } from '../step/access.ts';
import type { Preflight, Step } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';

/** Loaded on demand: most events contain all of their pull request. */
const loadGitHub = () => import('../github/client.ts');
const loadTrouble = () => import('../github/errors.ts');

/** How long the query whether a pull request is open may take, in milliseconds: the deployment waits for it. */
const longestQuestion = 5000;

/** The result of the query; `pullRequest` is undefined if none matches. */
type Answer = { pullRequest: PullRequest | undefined } | { problem: Problem };

/** Why GitHub can't be queried for the pull request of a step. */
export function queryProblems({ inputs }: Pick<Step<DeployValues>, 'inputs'>): Problem[] {
  if ((inputs.get('github-token') ?? '') !== '') return [];
  return [
    { input: 'github-token', code: 'SD1111', message: "is empty, so GitHub can't be queried" },
  ];
}

/** Queries GitHub for the pull request of a run, if the event does not contain all of it. */
export async function queryPullRequest(
  source: QueriedSource,
  { inputs, context }: Step<DeployValues>,
  { signal }: Preflight,
): Promise<Answer> {
  const access = accessOf({ 'github-token': inputs.get('github-token') }, context);
  try {
    const { findPullRequestOfBranch, getPullRequest, openOctokit } = await loadGitHub();
    const octokit = await openOctokit(access, signal);
    const isRight = (found: PullRequest) => isQueried(source, found);
    if (source.kind === 'by-branch') {
      return { pullRequest: await findPullRequestOfBranch(octokit, source, isRight) };
    }
    const found = await getPullRequest(octokit, source.number);
    return { pullRequest: found && isRight(found) ? found : undefined };
  } catch (error) {
    signal.throwIfAborted();
    // Reported as a problem of the token, with its own code.
    const { describeTrouble } = await loadTrouble();
    const trouble = describeTrouble('read the pull request', error, 'pull-requests: read');
    return { problem: { input: 'github-token', code: trouble.code, message: trouble.text } };
  }
}

/** Whether a pull request on GitHub is open; undefined if its state is not known. */
async function isOpenOnGitHub(access: GitHubAccess, number: number, limit: AbortSignal) {
  const { getPullRequest, openOctokit } = await loadGitHub();
  return (await getPullRequest(await openOctokit(access, limit), number))?.isOpen;
}

/**
 * Creates the query whether a pull request is open now. It gives undefined where no server can be queried, and with one
 * warning if the server fails or takes longer than 5 s. Other servers than GitHub never report an open one: there, a user
 * may end its preview.
 */
export function queryIfOpen(
  access: GitHubAccess,
  { readsPullRequests }: Abilities,
  { signal, warn }: Preflight,
): (number: number) => Promise<boolean | undefined> {
  const { comments } = access;
  let warned = false;
  return async (number) => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestQuestion)]);
      if (comments?.isClosed === undefined) {
        return readsPullRequests ? await isOpenOnGitHub(access, number, limit) : undefined;
      }
      return (await comments.isClosed(number, limit)) ? false : undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (warned) return undefined;
      warned = true;
      const { describeTrouble } = await loadTrouble();
      const doing = 'check whether the pull request is still open';
      const describe = comments?.describeTrouble ?? describeTrouble;
      warn(describe(doing, error, 'pull-requests: read'));
      return undefined;
    }
  };
}

/** A query that may start before its result is needed. */
interface HeadStart<Answer> {
  begin(): void;
  /** Queries; the first call gets the result of the query that was sent early. */
  query(): Promise<Answer>;
}

/** Makes a query that can be sent early, at most once. */
export function withHeadStart<Answer>(query: () => Promise<Answer>): HeadStart<Answer> {
  let early: Promise<Answer> | undefined;
  return {
    begin: () => {
      early = query();
      // The first call gets the error.
      early.catch(() => undefined);
    },
    query: () => {
      const answer = early ?? query();
      early = undefined;
      return answer;
    },
  };
}
