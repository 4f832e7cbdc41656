import { pullRequestOf } from '../core/event/pull-request.ts';
import type { PullRequest } from '../core/pull-request.ts';
import { findPullRequest, getPullRequest, openOctokit } from '../github/api.ts';
import type { RunContext } from '../github/runner.ts';
import { describeTrouble } from '../github/trouble.ts';

/** How long GitHub may take to say whether a pull request is open, in milliseconds: a deploy waits for it. */
const longestQuestion = 5000;

/** The pull request that a run is about, none, or why that cannot be told. */
export type FoundPullRequest = { pullRequest: PullRequest | undefined } | { problem: string };

/** Finds the pull request that a run is about; GitHub is asked where the event does not say. */
export async function findRunsPullRequest(
  { event, apiUrl, repository }: RunContext,
  token: string,
  signal: AbortSignal,
): Promise<FoundPullRequest> {
  const source = pullRequestOf(event);
  if (source === undefined) return { pullRequest: undefined };
  if (source.kind === 'known') return { pullRequest: source.pullRequest };
  if (token === '') return { problem: 'github-token is empty, so GitHub cannot be asked' };
  try {
    const octokit = await openOctokit({ apiUrl, token, repository }, signal);
    if (source.kind === 'by-commit') {
      return { pullRequest: await findPullRequest(octokit, source.sha, source.accepts) };
    }
    const found = await getPullRequest(octokit, source.number);
    return { pullRequest: found && source.accepts(found) ? found : undefined };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: describeTrouble('read the pull request', error, 'pull-requests: read') };
  }
}

/**
 * Makes the question whether a pull request is open now; undefined, with a warning told once, if GitHub
 * does not say within 5 s.
 */
export function askIfOpen(
  { apiUrl, repository }: RunContext,
  token: string,
  signal: AbortSignal,
  warn: (text: string) => void,
): (number: number) => Promise<boolean | undefined> {
  let warned = false;
  return async (number) => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestQuestion)]);
      const octokit = await openOctokit({ apiUrl, token, repository }, limit);
      return (await getPullRequest(octokit, number))?.isOpen;
    } catch (error) {
      signal.throwIfAborted();
      const doing = 'see whether the pull request is still open';
      if (!warned) warn(describeTrouble(doing, error, 'pull-requests: read'));
      warned = true;
      return undefined;
    }
  };
}
